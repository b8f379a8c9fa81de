import type { LicenseSummary } from '../../../../db/queries/accounts/accounts.js';
import { listLicenseSummaries } from '../../../../db/queries/accounts/credentials.js';
import {
  listShipments,
  type ShipmentFilter,
  stateOf,
} from '../../../../db/queries/shipments/shipment-lists.js';
import { searchShipments } from '../../../../db/queries/shipments/shipment-search.js';
import { listRefused } from '../../../../db/queries/shipments/shipment-sources.js';
import { type Html, html, type Part } from '../../../../domain/html.js';
import { isUsable } from '../../../../domain/license.js';
import { may } from '../../../../domain/panel-roles.js';
import type { ShipmentRecord } from '../../../../domain/shipment.js';
import { isStatusCode, SHIPPING_STATUSES } from '../../../../domain/statuses.js';
import { israelDayEnd, israelDayStart } from '../../../../lib/israel-time.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { nowIso } from '../../../../lib/time.js';
import { code, field, select, table } from '../layout.js';
import { inLicense } from '../license-screen.js';
import { labelChoice, queryWith } from '../parts.js';
import { type AccountVisit, accountScreen } from '../screen.js';
import type { Words } from '../words/en.js';
import { filled } from '../words/words.js';
import { bulkActions } from './shipment-bulk.js';
import { chosenColumns, columnChoice, columnScreens } from './shipment-columns.js';

const { pageRows, counted, searched, found: foundRows } = LIMITS.panel;

const list = accountScreen('get', '/shipments', 'ship', async (visit) => {
  const { app, account, words } = visit;
  const licenses = await listLicenseSummaries(app.db, account.id);
  const { count, list: results } = await found(visit, licenses);
  // The count stays the same element, as readers of a screen only tell what changes in one that they know.
  return {
    title: words.shipments.title,
    main: html`<p class="actions"><a class="button" href="shipments/new">${words.form.title}</a></p>
<a class="skip" href="#results">${words.skipToList}</a>
${filters(visit, licenses)}
<p id="count" role="status">${count}</p>
${results}`,
    part: html`<p id="count" hx-swap-oob="textContent">${count}</p>
${results}`,
  };
});

