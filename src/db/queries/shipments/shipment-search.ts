import { phoneKey } from '../../../domain/phone.js';
import type { ShipmentRecord } from '../../../domain/shipment.js';
import type { Executor } from '../../database.js';
import { shape } from '../../selection.js';
import type { Sql } from '../../sql.js';
import { shipments } from '../../tables/index.js';
import { SHIPMENT, SHIPMENT_TABLES } from './shipments.js';

/** The ids of the shipments with one name, each a statement; a WHERE may limit the last three to licenses `l`. */
export const IDS_BY = {
  uuid: 'SELECT id FROM shipments WHERE uuid = ?',
  shortCode: 'SELECT id FROM shipments WHERE short_tracking_code = ?',
  trackingCode: `SELECT t.id FROM licenses l
    STRAIGHT_JOIN shipments t FORCE INDEX (shipments_license_code) ON t.license_id = l.id AND t.tracking_code = ?`,
  orderId: `SELECT t.id FROM licenses l
    STRAIGHT_JOIN orders n FORCE INDEX (orders_store_id) ON n.license_id = l.id AND n.order_id = ?
    STRAIGHT_JOIN shipments t FORCE INDEX (shipments_order) ON t.order_id = n.id`,
  orderNumber: `SELECT t.id FROM licenses l
    STRAIGHT_JOIN orders n FORCE INDEX (orders_number) ON n.license_id = l.id AND n.number = ?
    STRAIGHT_JOIN shipments t FORCE INDEX (shipments_order) ON t.order_id = n.id`,
};

/** The name for a comparison with an ASCII column, which MySQL refuses with other letters; empty where it has some. */
export function asciiOf(name: string): string {
  return /^[ -~]*$/.test(name) ? name : '';
}

/** A condition that the column has the text of {@link patternOf} in it. Ignores case, as people search. */
export function contains(column: string): string {
  return `${column} COLLATE utf8mb4_unicode_ci LIKE ?`;
}

/** The value for {@link contains}. */
export function patternOf(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** What to look for among an account's shipments. */
interface ShipmentSearch {
  accountId: number;
  text: string;
  /** The newest shipments among which a name is looked for: no key holds names. */
  newest: number;
  limit: number;
}

/**
 * An account's shipments, also those that wait, with this uuid, tracking code, order or phone, or a recipient whose name
 * has the text in it, newest first.
 */
export async function searchShipments(db: Executor, search: ShipmentSearch): Promise<ShipmentRecord[]> {
  const { accountId, text, newest, limit } = search;
  const parts: Sql[] = [
    { sql: IDS_BY.uuid, params: [asciiOf(text).toLowerCase()] },
    { sql: IDS_BY.shortCode, params: [asciiOf(text).toUpperCase()] },
    ...[IDS_BY.trackingCode, IDS_BY.orderId, IDS_BY.orderNumber].map((sql) => ({
      sql: `${sql} WHERE l.account_id = ?`,
      params: [text, accountId],
    })),
    {
      sql: 'SELECT id FROM shipments FORCE INDEX (shipments_recipient) WHERE recipient_phone_key = ?',
      params: [phoneKey(text) || '-'],
    },
    {
      sql: `SELECT n.id FROM (SELECT id FROM shipments FORCE INDEX (shipments_created)
          WHERE account_id = ? AND state = 'created' ORDER BY created_at DESC, id DESC LIMIT ${newest}) n
        STRAIGHT_JOIN shipments t ON t.id = n.id WHERE ${contains('t.recipient_name')}`,
      params: [accountId, patternOf(text)],
    },
  ];
  return await SHIPMENT.select(
    db,
    `FROM (${parts.map(({ sql }) => sql).join(' UNION ')}) found
     STRAIGHT_JOIN ${SHIPMENT_TABLES} ON s.id = found.id
     WHERE s.account_id = ? AND s.state <> 'refused' ORDER BY s.id DESC LIMIT ${limit}`,
    [...parts.flatMap(({ params }) => params), accountId],
  );
}

const s = shipments.as('s');

/** Uuid and account of the shipments with a uuid or carrier's tracking code, two at most. */
export async function findShipmentOwner(db: Executor, name: string) {
  return await shape({ uuid: s.uuid, accountId: s.accountId }).select(
    db,
    `FROM (${IDS_BY.uuid} UNION ${IDS_BY.trackingCode}) found
     JOIN shipments s ON s.id = found.id ORDER BY s.id LIMIT 2`,
    [asciiOf(name).toLowerCase(), name],
  );
}
