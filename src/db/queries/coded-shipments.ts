import type { ShipmentRecord } from '../../domain/shipment.js';
import type { Executor } from '../database.js';
import { int } from '../row.js';
import { MAX_ORDER_SHIPMENTS, SHIPMENT_COLUMNS, toShipment } from './shipments.js';

// The tables are joined as written: with few carriers the planner would begin with theirs.

/** Whose shipments a tracking code may name. */
export interface CodeScope {
  accountId: number;
  /** Shipments of this license, and those whose order is the license's. */
  licenseId: number;
  /** Beside them every shipment of this account; null for none. */
  widenedTo: number | null;
}

/**
 * The created shipments that these tracking codes (case-sensitive) name, by their code; codes that name none are left
 * out. Where several have one code, the license's own go first, then the newest.
 */
export async function mapShipmentsByCode(
  db: Executor,
  { accountId, licenseId, widenedTo }: CodeScope,
  codes: readonly string[],
): Promise<Map<string, ShipmentRecord>> {
  if (codes.length === 0) return new Map();
  // Each code on its own: given several at once, the planner reads all shipments of a license.
  const coded = `SELECT c.id FROM licenses l
    STRAIGHT_JOIN shipments c FORCE INDEX (shipments_license_code) ON c.license_id = l.id AND c.tracking_code = ?
    WHERE l.account_id IN (?, ?)`;
  const rows = await db.select(
    `SELECT ${SHIPMENT_COLUMNS}
     FROM (${codes.map(() => coded).join(' UNION ALL ')}) coded
     STRAIGHT_JOIN shipments s ON s.id = coded.id
     STRAIGHT_JOIN orders o ON o.id = s.order_id
     STRAIGHT_JOIN carriers r ON r.id = s.carrier_id
     WHERE s.state = 'created' AND (s.license_id = ? OR o.license_id = ? OR s.account_id = ?)
     ORDER BY s.license_id <> ?, s.id DESC`,
    [
      ...codes.flatMap((code) => [code, accountId, widenedTo ?? accountId]),
      licenseId,
      licenseId,
      widenedTo,
      licenseId,
    ],
  );
  const found = new Map<string, ShipmentRecord>();
  for (const shipment of rows.map(toShipment)) {
    const { trackingCode } = shipment;
    if (trackingCode !== null && !found.has(trackingCode)) found.set(trackingCode, shipment);
  }
  return found;
}

/** A refused creation of an order that was not there before leaves a row that nobody else is to meet. */
const IS_SHIPPED = `EXISTS (SELECT 1 FROM shipments s WHERE s.order_id = orders.id AND s.state = 'created')`;

/**
 * Row id of the license's order with this id or number of the store's that was ever shipped; of several the newest. Null
 * when there is none.
 */
export async function findOrderByIdOrNumber(
  db: Executor,
  { licenseId, idOrNumber }: { licenseId: number; idOrNumber: string },
): Promise<number | null> {
  const [row] = await db.select(
    `SELECT GREATEST(
       COALESCE((SELECT id FROM orders WHERE license_id = ? AND order_id = ? AND ${IS_SHIPPED}), 0),
       COALESCE((SELECT MAX(id) FROM orders WHERE license_id = ? AND number = ? AND ${IS_SHIPPED}), 0)
     ) AS id`,
    [licenseId, idOrNumber, licenseId, idOrNumber],
  );
  return row === undefined ? null : int(row, 'id') || null;
}

/**
 * The newest created shipments of the license's orders with these ids of the store's, of each order at most
 * {@link MAX_ORDER_SHIPMENTS}.
 */
export async function listShipmentsOfOrders(
  db: Executor,
  { licenseId, orderIds }: { licenseId: number; orderIds: readonly string[] },
): Promise<ShipmentRecord[]> {
  if (orderIds.length === 0) return [];
  const ofOrder = `(SELECT n.id FROM orders m STRAIGHT_JOIN shipments n ON n.order_id = m.id
    WHERE m.license_id = ? AND m.order_id = ? AND n.state = 'created'
    ORDER BY n.id DESC LIMIT ${MAX_ORDER_SHIPMENTS})`;
  const rows = await db.select(
    `SELECT ${SHIPMENT_COLUMNS}
     FROM (${orderIds.map(() => ofOrder).join(' UNION ALL ')}) newest
     STRAIGHT_JOIN shipments s ON s.id = newest.id
     STRAIGHT_JOIN orders o ON o.id = s.order_id
     STRAIGHT_JOIN carriers r ON r.id = s.carrier_id
     ORDER BY s.id DESC`,
    orderIds.flatMap((orderId) => [licenseId, orderId]),
  );
  return rows.map(toShipment);
}
