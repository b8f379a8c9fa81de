import { phoneKey } from '../../../domain/phone.js';
import type { Executor, SqlValue } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import type { Sql } from '../../sql.js';
import { accounts, licenses, orders, shipments } from '../../tables/index.js';
import { allOf, contains, patternOf } from '../keyset.js';
import { IDS_BY } from './shipment-search.js';

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

/** Which refused creations: of one account or of all, before a row id; with a text, those that {@link found} finds. */
interface RefusedFilter {
  accountId: number | null;
  text: string;
  /** Among how many of the newest a name is looked for, and how many with a phone are looked at. */
  looked: number;
  after?: number;
  limit: number;
}

/** Parcels that the carrier booked all the same are left to operators. Along keys, so that the order of the list is kept. */
const NOT_BOOKED = `LEFT JOIN carrier_attempts a FORCE INDEX (carrier_attempts_once)
  ON a.shipment_uuid = s.uuid AND a.operation = 'book' AND a.state = 'accepted'`;

/** The creations that were refused or given up, as long as their rows are kept, newest first. */
export async function listRefused(db: Executor, filter: RefusedFilter): Promise<RefusedShipment[]> {
  const { accountId, text, after, limit } = filter;
  // Where the page begins in the key; the row may be gone by now.
  const createdAt = 'COALESCE((SELECT c.created_at FROM shipments c WHERE c.id = ?), NOW(6))';
  const where = allOf([
    ["s.state = 'refused' AND a.id IS NULL"],
    ['s.account_id = ?', accountId ?? undefined],
    [`s.created_at <= ${createdAt} AND (s.created_at < ${createdAt} OR s.id < ?)`, after, after, after],
  ]);
  const from: Sql =
    text === '' ? { sql: `shipments s FORCE INDEX (${keyOf(accountId)})`, params: [] } : found(filter);
  // The page first: joined at once, all that were ever refused are sorted.
  return await REFUSED.select(
    db,
    `FROM (SELECT s.id FROM ${from.sql} ${NOT_BOOKED} WHERE ${where.sql}
       ORDER BY s.created_at DESC, s.id DESC LIMIT ?) page
     STRAIGHT_JOIN shipments s ON s.id = page.id JOIN orders o ON o.id = s.order_id
     JOIN accounts m ON m.id = s.account_id JOIN licenses l ON l.id = s.license_id
     ORDER BY s.created_at DESC, s.id DESC`,
    [...from.params, ...where.params, limit],
  );
}

/** The key of what was refused in the order of its creation. */
function keyOf(accountId: number | null): string {
  return accountId === null ? 'shipments_reserved' : 'shipments_created';
}

/** Shipments whose order or phone is the text, or whose recipient's name has it, as `s`. */
function found({ accountId, text, looked }: RefusedFilter): Sql {
  const own = accountId ?? undefined;
  const ofAccount: SqlValue[] = accountId === null ? [] : [accountId];
  const orderOf = (sql: string): Sql => ({
    sql: accountId === null ? sql : `${sql} WHERE l.account_id = ?`,
    params: [text, ...ofAccount],
  });
  const refused = allOf([["state = 'refused'"], ['account_id = ?', own]]);
  const withPhone = allOf([
    ['recipient_phone_key = ?', phoneKey(text) || '-'],
    ["state = 'refused'"],
    ['account_id = ?', own],
  ]);
  const parts: Sql[] = [
    orderOf(IDS_BY.orderId),
    orderOf(IDS_BY.orderNumber),
    {
      sql: `SELECT id FROM shipments FORCE INDEX (shipments_recipient) WHERE ${withPhone.sql} ORDER BY id DESC LIMIT ?`,
      params: [...withPhone.params, looked],
    },
    {
      sql: `SELECT t.id FROM (SELECT id FROM shipments FORCE INDEX (${keyOf(accountId)}) WHERE ${refused.sql}
          ORDER BY created_at DESC, id DESC LIMIT ?) n
        STRAIGHT_JOIN shipments t ON t.id = n.id WHERE ${contains('t.recipient_name')}`,
      params: [...refused.params, looked, patternOf(text)],
    },
  ];
  return {
    sql: `(${parts.map(({ sql }) => `(${sql})`).join(' UNION ')}) ids STRAIGHT_JOIN shipments s ON s.id = ids.id`,
    params: parts.flatMap(({ params }) => params),
  };
}
