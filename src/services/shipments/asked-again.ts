import { findSentItem, findSource, listOrderLines } from '../../db/queries/shipments/shipment-sources.js';
import { isUuid } from '../../lib/ids.js';
import { jsonOf, textAt } from '../../lib/json.js';
import type { App } from '../app.js';

/** Fields of API v2's `ship_data` that people fill in. */
export const SHIP_FIELDS = [
  'contact_name',
  'contact_phone',
  'contact_mail',
  'street',
  'number',
  'apartment',
  'floor',
  'entrance',
  'city',
  'pickup',
  'note',
  'exaction_date',
] as const;

type FieldName = (typeof SHIP_FIELDS)[number] | 'order' | 'packages' | 'cod' | 'type';

/** An earlier request by the names of its fields; empty texts are unknown. */
export interface AskedFor {
  licenseId: number;
  fields: Partial<Record<FieldName, string>>;
}

/** Where a new shipment takes its data from. */
export type Origin =
  | { kind: 'shipment' | 'return'; uuid: string }
  | { kind: 'item'; batch: string; position: number };

/**
 * The data of an earlier request of the account, to be asked for again. `return`: the parcel comes back from its
 * recipient. Null where the account has none, or it is not kept any more.
 */
export async function askedBefore(
  { db }: Pick<App, 'db'>,
  accountId: number,
  origin: Origin,
): Promise<AskedFor | null> {
  if (!isUuid(origin.kind === 'item' ? origin.batch : origin.uuid)) return null;
  if (origin.kind === 'item') {
    const item = await findSentItem(db, { accountId, batch: origin.batch, position: origin.position });
    if (item === null || item.payload === null) return null;
    return { licenseId: item.licenseId, fields: ofPayload(jsonOf(Buffer.from(item.payload))) };
  }
  const source = await findSource(db, { accountId, uuid: origin.uuid });
  if (source === null) return null;
  const { licenseId, orderId, details } = source;
  const recipient = (name: string) => textAt(details, 'recipient', name);
  const fields = {
    order: orderId,
    contact_name: recipient('name'),
    contact_phone: recipient('phone'),
    contact_mail: recipient('email'),
    street: recipient('street'),
    number: recipient('number'),
    apartment: recipient('apartment'),
    floor: recipient('floor'),
    entrance: recipient('entrance'),
    city: recipient('city'),
    packages: textAt(details, 'packages'),
  };
  if (origin.kind === 'return') return { licenseId, fields: { ...fields, type: '2' } };
  const more = {
    type: String(source.serviceType),
    pickup: textAt(details, 'pickupPointId'),
    note: textAt(details, 'note'),
    cod: textAt(details, 'cod', 'amount'),
  };
  return { licenseId, fields: { ...fields, ...more } };
}

/** A payload is what a caller sent, of any shape. */
function ofPayload(payload: unknown): AskedFor['fields'] {
  const fields: AskedFor['fields'] = {};
  for (const name of [...SHIP_FIELDS, 'packages', 'type'] as const) {
    fields[name] = textAt(payload, 'ship_data', name);
  }
  return {
    ...fields,
    cod: textAt(payload, 'ship_data', 'cod_amount'),
    order: textAt(payload, 'order', 'id'),
  };
}

/** The parts of a shipment that stand in no list: its notes, its pickup point, the order's value and lines. */
export async function contentsOf({ db }: Pick<App, 'db'>, accountId: number, uuid: string) {
  const source = await findSource(db, { accountId, uuid });
  if (source === null) return null;
  const { details, total, currency, orderRowId } = source;
  return {
    note: textAt(details, 'note'),
    pickupAddress: textAt(details, 'pickupAddress'),
    /** Null where the order names none. */
    value: Number(total) > 0 ? `${total} ${currency}` : null,
    lines: await listOrderLines(db, orderRowId),
  };
}
