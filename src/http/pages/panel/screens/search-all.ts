import { searchAccounts } from '../../../../db/queries/accounts/accounts.js';
import { searchEverywhere } from '../../../../db/queries/shipments/search-everywhere.js';
import { type Html, html } from '../../../../domain/html.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { code, field, moment, table } from '../layout.js';
import type { Visit } from '../screen.js';
import type { Words } from '../words/en.js';
import { filled } from '../words/words.js';
import { accountsTable } from './accounts-table.js';
import { searchOf } from './found-shipments.js';

const { pageRows } = LIMITS.panel;

/** The box that searches all accounts, on the page that shows what it found or another. */
export function searchBox(words: Words, text: string): Html {
  const { people: texts } = words;
  const options = {
    type: 'search',
    value: text,
    maxlength: 191,
    hint: filled(texts.searchHint, { count: pageRows }),
  };
  return html`<form method="get" action="/panel/accounts" role="search">
<div class="find">${field('q', texts.search, options)}
<button class="second">${words.lists.find}</button></div></form>`;
}

/** Results of the query's search in all accounts; null without one. */
export async function foundEverywhere({ app, words, query }: Visit): Promise<Html | null> {
  const text = searchOf(query);
  if (text === '') return null;
  const { people: texts } = words;
  const parcels = await searchEverywhere(app.db, text, pageRows + 1);
  const accounts = await searchAccounts(app.db, text, pageRows + 1);
  const more = (found: readonly object[]) =>
    found.length > pageRows
      ? html`<p class="hint">${filled(texts.moreFound, { count: pageRows })}</p>`
      : null;
  const list = table(words, texts.foundParcels, parcels.slice(0, pageRows), [
    [
      words.trackingCode,
      ({ shipment: { accountId, uuid, trackingCode } }) =>
        html`<a href="/panel/a/${accountId}/shipments/${uuid}">${code(trackingCode ?? words.none)}</a>`,
    ],
    [
      texts.merchant,
      ({ merchant, shipment: { accountId } }) =>
        html`<a href="/panel/a/${accountId}/shipments"><bdi>${merchant}</bdi></a>`,
    ],
    [words.order, ({ shipment: { order } }) => code(order.number)],
    [words.shipments.status, ({ shipment: { status } }) => words.statuses[status.code]],
    [words.created, ({ shipment: { createdAt } }) => moment(createdAt, words)],
  ]);
  return html`<h2>${texts.foundParcels}</h2>
${list}
${more(parcels)}
<h2>${texts.foundAccounts}</h2>
${accountsTable(words, texts.foundAccounts, accounts.slice(0, pageRows))}
${more(accounts)}`;
}