function filters({ words, query }: AccountVisit, licenses: readonly LicenseSummary[]): Html {
  const { shipments: texts } = words;
  const value = (name: string) => query.get(name) ?? '';
  const statuses = SHIPPING_STATUSES.map(({ code: status }) => [status, words.statuses[status]] as const);
  return html`<form method="get" role="search" hx-get="shipments" hx-target="#results" hx-swap="outerHTML"
 hx-trigger="submit, change, input changed delay:400ms from:#q, again" hx-sync="replace" hx-push-url="true">
${field('q', texts.search, { type: 'search', value: value('q'), hint: texts.searchHint })}
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
): Promise<{ count: string; list: Html }> {
  const { words, query, account } = visit;
  const page = Math.max(1, Math.min(1_000_000, Math.trunc(Number(query.get('page'))) || 1));
  const text = query.get('q')?.trim() ?? '';
  const { rows, total, hasMore } =
    text === '' ? await listed(visit, licenses, page) : await searchedFor(visit, licenses, page);
  const { shipments: texts } = words;
  const counts = hasMore ? texts.newest : texts.total;
  const count = { count: new Intl.NumberFormat(words.locale, { numberingSystem: 'latn' }).format(total) };
  const all = html`<input type="checkbox" class="all" data-all="uuid" aria-label="${texts.chooseAll}">`;
  const list = table(words, texts.title, rows, [
    [html`${texts.chosen} ${all}`, (one) => choice(one, words)],
    [
      words.trackingCode,
      ({ uuid, trackingCode }) => html`<a href="shipments/${uuid}">${code(trackingCode ?? words.none)}</a>`,
    ],
    ...chosenColumns(visit, licenses).map(([, column]) => column),
  ]);
  const refused = text === '' ? null : await refusedOf(visit, text);
  const results = html`<div id="results" tabindex="-1">
${refused}
<div class="actions">${columnChoice(visit)}
${exporting(visit, licenses)}</div>
<form method="post" action="/panel/a/${account.id}/shipments/labels">
${list}
${pages(visit, page, Math.ceil(total / (text === '' ? pageRows : foundRows)))}
${rows.length === 0 ? null : bulkActions(visit)}
</form></div>`;
  return {
    count: filled(text === '' ? counts : hasMore ? texts.foundSome : texts.found, count),
    list: results,
  };
}

/** The way to the refused creations that the search finds too; null where there are none. */
async function refusedOf({ app, account, words }: AccountVisit, text: string): Promise<Html | null> {
  const [first] = await listRefused(app.db, { accountId: account.id, text, limit: 1 });
  if (first === undefined) return null;
  const query = new URLSearchParams({ q: text });
  return html`<p><a href="/panel/a/${account.id}/refused?${query.toString()}">${words.parcel.refusedFound}</a></p>`;
}

/** The license of the filter, else all. */
function chosenLicenses(
  query: URLSearchParams,
  licenses: readonly LicenseSummary[],
): readonly LicenseSummary[] {
  const wanted = query.get('license') ?? '';
  return wanted === '' ? licenses : licenses.filter(({ id }) => String(id) === wanted);
}

async function listed(
  { app, account, query }: AccountVisit,
  licenses: readonly LicenseSummary[],
  page: number,
) {
  return await listShipments(app.db, {
    accountId: account.id,
    licenseIds: chosenLicenses(query, licenses).map(({ id }) => id),
    filter: filterOf(query),
    sort: { column: 'created_at', descending: true },
    page,
    perPage: pageRows,
    counted,
  });
}

async function searchedFor(
  { app, account, query }: AccountVisit,
  licenses: readonly LicenseSummary[],
  page: number,
) {
  return await searchShipments(app.db, {
    accountId: account.id,
    licenseIds: chosenLicenses(query, licenses).map(({ id }) => id),
    filter: filterOf(query),
    text: (query.get('q')?.trim() ?? '').slice(0, 191),
    looked: searched,
    page,
    perPage: foundRows,
  });
}

function filterOf(query: URLSearchParams): ShipmentFilter {
  const status = query.get('status') ?? '';
  const label = query.get('label') ?? '';
  const createdFrom = israelDayStart(query.get('from') ?? '');
  const createdTo = israelDayEnd(query.get('to') ?? '');
  return {
    ...(isStatusCode(status) ? { status } : {}),
    ...(label === '' ? {} : { labelGenerated: label === 'true' }),
    ...(createdFrom === null ? {} : { createdFrom }),
    ...(createdTo === null ? {} : { createdTo }),
  };
}

function choice({ uuid, trackingCode, order }: ShipmentRecord, words: Words): Part {
  if (trackingCode === null) return null;
  const label = filled(words.shipments.choose, { order: order.number });
  return html`<input type="checkbox" name="uuid" value="${uuid}" aria-label="${label}">`;
}

function pages({ words, query }: AccountVisit, page: number, last: number): Html | null {
  const link = (to: number, text: string) =>
    html`<a href="${queryWith(query, { page: String(to) })}">${text}</a> `;
  if (last < 2) return null;
  return html`<nav class="pages" aria-label="${words.pages}">${page > 1 ? link(page - 1, words.previous) : null}
<span>${page} / ${last}</span> ${page < last ? link(page + 1, words.next) : null}</nav>`;
}

/** What exports the list's shipments: one button a license. Null where no export has the list's filter. */
function exporting(visit: AccountVisit, licenses: readonly LicenseSummary[]): Html | null {
  const { words, query, user, account } = visit;
  const value = (name: string) => query.get(name) ?? '';
  const filter = filterOf(query);
  const usable = chosenLicenses(query, licenses).filter((one) => isUsable(one, nowIso()));
  const has = value('q').trim() === '' && stateOf(filter) === 'created' && usable.length > 0;
  if (!has || !may(user.role, 'manage')) return null;
  const { exports: texts } = words;
  const formats = Object.entries({ xlsx: texts.workbook, csv: texts.csv });
  const fields = [
    ['created_from', filter.createdFrom && value('from')],
    ['created_to', filter.createdTo && value('to')],
    ['status', filter.status],
    ['label', value('label')],
  ] as const;
  return html`<details><summary class="button">${texts.create}</summary>
<form method="post" class="card">
<p>${filled(texts.intro, { email: account.email })}</p>
${fields.map(([name, text = '']) => html`<input type="hidden" name="${name}" value="${text}">`)}
${select('format', texts.format, formats)}
<div class="actions">${usable.map(
    (license) =>
      html`<button formaction="${inLicense({ account, license }, '/exports')}">${texts.create}: <bdi>${license.name}</bdi></button>`,
  )}</div>
</form></details>`;
}

export const shipmentScreens = [list, ...columnScreens];
