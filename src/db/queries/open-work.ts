import type { Executor } from '../database.js';
import { int, text } from '../row.js';
import { expression, type Selected, shape } from '../selection.js';
import { DELIVERIES, INBOUND, type LeasedQueue, MAILS } from './leased-queue.js';
import { UNCLAIMED, UNSURE } from './shipments/attention.js';

const COUNT = expression('COUNT(*)', int);
const ageOf = (since: string) =>
  expression(`GREATEST(0, COALESCE(TIMESTAMPDIFF(SECOND, MIN(${since}), NOW(6)), 0))`, int);

const SHIPMENTS = shape({
  provider: expression('c.provider', text),
  status: expression('w.status_code', text),
  count: expression('SUM(w.total)', int),
  oldestSeconds: ageOf('w.since'),
});

/**
 * Shipments of each carrier that are not decided: `pending` since their creation, and `needs_attention` since they have
 * that status, unclaimed parcels and those that may be cancelled included. Reads those only, and each license's key once.
 */
export async function countOpenShipments(db: Executor): Promise<Selected<typeof SHIPMENTS>[]> {
  const counted = (since: string) =>
    `SELECT s.carrier_id, s.status_code, COUNT(*) AS total, MIN(${since}) AS since`;
  return await SHIPMENTS.select(
    db,
    `FROM (
       ${counted(`IF(s.status_code = 'needs_attention', s.status_at, s.created_at)`)}
       FROM shipments s FORCE INDEX (shipments_reserved)
       WHERE s.state = 'reserved' AND s.status_code IN ('pending', 'needs_attention')
       GROUP BY s.carrier_id, s.status_code
       ${[UNCLAIMED, UNSURE]
         .map(
           (waits) => `UNION ALL
       ${counted('s.status_at')}
       FROM licenses l STRAIGHT_JOIN shipments s FORCE INDEX (shipments_kind_created)
         ON s.license_id = l.id AND ${waits}
       GROUP BY s.carrier_id, s.status_code`,
         )
         .join('\n')}
     ) w JOIN carriers c ON c.id = w.carrier_id
     GROUP BY c.provider, w.status_code`,
  );
}

/**
 * Counts of other open work. Deliveries, mails and carriers' webhooks age from the moment at which they are due, batches and
 * exports from their request.
 */
export async function countOpenWork(db: Executor) {
  const [deliveries, mails, carrierWebhooks, batches, items, exports, failing] = await Promise.all([
    queued(db, DELIVERIES),
    queued(db, MAILS),
    queued(db, INBOUND),
    open(db, COUNT.sql, 'created_at', 'batches WHERE pending_count > 0'),
    open(db, 'COALESCE(SUM(pending_count), 0)', 'created_at', 'batches WHERE pending_count > 0'),
    open(db, COUNT.sql, 'created_at', "exports WHERE status IN ('pending', 'processing')"),
    open(
      db,
      COUNT.sql,
      'failing_since',
      'webhook_subscriptions WHERE failing_since IS NOT NULL AND is_active AND deleted_at IS NULL',
    ),
  ]);
  return { deliveries, mails, carrierWebhooks, batches, items, exports, failing };
}

function queued<O extends number | string>(db: Executor, { table, row }: LeasedQueue<O>) {
  return open(db, COUNT.sql, row.nextAttemptAt.sql, `${table} WHERE ${row.status} = 'pending'`);
}

/** How many are not finished, and the age of the oldest: 0 where there is none. */
async function open(db: Executor, count: string, since: string, from: string) {
  const work = shape({ count: expression(count, int), oldestSeconds: ageOf(since) });
  return (await work.first(db, `FROM ${from}`)) ?? { count: 0, oldestSeconds: 0 };
}
