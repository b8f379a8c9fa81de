import type { LicenseSummary } from '../../../../db/queries/accounts/accounts.js';
import { type Html, html, type Part } from '../../../../domain/html.js';
import type { ShipmentRecord } from '../../../../domain/shipment.js';
import { code, moment } from '../layout.js';
import { checks, state } from '../parts.js';
import { type AccountVisit, accountScreen } from '../screen.js';
import type { Words } from '../words/en.js';

/** What cells are made of beside the shipment. */
interface Surroundings {
  words: Words;
  licenses: readonly LicenseSummary[];
}

interface Column {
  name: string;
  title: (words: Words) => string;
  cell: (shipment: ShipmentRecord, around: Surroundings) => Part;
}

/** Beside the tracking code, which leads to the parcel and is always there. */
const COLUMNS: readonly Column[] = [
  { name: 'order', title: (words) => words.order, cell: ({ order }) => code(order.number) },
  {
    name: 'recipient',
    title: (words) => words.recipient,
    cell: ({ recipient }) => html`<bdi>${recipient.name}</bdi>`,
  },
  { name: 'phone', title: (words) => words.form.phone, cell: ({ recipient }) => code(recipient.phone) },
  {
    name: 'city',
    title: (words) => words.city,
    cell: ({ recipient }) => html`<bdi>${recipient.city}</bdi>`,
  },
  {
    name: 'status',
    title: (words) => words.shipments.status,
    cell: ({ status }, { words }) => state(status.code, words.statuses[status.code]),
  },
  {
    name: 'carrier',
    title: (words) => words.carrier,
    cell: ({ carrier }) => html`<bdi>${carrier.name}</bdi>`,
  },
  {
    name: 'license',
    title: (words) => words.license,
    cell: ({ licenseId }, { licenses }) =>
      html`<bdi>${licenses.find(({ id }) => id === licenseId)?.name ?? ''}</bdi>`,
  },
  { name: 'packages', title: (words) => words.form.packages, cell: ({ packages }) => packages },
  {
    name: 'cod',
    title: (words) => words.form.cod,
    cell: ({ cod }) => (cod === null ? null : code(`${cod.amount} ${cod.currency}`)),
  },
  {
    name: 'label',
    title: (words) => words.shipments.label,
    cell: ({ labelGenerated }, { words }) =>
      labelGenerated ? words.shipments.withLabel : words.shipments.withoutLabel,
  },
  {
    name: 'created',
    title: (words) => words.created,
    cell: ({ createdAt }, { words }) => moment(createdAt, words),
  },
  {
    name: 'delivered',
    title: (words) => words.statuses.delivered,
    cell: ({ deliveredAt }, { words }) => moment(deliveredAt, words),
  },
];
const USUAL = ['order', 'recipient', 'city', 'status', 'carrier', 'created'];

/** The columns that the user has chosen, else the usual ones. */
export function columnsOf({ columns }: Pick<AccountVisit, 'columns'>): readonly Column[] {
  const chosen = COLUMNS.filter(({ name }) => columns.includes(name));
  return chosen.length > 0 ? chosen : COLUMNS.filter(({ name }) => USUAL.includes(name));
}

/** The choice of columns, which leads back to the same list. */
export function columnChoice(visit: AccountVisit): Html {
  const { words, query, account } = visit;
  const options = COLUMNS.map(({ name, title }) => [name, title(words)] as const);
  const chosen = columnsOf(visit).map(({ name }) => name);
  return html`<details><summary class="button">${words.shipments.columns}</summary>
<form method="post" action="/panel/a/${account.id}/shipments/columns" class="card">
<input type="hidden" name="query" value="${query.toString()}">
${checks('column', words.shipments.columns, options, { chosen })}
<button>${words.save}</button>
</form></details>`;
}

const choose = accountScreen('post', '/shipments/columns', 'ship', async ({ account, form }) => {
  const chosen = form.getAll('column');
  const query = new URLSearchParams(form.get('query') ?? '');
  query.delete('notice');
  const columns = COLUMNS.map(({ name }) => name).filter((name) => chosen.includes(name));
  return { to: `/panel/a/${account.id}/shipments?${query.toString()}`, columns };
});

export const columnScreens = [choose];
