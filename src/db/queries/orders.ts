import type { Executor, Row } from '../database.js';
import { int, iso, text } from '../row.js';
import { isOneOf, type KeysetPage, type KeysetQuery, selectPage } from './keyset.js';

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

/** Set off by LIMIT: joined, it would take the order of the list away from its index. */
const WAS_ACCEPTED = `(SELECT s.id FROM shipments s
  WHERE s.order_id = orders.id AND s.state = 'created' LIMIT 1) IS NOT NULL`;

/** Orders of which a carrier has accepted a shipment, newest first: rows of a page as `selectPage` gives them. */
export async function listOrders(
  db: Executor,
  args: KeysetPage & { accountId: number; licenseIds: readonly number[] },
): Promise<OrderRecord[]> {
  // Left alone, MariaDB looks up the account and reads all entries from the first page on, instead of a range of ids.
  const key = args.licenseIds.length === 1 ? 'orders_license' : 'orders_account';
  const query = {
    select: `SELECT ${ORDER_COLUMNS} FROM orders FORCE INDEX (${key})`,
    where: [['account_id = ?', args.accountId], isOneOf('license_id', args.licenseIds), [WAS_ACCEPTED]],
    id: 'id',
  } satisfies KeysetQuery;
  const rows = await selectPage(db, query, args);
  return rows.map(toOrder);
}

/** A license's order by the store's own id (case-sensitive); null where no carrier has accepted a shipment of it. */
export async function findOrder(
  db: Executor,
  args: { licenseId: number; orderId: string },
): Promise<OrderRecord | null> {
  const [row] = await db.select(
    `SELECT ${ORDER_COLUMNS} FROM orders WHERE license_id = ? AND order_id = ? AND ${WAS_ACCEPTED}`,
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
