import { phoneKey } from '../../../domain/phone.js';
import type { ShipmentRecord } from '../../../domain/shipment.js';
import type { Executor, SqlValue } from '../../database.js';
import { SHIPMENT, SHIPMENT_TABLES } from './shipments.js';

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
  const parts = [...byCode(search), byPhone(search), byName(accountId, text, newest)];
  return await SHIPMENT.select(
    db,
    `FROM (${parts.map(({ sql }) => sql).join(' UNION ')}) found
     STRAIGHT_JOIN ${SHIPMENT_TABLES} ON s.id = found.id
     WHERE s.account_id = ? AND s.state <> 'refused' ORDER BY s.id DESC LIMIT ${limit}`,
    [...parts.flatMap(({ params }) => params), accountId],
  );
}

interface Part {
  sql: string;
  params: SqlValue[];
}

function byCode({ accountId, text }: ShipmentSearch): Part[] {
  // MySQL refuses to compare ASCII columns with other letters.
  const code = /^[ -~]*$/.test(text) ? text : '';
  const orders = (column: string, key: string) => ({
    sql: `SELECT t.id FROM licenses l
      STRAIGHT_JOIN orders n FORCE INDEX (${key}) ON n.license_id = l.id AND n.${column} = ?
      STRAIGHT_JOIN shipments t FORCE INDEX (shipments_order) ON t.order_id = n.id WHERE l.account_id = ?`,
    params: [text, accountId],
  });
  return [
    { sql: 'SELECT id FROM shipments WHERE uuid = ?', params: [code.toLowerCase()] },
    { sql: 'SELECT id FROM shipments WHERE short_tracking_code = ?', params: [code.toUpperCase()] },
    {
      sql: `SELECT t.id FROM licenses l STRAIGHT_JOIN shipments t FORCE INDEX (shipments_license_code)
        ON t.license_id = l.id AND t.tracking_code = ? WHERE l.account_id = ?`,
      params: [text, accountId],
    },
    orders('order_id', 'orders_store_id'),
    orders('number', 'orders_number'),
  ];
}

function byPhone({ text }: ShipmentSearch): Part {
  return {
    sql: 'SELECT id FROM shipments FORCE INDEX (shipments_recipient) WHERE recipient_phone_key = ?',
    params: [phoneKey(text) || '-'],
  };
}

function byName(accountId: number, text: string, newest: number): Part {
  return {
    sql: `SELECT n.id FROM (SELECT id FROM shipments FORCE INDEX (shipments_created)
        WHERE account_id = ? AND state = 'created' ORDER BY created_at DESC, id DESC LIMIT ${newest}) n
      STRAIGHT_JOIN shipments t ON t.id = n.id WHERE t.recipient_name COLLATE utf8mb4_unicode_ci LIKE ?`,
    params: [accountId, `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`],
  };
}
