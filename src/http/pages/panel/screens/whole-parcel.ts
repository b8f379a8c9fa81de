import { type Html, html } from '../../../../domain/html.js';
import type { ShipmentRecord } from '../../../../domain/shipment.js';
import { contentsOf } from '../../../../services/shipments/asked-again.js';
import { code, facts, table } from '../layout.js';
import type { AccountVisit } from '../screen.js';

/** The parcel's content and way, which the office looks for when the courier calls. */
export async function wholeParcel(
  { app, account, words }: AccountVisit,
  shipment: ShipmentRecord,
): Promise<Html> {
  const contents = await contentsOf(app, account.id, shipment.uuid);
  if (contents === null) return html``;
  const { form: texts, parcel } = words;
  const { lines, note, pickupAddress, value } = contents;
  const { recipient, cod, pickupPointId } = shipment;
  return html`<h2>${parcel.contents}</h2>
${facts([
  [texts.type, shipment.serviceType === 2 ? texts.collection : texts.delivery],
  [texts.packages, shipment.packages],
  [texts.cod, cod === null ? null : code(`${cod.amount} ${cod.currency}`)],
  [parcel.value, code(value)],
  [words.email, code(recipient.email)],
  [texts.entrance, code(recipient.entrance)],
  [texts.floor, code(recipient.floor)],
  [texts.apartment, code(recipient.apartment)],
  [texts.pickup, pickupPointId === null ? null : html`${code(pickupPointId)} <bdi>${pickupAddress}</bdi>`],
  [texts.note, note === '' ? null : html`<bdi>${note}</bdi>`],
])}
${
  lines.length === 0
    ? null
    : html`<h2>${parcel.items}</h2>
${table(words, parcel.items, lines, [
  [
    parcel.itemName,
    ({ name, variation }) => html`<bdi>${[name, variation].filter(Boolean).join(', ')}</bdi>`,
  ],
  [parcel.sku, ({ sku }) => code(sku)],
  [parcel.quantity, ({ quantity }) => quantity],
  [parcel.amount, (line) => code(line.total)],
])}`
}`;
}
