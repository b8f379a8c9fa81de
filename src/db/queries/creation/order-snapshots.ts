import type { Creation } from '../../../contracts/create-shipment.js';
import { warehouseLocation } from '../../../domain/labels.js';
import type { OrderSnapshot } from '../../../domain/shipment.js';
import { cutText } from '../../../lib/text.js';
import type { Database, Executor } from '../../database.js';
import { orderItems, orders, shipments } from '../../tables/index.js';
import { type ChangesOf, NEXT_TURN } from '../../tables/table.js';

const s = shipments.as('s');

/**
 * Inserts a new order and leaves an existing one unchanged: the carrier may refuse the snapshot's shipment. The row,
 * which is new or takes a turn, serializes shipments of one order.
 */
export async function insertOrder(
  tx: Executor,
  { accountId, licenseId }: Creation,
  order: OrderSnapshot,
): Promise<{ rowId: number; isNew: boolean }> {
  const { insertId, affectedRows } = await orders.insertText(
    tx,
    [{ ...columnsOf(order), accountId, licenseId, orderId: order.id }],
    `ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id), ${NEXT_TURN}`,
  );
  return { rowId: insertId, isNew: affectedRows === 1 };
}

/** Runs {@link writeSnapshot} in its transaction. By uuid: rows that were lost and restored have other ids. */
export async function writeOrder(db: Database, uuid: string, order: OrderSnapshot): Promise<void> {
  await db.transaction(async (tx) => {
    const columns = shipments.pick('id', 'orderId');
    const found = await shipments.findOne(tx, columns, { uuid, accountId: undefined });
    if (found === null) return;
    await lockOrder(tx, found.orderId);
    await writeSnapshot(tx, { rowId: found.orderId, shipmentId: found.id }, order);
  });
}

/** An order's row, and that of one of its shipments. */
interface OrderPlace {
  rowId: number;
  shipmentId: number;
}

/** Serializes creations of one order. */
export async function lockOrder(tx: Executor, rowId: number): Promise<void> {
  await orders.takeTurn(tx, { id: rowId, accountId: undefined });
}

/**
 * Replaces the order's snapshot with that of an accepted creation, unless a later creation was accepted before: an
 * older, slower one has older data. A snapshot without items keeps the items of an accepted creation, not those of a
 * refused one. Idempotent. The order must be locked.
 */
export async function writeSnapshot(tx: Executor, place: OrderPlace, order: OrderSnapshot): Promise<void> {
  const { rowId, shipmentId } = place;
  const other = await s.id.first(
    tx,
    `FROM shipments s WHERE ${s.orderId} = ? AND ${s.state} = 'created' AND ${s.id} <> ?
     ORDER BY ${s.id} DESC LIMIT 1`,
    [rowId, shipmentId],
  );
  const newest = other ?? 0;
  if (newest > shipmentId) return;
  await orders.update(tx, { id: rowId, accountId: undefined }, columnsOf(order));
  if (order.items.length === 0 && newest > 0) return;
  await tx.run('DELETE FROM order_items WHERE order_id = ?', [rowId]);
  await insertItems(tx, rowId, order.items);
}

/** A site that is missing in the snapshot is kept. */
function columnsOf(order: OrderSnapshot): ChangesOf<typeof orders> {
  const { number, status, source, total, currency, externalId, billing, shipping } = order;
  const metaData = order.metaData ?? null;
  const location = warehouseLocation(metaData);
  return {
    number,
    status,
    source,
    total,
    currency,
    externalId,
    billing,
    shipping,
    metaData,
    warehouseLocation: location === null ? null : cutText(location, 255),
    storeSiteId: order.storeSiteId ?? undefined,
  };
}

/** Inserts the items of an order that has none. */
export async function insertItems(tx: Executor, rowId: number, items: OrderSnapshot['items']): Promise<void> {
  const rows = items.map(({ name, sku, variation, quantity, total, virtual: isVirtual }, position) => ({
    orderId: rowId,
    position,
    name,
    sku,
    variation,
    quantity,
    total,
    isVirtual,
  }));
  await orderItems.insertText(tx, rows);
}
