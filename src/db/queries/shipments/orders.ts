import type { Executor } from '../../database.js';
import { int, text } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { placeholders, type Sql, unionOf } from '../../sql.js';
import { orders } from '../../tables/index.js';
import { type KeysetPage, type KeysetQuery, pageTail, selectPage } from '../keyset.js';

const o = orders.as('orders');
const ORDER = shape({
  /** Row id; lists and cursors go by it. */
  id: o.id,
  licenseId: o.licenseId,
  /** The store's own id. */
  orderId: o.orderId,
  number: o.number,
  source: o.source,
  /** Decimal string with two places. */
  total: o.total,
  currency: o.currency,
  /** JSON text of the store's object, like `shipping`. */
  billing: expression(o.billing.sql, text),
  shipping: expression(o.shipping.sql, text),
  createdAt: o.createdAt,
  updatedAt: o.updatedAt,
});
const SIZE = shape({ id: o.id, bytes: expression('LENGTH(billing) + LENGTH(shipping)', int) });

/** A store's order. Timestamps: ISO 8601 UTC with microseconds. */
export type OrderRecord = Selected<typeof ORDER>;

const WAS_ACCEPTED = `state = 'created'`;

/**
 * Orders with an accepted shipment, newest first: rows of a page as `selectPage` returns them. They are found along
 * each license's accepted shipments, since refused orders may be very many. `bytes`: of an order's addresses.
 */
export async function listOrderSizes(
  db: Executor,
  args: KeysetPage & { accountId: number; licenseIds: readonly number[] },
) {
  if (args.licenseIds.length === 0) return [];
  const accepted = unionOf(args.licenseIds.map((licenseId) => acceptedOf(licenseId, args)));
  const query: KeysetQuery = {
    from: `(${accepted.sql}) accepted STRAIGHT_JOIN orders ON ${o.id} = accepted.order_row`,
    params: accepted.params,
    where: [[`${o.accountId} = ?`, args.accountId]],
    id: `${o.id}`,
  };
  return await selectPage(db, SIZE, query, args);
}

/** These orders of the account, newest first. */
export async function readOrders(
  db: Executor,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
): Promise<OrderRecord[]> {
  if (ids.length === 0) return [];
  return await ORDER.select(
    db,
    `FROM orders WHERE account_id = ? AND id IN (${placeholders(ids.length)})
     ORDER BY id DESC`,
    [accountId, ...ids],
  );
}

function acceptedOf(licenseId: number, page: KeysetPage): Sql {
  const query: KeysetQuery = {
    from: 'shipments FORCE INDEX (shipments_accepted)',
    where: [['license_id = ?', licenseId], [WAS_ACCEPTED]],
    id: 'order_id',
  };
  const { sql, params } = pageTail(query, page);
  return { sql: `SELECT DISTINCT order_id AS order_row ${sql}`, params };
}

/** A license's order by the store's own id (case-sensitive); null without an accepted shipment. */
export async function findOrder(
  db: Executor,
  args: { licenseId: number; orderId: string },
): Promise<OrderRecord | null> {
  return await ORDER.first(
    db,
    `FROM orders WHERE license_id = ? AND order_id = ?
       AND EXISTS (SELECT 1 FROM shipments WHERE shipments.order_id = orders.id AND ${WAS_ACCEPTED})`,
    [args.licenseId, args.orderId],
  );
}
