import { phoneKey } from '../../../domain/phone.js';
import type { Executor, SqlValue } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import {
  accounts,
  batches,
  batchItems,
  licenses,
  orderItems,
  orders,
  shipments,
} from '../../tables/index.js';
import { contains, patternOf } from '../keyset.js';

const s = shipments.as('s');
const o = orders.as('o');
const REFUSED = shape({
  id: s.id,
  uuid: s.uuid,
  accountId: s.accountId,
  merchant: accounts.as('m').name,
  license: licenses.as('l').name,
  orderNumber: o.number,
  recipient: s.recipientName,
  city: s.recipientCity,
  /** Why: the carrier's words, an operator's, or what our checks say. */
  reason: s.statusDescription,
  createdAt: s.createdAt,
});

/** A creation that ended without a parcel. */
export type RefusedShipment = Selected<typeof REFUSED>;

/** Which refused creations: of one account or of all, with a text in order, phone or name, before a row id. */
interface RefusedFilter {
  accountId: number | null;
  text: string;
  after?: number;
  limit: number;
}

/** Without parcels that the carrier booked all the same, which operators handle. */
const IS_REFUSED = `s.state = 'refused' AND NOT EXISTS (
  SELECT 1 FROM carrier_attempts a WHERE a.shipment_uuid = s.uuid AND a.operation = 'book' AND a.state = 'accepted')`;

/** The creations that were refused or given up, as long as their rows are kept, newest first. */
export async function listRefused(
  db: Executor,
  { accountId, text, after, limit }: RefusedFilter,
): Promise<RefusedShipment[]> {
  const conditions = [IS_REFUSED];
  const params: SqlValue[] = [];
  const add = (condition: string, ...values: SqlValue[]) => {
    conditions.push(condition);
    params.push(...values);
  };
  if (accountId !== null) add('s.account_id = ?', accountId);
  if (after !== undefined) add('s.id < ?', after);
  if (text !== '') {
    add(
      `(o.order_id = ? OR o.number = ? OR s.recipient_phone_key = ? OR ${contains('s.recipient_name')})`,
      text,
      text,
      phoneKey(text) || '-',
      patternOf(text),
    );
  }
  const key = accountId === null ? 'shipments_reserved' : 'shipments_created';
  return await REFUSED.select(
    db,
    `FROM shipments s FORCE INDEX (${key}) JOIN orders o ON o.id = s.order_id
     JOIN accounts m ON m.id = s.account_id JOIN licenses l ON l.id = s.license_id
     WHERE ${conditions.join(' AND ')} ORDER BY s.created_at DESC, s.id DESC LIMIT ?`,
    [...params, limit],
  );
}

const SOURCE = shape({
  licenseId: s.licenseId,
  orderId: o.orderId,
  orderNumber: o.number,
  serviceType: s.serviceType,
  details: s.details,
  /** The order's value, a decimal text. */
  total: o.total,
  currency: o.currency,
  orderRowId: s.orderId,
});

/** What was asked for with a shipment of the account, in any state; null where there is none. */
export async function findSource(db: Executor, { accountId, uuid }: { accountId: number; uuid: string }) {
  return await SOURCE.first(
    db,
    'FROM shipments s JOIN orders o ON o.id = s.order_id WHERE s.uuid = ? AND s.account_id = ?',
    [uuid, accountId],
  );
}

const ITEM = orderItems.pick('name', 'sku', 'variation', 'quantity', 'total');

/** The lines of an order. */
export async function listOrderLines(db: Executor, orderId: number) {
  return await orderItems.find(db, ITEM, { orderId }, 'ORDER BY position');
}

/** The license that the account has used last; null before its first shipment. */
export async function findLastLicense(db: Executor, accountId: number): Promise<number | null> {
  return await s.licenseId.first(
    db,
    `FROM shipments s FORCE INDEX (shipments_created)
     WHERE s.account_id = ? AND s.state = 'created' ORDER BY s.created_at DESC, s.id DESC LIMIT 1`,
    [accountId],
  );
}

const i = batchItems.as('i');
const b = batches.as('b');

/** The JSON of a batch's item as it was sent, and its license; null where it is not kept. */
export async function findSentItem(
  db: Executor,
  { accountId, batch, position }: { accountId: number; batch: string; position: number },
) {
  return await shape({ payload: i.payload, licenseId: b.licenseId }).first(
    db,
    `FROM batches b JOIN batch_items i ON i.batch_id = b.id AND i.position = ?
     WHERE b.uuid = ? AND b.account_id = ?`,
    [position, batch, accountId],
  );
}
