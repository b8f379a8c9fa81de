import { type Html, html, type Part } from '../../../domain/html.js';
import type { Language } from '../../../domain/recipient-words/language.js';
import type { ShipmentRecord } from '../../../domain/shipment.js';
import { isActive } from '../../../domain/statuses.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { code, field, moment, table } from '../panel/layout.js';
import { chosen as hidden, state } from '../panel/parts.js';
import { chosenColumns } from '../panel/screens/shipment-columns.js';
import { toldText } from '../panel/told.js';
import { filled, WORDS } from '../panel/words/words.js';
import type { FrameOwner, Parcels } from './parcels.js';

/** The frame's page as it was asked for. */
export interface FrameVisit extends FrameOwner {
  language: Language;
  /** With the ticket. */
  query: URLSearchParams;
}

/** A store's parcels in the frame: what waits, the chosen orders, and the list. */
export function parcelsPage(visit: FrameVisit, parcels: Parcels): Html {
  const { words, texts } = wordsOf(visit);
  return html`<p class="actions"><a class="button" href="${panelPath(visit, '/shipments')}" target="_blank" rel="noopener">${texts.openPanel}</a></p>
${waiting(visit, parcels)}
${parcels.chosen.length === 0 ? null : chosenOrders(visit, parcels)}
<h2>${words.shipments.title}</h2>
${search(visit)}
${list(visit, parcels)}
${refusals(visit, parcels)}`;
}

function wordsOf({ language }: FrameVisit) {
  const words = WORDS[language];
  return { words, texts: words.storeFrame };
}

function panelPath({ account }: FrameVisit, path: string): string {
  return `/panel/a/${account.id}${path}`;
}

/** A link to the panel, which stands in no frame. */
function inPanel(visit: FrameVisit, path: string, text: Part): Html {
  return html`<a href="${panelPath(visit, path)}" target="_blank" rel="noopener">${text}</a>`;
}

/** The ticket for the page that the form leads to. */
function ticketOf(query: URLSearchParams): Html {
  return hidden('ticket', query.get('ticket') ?? '');
}

/** Figures of what waits for a person. */
function waiting(visit: FrameVisit, { unprinted, undecided, refused }: Parcels): Html {
  const { words, texts } = wordsOf(visit);
  const one = (name: string, count: number | string, isBad: boolean, more: Part = null) =>
    html`<div class="card${isBad ? ' bad' : ''}"><b>${count}</b> <span>${name}</span>${more}</div>`;
  const many = refused.length < LIMITS.panel.pageRows ? refused.length : `${refused.length}+`;
  const print = unprinted === 0 ? null : printForm(visit, texts.printThem);
  return html`<div class="numbers">
${one(texts.unprinted, unprinted, false, print)}
${one(texts.undecided, undecided.total, undecided.total > 0)}
${one(words.parcel.refused, many, refused.length > 0)}
</div>`;
}

/** The form that prints labels in a new tab. */
function printForm({ query }: FrameVisit, text: string): Html {
  return html`<form method="post" action="/wp/app/labels" target="_blank">${ticketOf(query)}
${hidden('all', 'first')}<button class="second">${text}</button></form>`;
}

function chosenOrders(visit: FrameVisit, { chosen, licenses }: Parcels): Html {
  const { words, texts } = wordsOf(visit);
  const missing = chosen.filter(({ shipments, refused }) => shipments.length === 0 && refused === null);
  const orders = table(words, texts.chosen, chosen, [
    [words.order, ({ id }) => code(id)],
    [
      words.state,
      ({ shipments, refused }) => {
        const [newest] = shipments;
        if (newest !== undefined) return state(newest.status.code, words.statuses[newest.status.code]);
        return refused === null
          ? texts.noParcel
          : html`<span class="error">${words.parcel.refused}</span>
<bdi dir="auto" class="answer">${toldText(words, refused.reason)}</bdi>`;
      },
    ],
    [
      words.trackingCode,
      ({ id, shipments: [newest], refused }) => {
        const again = `/shipments/new?from=${refused?.uuid ?? newest?.uuid ?? ''}`;
        if (newest !== undefined && isActive(newest.status.code)) return codeLink(visit, newest);
        if (newest !== undefined || refused !== null) return inPanel(visit, again, texts.again);
        return licenses.length === 0
          ? null
          : inPanel(visit, `/shipments/new?order=${encodeURIComponent(id)}`, texts.book);
      },
    ],
  ]);
  const printable = chosen.flatMap(({ shipments: [newest] }) =>
    newest?.trackingCode != null && isActive(newest.status.code) ? [newest] : [],
  );
  return html`<section id="chosen"><h2>${texts.chosen}</h2>
${missing.length === 0 ? null : html`<p>${filled(texts.missing, { count: missing.length })}</p>`}
${orders}
${printable.length === 0 ? null : printChosen(visit, printable)}
</section>`;
}

