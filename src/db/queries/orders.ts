import type { JsonObject } from '../../domain/shipment.js';
import type { Executor, Row, SqlValue } from '../database.js';
import { int, iso, jsonObject, text } from '../row.js';
import { placeholders } from '../sql.js';

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
  billing: JsonObject;
  shipping: JsonObject;
  createdAt: string;
  updatedAt: string;
}

/** A keyset page of orders: at most one of `after` (older than that id) and `before` (newer than it). */
export interface ListOrdersArgs {
  accountId: number;
  licenseIds: readonly number[];
  after?: number;
  before?: number;
  limit: number;
}

const ORDER_COLUMNS = `id, license_id, order_id, number, source, total, currency, billing, shipping,
  created_at, updated_at`;

/**
 * Orders newest first. Up to `limit + 1` rows: the one too many tells that the list goes on. It is the last row, or
 * with `before` the first one.
 */
export async function listOrders(db: Executor, args: ListOrdersArgs): Promise<OrderRecord[]> {
  const [single, ...others] = args.licenseIds;
  if (single === undefined) return [];
  const where = ['account_id = ?'];
  const params: SqlValue[] = [args.accountId];
  where.push(
    others.length === 0 ? 'license_id = ?' : `license_id IN (${placeholders(args.licenseIds.length)})`,
  );
  params.push(...args.licenseIds);
  if (args.after !== undefined) {
    where.push('id < ?');
    params.push(args.after);
  }
  if (args.before !== undefined) {
    where.push('id > ?');
    params.push(args.before);
  }
  const direction = args.before === undefined ? 'DESC' : 'ASC';
  const rows = await db.select(
    `SELECT ${ORDER_COLUMNS} FROM orders WHERE ${where.join(' AND ')} ORDER BY id ${direction} LIMIT ?`,
    [...params, args.limit + 1],
  );
  const orders = rows.map(toOrder);
  return args.before === undefined ? orders : orders.reverse();
}

/** A licence's order by the store's own id (case-sensitive); null when there is none. */
export async function findOrder(
  db: Executor,
  args: { licenseId: number; orderId: string },
): Promise<OrderRecord | null> {
  const [row] = await db.select(`SELECT ${ORDER_COLUMNS} FROM orders WHERE license_id = ? AND order_id = ?`, [
    args.licenseId,
    args.orderId,
  ]);
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
    billing: jsonObject(row, 'billing'),
    shipping: jsonObject(row, 'shipping'),
    createdAt: iso(row, 'created_at'),
    updatedAt: iso(row, 'updated_at'),
  };
}
