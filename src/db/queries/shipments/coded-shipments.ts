import type { ShipmentRecord } from '../../../domain/shipment.js';
import type { Executor } from '../../database.js';
import { int } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { type Sql, unionOf } from '../../sql.js';
import { companies, licenses } from '../../tables/index.js';
import { MAX_ORDER_SHIPMENTS, SHIPMENT } from './shipments.js';

// The joins keep the written order: with few carriers the planner would begin with their table.

/** The shipments that a tracking code may name. */
export interface CodeScope {
  accountId: number;
  /** Shipments of this license, and of its orders. */
  licenseId: number;
  /** Also every shipment of this account; null for none. */
  widenedTo: number | null;
}

/**
 * The created shipments with these tracking codes (case-sensitive), by code; unknown codes are left out. Of several
 * with one code the license's own go first, then the newest.
 */
export async function mapShipmentsByCode(
  db: Executor,
  { accountId, licenseId, widenedTo }: CodeScope,
  codes: readonly string[],
): Promise<Map<string, ShipmentRecord>> {
  if (codes.length === 0) return new Map();
  // One query per code: with several, the planner reads all shipments of a license.
  const coded = `SELECT c.id FROM licenses l
    STRAIGHT_JOIN shipments c FORCE INDEX (shipments_license_code) ON c.license_id = l.id AND c.tracking_code = ?
    WHERE l.account_id IN (?, ?)`;
  const rows = await SHIPMENT.select(
    db,
    `FROM (${codes.map(() => coded).join(' UNION ALL ')}) coded
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
  for (const shipment of rows) {
    const { trackingCode } = shipment;
    if (trackingCode !== null && !found.has(trackingCode)) found.set(trackingCode, shipment);
  }
  return found;
}

/** Excludes the row that a refused creation of a new order leaves. */
const IS_SHIPPED = `EXISTS (SELECT 1 FROM shipments s WHERE s.order_id = orders.id AND s.state = 'created')`;

/**
 * Row id of the license's order with this id or number of the store that was ever shipped, the newest of several. Null
 * when there is none.
 */
export async function findOrderByIdOrNumber(
  db: Executor,
  { licenseId, idOrNumber }: { licenseId: number; idOrNumber: string },
): Promise<number | null> {
  const newest = expression(
    `GREATEST(
       COALESCE((SELECT id FROM orders WHERE license_id = ? AND order_id = ? AND ${IS_SHIPPED}), 0),
       COALESCE((SELECT MAX(id) FROM orders WHERE license_id = ? AND number = ? AND ${IS_SHIPPED}), 0)
     )`,
    int,
  );
  return (await newest.first(db, '', [licenseId, idOrNumber, licenseId, idOrNumber])) || null;
}

/** Whose orders are listed. */
interface OrderScope {
  licenseId: number;
  /**
   * Adds all orders of this account, except those of other stores, whose ids name other orders. `storeSiteId`: the
   * store of the request, null when unknown. Null for none.
   */
  widenedTo: { accountId: number; storeSiteId: number | null } | null;
}

const LICENSED = shape({
  shipment: SHIPMENT,
  licenseKey: licenses.as('k').licenseKey,
  company: companies.as('y').name,
}).map(({ shipment, ...license }) => ({ ...shipment, ...license }));
const LICENSED_TABLES = `STRAIGHT_JOIN orders o ON o.id = s.order_id
     STRAIGHT_JOIN carriers r ON r.id = s.carrier_id
     STRAIGHT_JOIN licenses k ON k.id = s.license_id
     STRAIGHT_JOIN companies y ON y.id = k.company_id`;

/** A shipment with the key of its license, and the name of the license's company. */
export type LicensedShipment = Selected<typeof LICENSED>;

/**
 * The newest created shipments of the orders with these store ids, newest first, at most {@link MAX_ORDER_SHIPMENTS} of
 * each id.
 */
export async function listShipmentsOfOrders(
  db: Executor,
  { licenseId, widenedTo }: OrderScope,
  orderIds: readonly string[],
): Promise<LicensedShipment[]> {
  if (orderIds.length === 0) return [];
  const ofLicense = `orders m STRAIGHT_JOIN shipments n ON n.order_id = m.id
    WHERE m.license_id = ? AND m.order_id = ?`;
  const ofAccount = `licenses l STRAIGHT_JOIN orders m ON m.license_id = l.id
    STRAIGHT_JOIN shipments n ON n.order_id = m.id
    WHERE l.account_id = ? AND l.id <> ? AND m.order_id = ? AND (m.store_site_id IS NULL OR m.store_site_id = ?)`;
  const newest = (where: string) =>
    `SELECT n.id FROM ${where} AND n.state = 'created' ORDER BY n.id DESC LIMIT ${MAX_ORDER_SHIPMENTS}`;
  const parts: Sql[] = orderIds.map((orderId) => ({ sql: newest(ofLicense), params: [licenseId, orderId] }));
  if (widenedTo !== null) {
    const { accountId, storeSiteId } = widenedTo;
    const sql = newest(ofAccount);
    for (const orderId of orderIds) parts.push({ sql, params: [accountId, licenseId, orderId, storeSiteId] });
  }
  const { sql, params } = unionOf(parts);
  return await LICENSED.select(
    db,
    `FROM (${sql}) newest
     STRAIGHT_JOIN shipments s ON s.id = newest.id ${LICENSED_TABLES}
     ORDER BY s.id DESC`,
    params,
  );
}

/** A created shipment by row id, in any account; null when there is none. */
export async function findLicensedShipment(
  db: Executor,
  shipmentId: number,
): Promise<LicensedShipment | null> {
  return await LICENSED.first(
    db,
    `FROM shipments s ${LICENSED_TABLES} WHERE s.id = ? AND s.state = 'created'`,
    [shipmentId],
  );
}
