import type { LicenseSummary } from '../../../../db/queries/accounts/accounts.js';
import { listLicenseSummaries } from '../../../../db/queries/accounts/credentials.js';
import { listRefused } from '../../../../db/queries/shipments/refused-shipments.js';
import { stateOf } from '../../../../db/queries/shipments/shipment-lists.js';
import { type Html, html, type Part } from '../../../../domain/html.js';
import { isUsable } from '../../../../domain/license.js';
import { may } from '../../../../domain/panel-roles.js';
import type { ShipmentRecord } from '../../../../domain/shipment.js';
import { SHIPPING_STATUSES } from '../../../../domain/statuses.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { nowIso } from '../../../../lib/time.js';
import { keptBelow, textOfIds } from '../chosen.js';
import { code, field, select, table } from '../layout.js';
import { labelChoice } from '../parts.js';
import { type AccountVisit, accountScreen } from '../screen.js';
import { filled } from '../words/words.js';
import {
  chosenLicenses,
  exactly,
  filterOf,
  foundShipments,
  searchOf,
  TO_BE_PRINTED,
} from './found-shipments.js';
import { bulkActions } from './shipment-bulk.js';
import { chosenColumns, columnChoice, columnScreens } from './shipment-columns.js';
import { printAll } from './shipment-print.js';

const { listRows, searched } = LIMITS.panel;

const list = accountScreen('get', '/shipments', 'ship', async (visit) => {
  const { app, account, words, query } = visit;
  const licenses = await listLicenseSummaries(app.db, account.id);
  const { count, list: results, only } = await found(visit, licenses);
  if (only !== null && query.get('open') !== null) return { to: `/panel/a/${account.id}/shipments/${only}` };
  // The count stays the same element, as readers of a screen only tell what changes in one that they know.
  return {
    title: words.shipments.title,
    main: html`<div class="actions"><a class="button" href="shipments/new">${words.form.title}</a>
${await toBePrinted(visit, licenses)}</div>
<a class="skip" href="#results">${words.skipToList}</a>
${filters(visit, licenses)}
<p id="count" role="status">${count}</p>
${results}`,
    part: html`<p id="count" hx-swap-oob="textContent">${count}</p>
${results}`,
  };
});

/** Prints in one click what has no label yet; null where nothing waits. */
async function toBePrinted(visit: AccountVisit, licenses: readonly LicenseSummary[]): Promise<Html | null> {
  const { total } = await foundShipments(visit, new URLSearchParams(TO_BE_PRINTED), licenses, {
    page: 1,
    perPage: 1,
  });
  return total === 0 ? null : printAll(visit, TO_BE_PRINTED, total);
}

function filters({ words, query }: AccountVisit, licenses: readonly LicenseSummary[]): Html {
  const { shipments: texts } = words;
  const value = (name: string) => query.get(name) ?? '';
  const statuses = SHIPPING_STATUSES.map(({ code: status }) => [status, words.statuses[status]] as const);
  return html`<form method="get" role="search" hx-get="shipments" hx-target="#results" hx-swap="outerHTML"
 hx-trigger="submit, change from:.filters, input changed delay:400ms from:#q, again" hx-sync="replace" hx-push-url="true">
<div class="find">${field('q', texts.search, { type: 'search', value: value('q'), hint: filled(texts.searchHint, { count: searched }) })}
<button name="open" value="1" class="second">${words.lists.find}</button></div>
<details${isNarrowed(query) ? html` open` : null}><summary>${texts.filter}</summary><div class="filters">
${select('status', texts.status, [['', texts.anyStatus], ...statuses], value('status'))}
${labelChoice({ words }, value('label'))}
${
  licenses.length < 2
    ? null
    : select(
        'license',
        words.license,
        [['', texts.anyLicense], ...licenses.map(({ id, name }) => [String(id), name] as const)],
        value('license'),
      )
}
${field('from', texts.from, { type: 'date', value: value('from') })}
${field('to', texts.to, { type: 'date', value: value('to') })}
<button>${texts.filter}</button></div></details>
</form>`;
}

function isNarrowed(query: URLSearchParams): boolean {
  return ['status', 'label', 'license', 'from', 'to'].some((name) => (query.get(name) ?? '') !== '');
}

async function found(
  visit: AccountVisit,
  licenses: readonly LicenseSummary[],
): Promise<{ count: string; list: Html; only: string | null }> {
  const { words, query } = visit;
  const page = Math.max(1, Math.min(1_000_000, Math.trunc(Number(query.get('page'))) || 1));
  const text = searchOf(query);
  const page1 = await foundShipments(visit, query, licenses, { page, perPage: listRows });
  const { rows, total, hasMore } = page1;
  const { shipments: texts } = words;
  const counts = text === '' ? [texts.total, texts.newest] : [texts.found, texts.foundSome];
  const count = { count: new Intl.NumberFormat(words.locale, { numberingSystem: 'latn' }).format(total) };
  const refused = text === '' ? null : await refusedOf(visit, text);
  const list = html`<div id="results" tabindex="-1">
${refused}
<div class="actions">${columnChoice(visit)}
${exporting(visit, licenses)}</div>
${rows.length === 0 ? nothingFound(visit) : chosenForm(visit, licenses, page1, page)}</div>`;
  return { count: filled(counts[hasMore ? 1 : 0] ?? '', count), list, only: onlyExact(rows, text) };
}