function printChosen(visit: FrameVisit, shipments: readonly ShipmentRecord[]): Html {
  const { query } = visit;
  const { words } = wordsOf(visit);
  return html`<form method="post" action="/wp/app/labels" target="_blank">${ticketOf(query)}
${shipments.map(({ uuid }) => hidden('uuid', uuid))}
<button>${words.shipments.print} (${shipments.length})</button></form>`;
}

function codeLink(visit: FrameVisit, { uuid, trackingCode }: ShipmentRecord): Html {
  const { words } = wordsOf(visit);
  return inPanel(visit, `/shipments/${uuid}`, code(trackingCode ?? words.none));
}

function search(visit: FrameVisit): Html {
  const { words } = wordsOf(visit);
  const { query } = visit;
  return html`<form method="get" role="search" class="row">${ticketOf(query)}
${hidden('lang', visit.language)}
${field('q', words.shipments.search, { type: 'search', value: query.get('q') ?? '' })}
<button class="second">${words.lists.find}</button></form>`;
}

function list(visit: FrameVisit, { list: found, licenses, page }: Parcels): Html {
  const { words } = wordsOf(visit);
  const { query, language } = visit;
  if (found.rows.length === 0) return html`<p class="nothing">${words.nothing}</p>`;
  const columns = chosenColumns({ columns: [], words, language }, licenses);
  const title = words.shipments.title;
  const all = html`<input type="checkbox" data-all="uuid" aria-label="${words.shipments.chooseAll}">`;
  const shown = table(words, title, found.rows, [
    [html`${words.shipments.chosen} ${all}`, (one) => tick(visit, one)],
    ...columns.filter(([name]) => name === 'status').map(([, column]) => column),
    [words.trackingCode, (one) => codeLink(visit, one)],
    ...columns.filter(([name]) => name !== 'status').map(([, column]) => column),
  ]);
  return html`<form method="post" action="/wp/app/labels" target="_blank">${ticketOf(query)}
<div class="actions"><button>${words.shipments.print}</button></div>
${shown}
</form>
${pages(visit, page, Math.ceil(found.total / LIMITS.panel.pageRows))}`;
}

function tick(visit: FrameVisit, { uuid, trackingCode, order }: ShipmentRecord): Html | null {
  const { words } = wordsOf(visit);
  if (trackingCode === null) return null;
  const label = filled(words.shipments.choose, { order: order.number });
  return html`<input type="checkbox" name="uuid" value="${uuid}" aria-label="${label}">`;
}

function pages(visit: FrameVisit, page: number, last: number): Html | null {
  const { words } = wordsOf(visit);
  if (last <= 1) return null;
  const link = (to: number, text: string) => {
    const query = new URLSearchParams(visit.query);
    query.set('page', String(to));
    return html`<a href="?${query.toString()}">${text}</a>`;
  };
  return html`<nav class="pages" aria-label="${words.pages}">${page > 1 ? link(page - 1, words.previous) : null}
<span>${page} / ${last}</span> ${page < last ? link(page + 1, words.next) : null}</nav>`;
}

function refusals(visit: FrameVisit, { refused }: Parcels): Html | null {
  const { words } = wordsOf(visit);
  if (refused.length === 0) return null;
  const shown = table(words, words.parcel.refused, refused, [
    [
      words.order,
      ({ uuid, orderNumber }) => html`${code(orderNumber)}<br>
${inPanel(visit, `/shipments/new?from=${uuid}`, words.parcel.correct)}`,
    ],
    [words.reason, ({ reason }) => html`<bdi dir="auto" class="answer">${toldText(words, reason)}</bdi>`],
    [words.recipient, (one) => html`<bdi>${[one.recipient, one.city].filter(Boolean).join(', ')}</bdi>`],
    [words.time, ({ createdAt }) => moment(createdAt, words)],
  ]);
  return html`<h2>${words.parcel.refused}</h2>
${shown}`;
}
