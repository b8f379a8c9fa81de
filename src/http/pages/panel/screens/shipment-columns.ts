import type { LicenseSummary } from '../../../../db/queries/accounts/accounts.js';
import { type Html, html } from '../../../../domain/html.js';
import { publicCarrierName } from '../../../../domain/recipient-words/carrier-names.js';
import type { Language } from '../../../../domain/recipient-words/language.js';
import type { ShipmentRecord } from '../../../../domain/shipment.js';
import { type Column, code, moment } from '../layout.js';
import { checks, state } from '../parts.js';
import { type AccountVisit, accountScreen } from '../screen.js';

/** The carrier as its merchant knows it: by the company of the license, which may have moved to another carrier since. */
export function carrierShown(
  { carrier, licenseId }: ShipmentRecord,
  licenses: readonly LicenseSummary[],
  language: Language,
): string {
  const license = licenses.find(({ id }) => id === licenseId);
  const name = license?.carrier.id === carrier.id ? license.company : carrier.name;
  return publicCarrierName({ ...carrier, name }, language);
}

/** The columns beside the tracking code, which is always there, by the names that browsers keep. */
function columnsIn(
  { words, language }: Pick<AccountVisit, 'words' | 'language'>,
  licenses: readonly LicenseSummary[],
): Record<string, Column<ShipmentRecord>> {
  return {
    status: [words.shipments.status, ({ status }) => state(status.code, words.statuses[status.code])],
    order: [words.order, ({ order }) => code(order.number)],
    recipient: [words.recipient, ({ recipient }) => html`<bdi>${recipient.name}</bdi>`],
    phone: [words.form.phone, ({ recipient }) => code(recipient.phone)],
    city: [words.city, ({ recipient }) => html`<bdi>${recipient.city}</bdi>`],
    carrier: [words.carrier, (shipment) => html`<bdi>${carrierShown(shipment, licenses, language)}</bdi>`],
    license: [
      words.license,
      ({ licenseId }) => html`<bdi>${licenses.find(({ id }) => id === licenseId)?.name ?? ''}</bdi>`,
    ],
    packages: [words.form.packages, ({ packages }) => packages],
    cod: [words.form.cod, ({ cod }) => (cod === null ? null : code(`${cod.amount} ${cod.currency}`))],
    label: [
      words.shipments.label,
      ({ labelGenerated }) => (labelGenerated ? words.shipments.withLabel : words.shipments.withoutLabel),
    ],
    created: [words.created, ({ createdAt }) => moment(createdAt, words)],
    delivered: [words.statuses.delivered, ({ deliveredAt }) => moment(deliveredAt, words)],
  };
}

const USUAL = ['order', 'recipient', 'city', 'status', 'carrier', 'created'];

/** The columns that the user has chosen, else the usual ones, with their names. */
export function chosenColumns(
  { columns, words, language }: Pick<AccountVisit, 'columns' | 'words' | 'language'>,
  licenses: readonly LicenseSummary[],
): [name: string, column: Column<ShipmentRecord>][] {
  const all = Object.entries(columnsIn({ words, language }, licenses));
  const chosen = all.filter(([name]) => columns.includes(name));
  return chosen.length > 0 ? chosen : all.filter(([name]) => USUAL.includes(name));
}

/** The choice of columns, which leads back to the same list. */
export function columnChoice(visit: AccountVisit): Html {
  const { words, query, account } = visit;
  const options = Object.entries(columnsIn(visit, [])).map(([name, [title]]) => [name, title] as const);
  const chosen = chosenColumns(visit, []).map(([name]) => name);
  return html`<details><summary class="button">${words.shipments.columns}</summary>
<form method="post" action="/panel/a/${account.id}/shipments/columns" class="card">
<input type="hidden" name="query" value="${query.toString()}">
${checks('column', words.shipments.columns, options, { chosen })}
<button>${words.save}</button>
</form></details>`;
}

const choose = accountScreen('post', '/shipments/columns', 'ship', async (visit) => {
  const { account, form } = visit;
  const chosen = form.getAll('column');
  const query = new URLSearchParams(form.get('query') ?? '');
  query.delete('notice');
  const columns = Object.keys(columnsIn(visit, [])).filter((name) => chosen.includes(name));
  return { to: `/panel/a/${account.id}/shipments?${query.toString()}`, columns };
});

export const columnScreens = [choose];
