import type { Executor, Row } from '../database.js';
import { int, iso, text } from '../row.js';
import { placeholders, unionOf } from '../sql.js';
import { type KeysetPage, type KeysetQuery, pageSql, selectPage } from './keyset.js';

/** A store's order. Timestamps: ISO 8601 UTC with microseconds. */
export interface OrderRecord {
  /** Row id; lists and cursors go by it. */
  id: number;
  licenseId: number;
  /** The store's own id. */
  orderId: string;
  number: string;
  source: string;
  /** Decimal string with two places. */
  total: string;
  currency: string;
  /** JSON text of an object, as the store sent it; so is `shipping`. */
  billing: string;
  shipping: string;
  createdAt: string;
  updatedAt: string;
}

const ORDER_COLUMNS = `id, license_id, order_id, number, source, total, currency, billing, shipping,
  created_at, updated_at`;

const WAS_ACCEPTED = `state = 'created'`;

/**
 * Orders of which a carrier has accepted a shipment, newest first: rows of a page as `selectPage` gives them. They are
 * found along the accepted shipments of each license: orders that were refused may be as many as they like. `bytes`:
 * of an order's addresses.
 */
export async function listOrderSizes(
  db: Executor,
  args: KeysetPage & { accountId: number; licenseIds: readonly number[] },
): Promise<{ id: number; bytes: number }[]> {
  if (args.licenseIds.length === 0) return [];
  const accepted = unionOf(args.licenseIds.map((licenseId) => pageSql(acceptedOf(licenseId), args)));
  const query = {
    select: `SELECT id, LENGTH(billing) + LENGTH(shipping) AS bytes FROM (${accepted.sql}) accepted
      STRAIGHT_JOIN orders ON orders.id = accepted.order_row`,
    params: accepted.params,
    where: [['account_id = ?', args.accountId]],
    id: 'id',
  } satisfies KeysetQuery;
  const rows = await selectPage(db, query, args);
  return rows.map((row) => ({ id: int(row, 'id'), bytes: int(row, 'bytes') }));
}

/** These orders of the account, newest first. */
export async function readOrders(
  db: Executor,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
): Promise<OrderRecord[]> {
  if (ids.length === 0) return [];
  const rows = await db.select(
    `SELECT ${ORDER_COLUMNS} FROM orders WHERE account_id = ? AND id IN (${placeholders(ids.length)})
     ORDER BY id DESC`,
    [accountId, ...ids],
  );
  return rows.map(toOrder);
}

function acceptedOf(licenseId: number): KeysetQuery {
  return {
    select: 'SELECT DISTINCT order_id AS order_row FROM shipments FORCE INDEX (shipments_accepted)',
    where: [['license_id = ?', licenseId], [WAS_ACCEPTED]],
    id: 'order_id',
  };
}

/** A license's order by the store's own id (case-sensitive); null where no carrier has accepted a shipment of it. */
export async function findOrder(
  db: Executor,
  args: { licenseId: number; orderId: string },
): Promise<OrderRecord | null> {
  const [row] = await db.select(
    `SELECT ${ORDER_COLUMNS} FROM orders WHERE license_id = ? AND order_id = ? 
       AND EXISTS (SELECT 1 FROM shipments WHERE shipments.order_id = orders.id AND ${WAS_ACCEPTED})`,
    [args.licenseId, args.orderId],
  );
  return row === undefined ? null : toOrder(row);
}

function toOrder(row: Row): OrderRecord {
  return {
    id: int(row, 'id'),
    licenseId: int(row, 'license_id'),
    orderId: text(row, 'order_id'),
    number: text(row, 'number'),
    source: text(row, 'source'),
    total: text(row, 'total'),
    currency: text(row, 'currency'),
    billing: text(row, 'billing'),
    shipping: text(row, 'shipping'),
    createdAt: iso(row, 'created_at'),
    updatedAt: iso(row, 'updated_at'),
  };
}
