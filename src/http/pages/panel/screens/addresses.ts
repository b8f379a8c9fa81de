import {
  countAddresses,
  findAddress,
  findAddresses,
  type KeptAddress,
} from '../../../../db/queries/kept/addresses.js';
import { type Html, html } from '../../../../domain/html.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { ADDRESS_FIELDS, addressFields, keepAddress, removeAddress } from '../../../../services/kept/kept.js';
import { filledFields } from '../form.js';
import { code, field, table } from '../layout.js';
import { alert, chosen, confirmed } from '../parts.js';
import { type AccountVisit, accountForm, accountScreen, type ScreenPage } from '../screen.js';
import type { Refusal } from '../told.js';

const ADDRESSES_FOUND = 8;

const FIELDS = ['contact_name', 'contact_phone', 'contact_mail', 'street', 'number', 'city'] as const;
const NAMES = [...FIELDS, 'entrance', 'floor', 'apartment'] as const;

function placeOf({ street, number, city }: KeptAddress): string {
  return [[street, number].filter(Boolean).join(' '), city].filter(Boolean).join(', ');
}

const list = accountScreen('get', '/addresses', 'ship', (visit) => listPage(visit));

async function listPage(visit: AccountVisit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { app, account, words, query } = visit;
  const { kept: texts } = words;
  const here = `/panel/a/${account.id}`;
  const text = query.get('q')?.trim() ?? '';
  const found = await findAddresses(app.db, {
    accountId: account.id,
    text,
    limit: LIMITS.panel.listRows,
  });
  const removal = { button: words.remove, question: texts.removeAddress };
  const addresses = table(words, texts.addresses, found, [
    [words.name, ({ name }) => html`<bdi>${name}</bdi>`],
    [words.form.phone, ({ phone }) => code(phone)],
    [words.city, (one) => html`<bdi>${placeOf(one)}</bdi>`],
    [
      words.form.type,
      ({ id }) =>
        html`<a href="${here}/shipments/new?address=${id}">${texts.shipTo}</a> · <a href="${here}/shipments/new?address=${id}&amp;type=2">${texts.collectFrom}</a>`,
    ],
    [words.remove, ({ id }) => confirmed(`${here}/addresses/remove`, removal, chosen('id', String(id)))],
  ]);
  return {
    title: texts.addresses,
    main: html`<p>${texts.addressesIntro}</p>
<form method="get" role="search" class="row">${field('q', texts.search, { type: 'search', value: text })}<button>${words.show}</button></form>
${addresses}
${newForm(visit, refusal)}`,
  };
}

function newForm({ account, words, form }: AccountVisit, refusal: Refusal | null): Html {
  const labels: Record<(typeof NAMES)[number], string> = {
    contact_name: words.name,
    contact_phone: words.form.phone,
    contact_mail: words.email,
    street: words.form.street,
    number: words.form.number,
    city: words.city,
    entrance: words.form.entrance,
    floor: words.form.floor,
    apartment: words.form.apartment,
  };
  return html`<details${refusal === null ? null : html` open`}><summary>${words.kept.new}</summary>
<form method="post" action="/panel/a/${account.id}/addresses" class="sheet">
${alert(refusal)}
${NAMES.map((name) =>
  field(name, labels[name], {
    value: form.get(name) ?? '',
    required: name === 'contact_name' || name === 'contact_phone',
    ltr: name === 'contact_phone' || name === 'contact_mail',
    maxlength: ADDRESS_FIELDS[name][1],
    error: refusal?.fields[name]?.[0],
  }),
)}
<button>${words.kept.keep}</button>
</form></details>`;
}

const keep = accountForm('/addresses', 'ship', listPage, async ({ app, account, form }) => {
  await keepAddress(app, account.id, filledFields(form, NAMES));
  return { to: `/panel/a/${account.id}/addresses`, notice: 'saved' };
});

const remove = accountScreen('post', '/addresses/remove', 'ship', async ({ app, account, form }) => {
  await removeAddress(app, account.id, Number(form.get('id')) || 0);
  return { to: `/panel/a/${account.id}/addresses`, notice: 'deleted' };
});

/**
 * The search for a kept address above the form of a new shipment; null where the account has kept none. Enter in it
 * searches; its results send the form of the shipment, by its id, and lose nothing that was typed there.
 */
export async function addressSearch(visit: AccountVisit): Promise<Html | null> {
  const { app, account, words, query } = visit;
  if ((await countAddresses(app.db, account.id)) === 0) return null;
  const { kept: texts } = words;
  const here = `/panel/a/${account.id}/shipments`;
  const text = query.get('find')?.trim() ?? '';
  return html`<form method="get" action="${here}/new" role="search" class="row" hx-get="${here}/addresses" hx-target="#addresses" hx-swap="outerHTML"
 hx-trigger="input changed delay:300ms from:#find, submit">${field('find', texts.find, { type: 'search', value: text, hint: texts.search })}<button class="second">${words.show}</button></form>
${await foundPart(visit, text)}`;
}

async function foundPart({ app, account, words }: AccountVisit, text: string): Promise<Html> {
  if (text === '') return html`<div id="addresses" role="status"></div>`;
  const limit = ADDRESSES_FOUND;
  const found = await findAddresses(app.db, { accountId: account.id, text, limit });
  const button = (one: KeptAddress) =>
    html`<li><button form="ship" formaction="/panel/a/${account.id}/shipments/filled" formnovalidate class="plain" name="address" value="${one.id}"><bdi>${one.name}</bdi> · <bdi dir="ltr">${one.phone}</bdi> · <bdi>${placeOf(one)}</bdi></button></li>`;
  return html`<div id="addresses" role="status">${found.length === 0 ? html`<p class="nothing">${words.kept.nobody}</p>` : html`<ul>${found.map(button)}</ul>`}</div>`;
}

/** The part that script asks for while one types. */
const found = accountScreen('get', '/shipments/addresses', 'ship', async (visit) => {
  const part = await foundPart(visit, visit.query.get('find')?.trim() ?? '');
  return { title: visit.words.kept.addresses, main: part, part };
});

/** The fields of the address that is named; none where none is. */
export async function chosenAddress(
  { app, account }: AccountVisit,
  named: URLSearchParams,
): Promise<Record<string, string>> {
  const id = Number(named.get('address'));
  if (!Number.isSafeInteger(id) || id <= 0) return {};
  const address = await findAddress(app.db, { accountId: account.id, id });
  return address === null ? {} : addressFields(address);
}

export const addressScreens = [list, keep, remove, found];
