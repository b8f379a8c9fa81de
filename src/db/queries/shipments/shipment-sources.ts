import type { Executor } from '../../database.js';
import { shape } from '../../selection.js';
import { batches, batchItems, orderItems, orders, shipments } from '../../tables/index.js';

const s = shipments.as('s');
const o = orders.as('o');
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

/** The request of a shipment of the account, in any state; null where there is none. */
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
  return await orderItems.find(db, ITEM, { orderId }, { order: ['position'] });
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
