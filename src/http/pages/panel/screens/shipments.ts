import { listLicenseSummaries } from '../../../../db/queries/accounts/credentials.js';
import { listShipments } from '../../../../db/queries/shipments/shipment-lists.js';
import type { ShipmentFilter } from '../../../../db/queries/shipments/shipment-pages.js';
import { searchShipments } from '../../../../db/queries/shipments/shipment-search.js';
import { type Html, html } from '../../../../domain/html.js';
import type { ShipmentRecord } from '../../../../domain/shipment.js';
import { isStatusCode, SHIPPING_STATUSES } from '../../../../domain/statuses.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { labelsOfShipments } from '../../../../services/labels/labels.js';
import { code, field, moment, row, select, table } from '../layout.js';
import { state } from '../parts.js';
import { type AccountVisit, accountScreen } from '../screen.js';
import type { Words } from '../words/en.js';
import { filled } from '../words/words.js';

const { pageRows, searched, found } = LIMITS.panel;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

const list = accountScreen('get', '/shipments', 'ship', async (visit) => {
  const { words } = visit;
  const part = await results(visit);
  return {
    title: words.shipments.title,
    main: html`<p class="actions"><a class="button" href="shipments/new">${words.shipments.new}</a></p>
${filters(visit)}
${part}`,
    part,
  };
});

function filters({ words, query }: AccountVisit): Html {
  const { shipments: texts } = words;
  const value = (name: string) => query.get(name) ?? '';
  const statuses = SHIPPING_STATUSES.map(({ code: status }) => [status, words.statuses[status]] as const);
  const labels = [
    ['', texts.anyLabel],
    ['true', texts.withLabel],
    ['false', texts.withoutLabel],
  ] as const;
  return html`<form method="get" role="search" hx-get="shipments" hx-target="#results" hx-swap="outerHTML"
 hx-trigger="submit, change, input changed delay:400ms from:#q" hx-push-url="true">
${field('q', texts.search, { type: 'search', value: value('q'), hint: texts.searchHint })}
<details${isNarrowed(query) ? html` open` : null}><summary>${texts.filter}</summary><div class="filters">
${select('status', texts.status, [['', texts.anyStatus], ...statuses], value('status'))}
${select('label', texts.label, labels, value('label'))}
${field('from', texts.from, { type: 'date', value: value('from') })}
${field('to', texts.to, { type: 'date', value: value('to') })}
<button>${texts.filter}</button></div></details>
</form>`;
}

function isNarrowed(query: URLSearchParams): boolean {
  return ['status', 'label', 'from', 'to'].some((name) => (query.get(name) ?? '') !== '');
}

async function results(visit: AccountVisit): Promise<Html> {
  const { words, query } = visit;
  const page = Math.max(1, Math.min(1_000_000, Math.trunc(Number(query.get('page'))) || 1));
  const text = query.get('q')?.trim() ?? '';
  const { rows, total } = text === '' ? await listed(visit, page) : await searchedFor(visit, text);
  const { shipments: texts } = words;
  const count = { count: new Intl.NumberFormat(words.locale, { numberingSystem: 'latn' }).format(total) };
  return html`<div id="results"><form method="post" action="shipments/labels">
<p>${filled(text === '' ? texts.total : texts.found, count)}</p>
${table(
  texts.title,
  [
    texts.chosen,
    texts.code,
    texts.order,
    texts.recipient,
    texts.city,
    texts.status,
    texts.carrier,
    texts.created,
  ],
  rows.map((one) => line(one, words)),
  words,
)}
${text === '' ? pages(visit, page, total) : null}
${rows.length === 0 ? null : printing(words)}
</form></div>`;
}

async function listed({ app, account, query }: AccountVisit, page: number) {
  const licenses = await listLicenseSummaries(app.db, account.id);
  return await listShipments(app.db, {
    accountId: account.id,
    licenseIds: licenses.map(({ id }) => id),
    filter: filterOf(query),
    sort: { column: 'created_at', descending: true },
    page,
    perPage: pageRows,
  });
}

async function searchedFor({ app, account }: AccountVisit, text: string) {
  const search = { accountId: account.id, text: text.slice(0, 191), newest: searched, limit: found };
  const rows = await searchShipments(app.db, search);
  return { rows, total: rows.length };
}

function filterOf(query: URLSearchParams): ShipmentFilter {
  const status = query.get('status') ?? '';
  const label = query.get('label') ?? '';
  const from = query.get('from') ?? '';
  const to = query.get('to') ?? '';
  return {
    ...(isStatusCode(status) ? { status } : {}),
    ...(label === '' ? {} : { labelGenerated: label === 'true' }),
    ...(DAY.test(from) ? { createdFrom: `${from}T00:00:00.000000Z` } : {}),
    ...(DAY.test(to) ? { createdTo: `${to}T23:59:59.999999Z` } : {}),
  };
}

function line(shipment: ShipmentRecord, words: Words): Html {
  const { uuid, trackingCode, order, recipient, status, carrier, createdAt } = shipment;
  const choose = filled(words.shipments.choose, { order: order.number });
  const isPrintable = trackingCode !== null;
  return row(
    isPrintable ? html`<input type="checkbox" name="uuid" value="${uuid}" aria-label="${choose}">` : '',
    html`<a href="shipments/${uuid}">${code(trackingCode ?? words.none)}</a>`,
    code(order.number),
    html`<bdi>${recipient.name}</bdi>`,
    html`<bdi>${recipient.city}</bdi>`,
    state(status.code, words.statuses[status.code]),
    html`<bdi>${carrier.name}</bdi>`,
    moment(createdAt, words),
  );
}

function pages({ words, query }: AccountVisit, page: number, total: number): Html | null {
  const link = (to: number, text: string) => {
    const wanted = new URLSearchParams(query);
    wanted.set('page', String(to));
    return html`<a href="?${wanted.toString()}">${text}</a> `;
  };
  const last = Math.max(1, Math.ceil(total / pageRows));
  if (last === 1) return null;
  return html`<nav class="pages" aria-label="${words.next}">${page > 1 ? link(page - 1, words.previous) : null}
<span>${page} / ${last}</span> ${page < last ? link(page + 1, words.next) : null}</nav>`;
}

function printing(words: Words): Html {
  const { shipments: texts } = words;
  const types = [
    ['', texts.ownType],
    ['thermal', 'Thermal'],
    ['A4', 'A4'],
  ] as const;
  const positions = Array.from({ length: 8 }, (_, index) => [String(index + 1), String(index + 1)] as const);
  return html`<div class="row bulk">
${select('label_type', texts.labelType, types)}
${select('position', texts.position, positions)}
<button>${texts.print}</button>
</div>`;
}

const print = accountScreen('post', '/shipments/labels', 'ship', async (visit) => {
  const { app, account, form, words, whileWaiting } = visit;
  const shipments = form.getAll('uuid');
  const here = `/panel/a/${account.id}/shipments`;
  if (shipments.length === 0) {
    const main = html`<p class="error">${words.shipments.noneChosen}</p><p><a href="${here}">${words.back}</a></p>`;
    return { title: words.shipments.print, main, status: 422 };
  }
  const labelType = form.get('label_type');
  const position = Number(form.get('position') ?? 1);
  const { url } = await whileWaiting(() =>
    labelsOfShipments(app, {
      accountId: account.id,
      shipments,
      options: {
        labelType: labelType === 'A4' || labelType === 'thermal' ? labelType : null,
        position: position >= 1 && position <= 8 ? Math.trunc(position) : 1,
        sort: undefined,
      },
    }),
  );
  return { to: new URL(url).pathname };
});

export const shipmentScreens = [list, print];