/** The uuid of the one shipment that a scanned or typed code names exactly; null where none or several are. */
function onlyExact(rows: readonly ShipmentRecord[], text: string): string | null {
  const exact = exactly(rows, text);
  return exact.length === 1 ? (exact[0]?.uuid ?? null) : null;
}

/** An empty list says what can be done next. */
function nothingFound({ words, query, account }: AccountVisit): Html {
  const { lists: texts } = words;
  const isLimited = searchOf(query) !== '' || isNarrowed(query);
  return isLimited
    ? html`<p class="nothing">${texts.noneFound} <a href="/panel/a/${account.id}/shipments">${texts.showAll}</a></p>`
    : html`<p class="nothing">${texts.noneYet} <a href="/panel/a/${account.id}/batches/new">${words.batches.new}</a></p>`;
}

/** The list with its boxes, and what can be done with the ticked ones. */
function chosenForm(
  visit: AccountVisit,
  licenses: readonly LicenseSummary[],
  { rows, total }: { rows: readonly ShipmentRecord[]; total: number },
  page: number,
): Html {
  const { words, account, query, user } = visit;
  const { shipments: texts } = words;
  const all = html`<input type="checkbox" class="all" data-all="uuid" aria-label="${texts.chooseAll}">`;
  const columns = chosenColumns(visit, licenses);
  const others = columns.filter(([name]) => name !== 'status');
  const list = table(words, texts.title, rows, [
    [html`${texts.chosen} ${all}`, (one) => choice(one, visit)],
    // First, where a phone shows it without scrolling.
    ...columns.filter(([name]) => name === 'status').map(([, column]) => column),
    [
      words.trackingCode,
      ({ uuid, trackingCode }) => html`<a href="shipments/${uuid}">${code(trackingCode ?? words.none)}</a>`,
    ],
    ...others.map(([, column]) => column),
  ]);
  const shown = new Set(rows.map(({ id }) => id));
  const elsewhere = visit.kept.filter((id) => !shown.has(id));
  const most = LIMITS.panel.chosenAtOnce;
  return html`<form method="post" action="/panel/a/${account.id}/shipments/labels" class="chosen" autocomplete="off"
 data-keeps="${keptBelow(account.id)}" data-user="${user.id}" data-most="${most}">
<input type="hidden" name="query" value="${query.toString()}">
<input type="hidden" name="others" value="${textOfIds(elsewhere)}">
${bulkActions(visit, { total, isPart: total > rows.length, elsewhere: elsewhere.length })}
${list}
${pages(visit, page, Math.ceil(total / listRows))}
</form>`;
}

/** The way to the refused creations that the search finds too; null where there are none. */
async function refusedOf({ app, account, words }: AccountVisit, text: string): Promise<Html | null> {
  const [first] = await listRefused(app.db, { accountId: account.id, text, looked: searched, limit: 1 });
  if (first === undefined) return null;
  const query = new URLSearchParams({ q: text });
  return html`<p><a href="/panel/a/${account.id}/refused?${query.toString()}">${words.parcel.refusedFound}</a></p>`;
}

function choice(
  { id, uuid, trackingCode, order }: ShipmentRecord,
  { words, kept }: Pick<AccountVisit, 'words' | 'kept'>,
): Part {
  if (trackingCode === null) return null;
  const label = filled(words.shipments.choose, { order: order.number });
  const mark = kept.includes(id) ? html` checked` : null;
  return html`<input type="checkbox" name="uuid" value="${uuid}" data-id="${textOfIds([id])}" aria-label="${label}"${mark}>`;
}

/** Buttons of the form, so that what is ticked is kept without script too. */
function pages({ words, account }: AccountVisit, page: number, last: number): Html | null {
  const action = `${keptBelow(account.id)}/chosen`;
  const link = (to: number, text: string) =>
    html`<button class="plain" name="page" value="${to}" formaction="${action}">${text}</button> `;
  if (last < 2) return null;
  return html`<nav class="pages" aria-label="${words.pages}">${page > 1 ? link(page - 1, words.previous) : null}
<span>${page} / ${last}</span> ${page < last ? link(page + 1, words.next) : null}</nav>`;
}

/** The form that exports the list's shipments in one file. Null where no export has the list's filter. */
function exporting(visit: AccountVisit, licenses: readonly LicenseSummary[]): Html | null {
  const { words, query, user, account } = visit;
  const value = (name: string) => query.get(name) ?? '';
  const filter = filterOf(query);
  const listed = chosenLicenses(query, licenses);
  const has = value('q').trim() === '' && stateOf(filter) === 'created';
  const isPossible = listed.some((one) => isUsable(one, nowIso()));
  if (!has || !isPossible || !may(user.role, 'manage')) return null;
  const { exports: texts } = words;
  const formats = Object.entries({ xlsx: texts.workbook, csv: texts.csv });
  const [only, ...others] = listed;
  const fields = [
    ['license', others.length === 0 && only !== undefined ? String(only.id) : ''],
    ['created_from', filter.createdFrom && value('from')],
    ['created_to', filter.createdTo && value('to')],
    ['status', filter.status],
    ['label', value('label')],
  ] as const;
  return html`<details><summary class="button">${texts.create}</summary>
<form method="post" action="/panel/a/${account.id}/exports" class="card">
<p>${filled(texts.intro, { email: account.email, days: LIMITS.exports.linkDays })}</p>
${fields.map(([name, text = '']) => html`<input type="hidden" name="${name}" value="${text}">`)}
${select('format', texts.format, formats)}
<button>${texts.create}</button>
</form></details>`;
}

export const shipmentScreens = [list, ...columnScreens];
