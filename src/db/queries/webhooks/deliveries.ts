import { LIMITS } from '../../../lib/limits/values.js';
import type { Database, Executor, SqlValue } from '../../database.js';
import { underLock } from '../../locks.js';
import { bool, jsonObject } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { webhookAttempts, webhookDeliveries, webhookSubscriptions } from '../../tables/index.js';
import { type KeysetPage, type KeysetQuery, selectPage } from '../keyset.js';

const SHOWN_ATTEMPTS = 20;

const a = webhookAttempts.as('a');
const ATTEMPT = shape({
  number: a.number,
  startedAt: a.startedAt,
  /** Null while it is under way, and when its end was not recorded. */
  durationMs: a.durationMs,
  responseStatus: a.responseStatus,
  responseBody: a.responseBody,
  error: a.error,
});
const d = webhookDeliveries.as('d');
const DELIVERY = shape({
  /** Row id; lists and cursors go by it. */
  id: d.id,
  uuid: d.uuid,
  subscriptionId: d.subscriptionId,
  event: d.event,
  eventId: d.eventId,
  status: d.status,
  payload: expression(d.payload.sql, jsonObject),
  /** Null when none is due, and while one is under way. */
  nextAttemptAt: d.nextAttemptAt,
  createdAt: d.createdAt,
  completedAt: d.completedAt,
});
const w = webhookSubscriptions.as('w');

/** One request that was sent, or is being sent. Timestamps: ISO 8601 UTC with microseconds. */
type AttemptRecord = Selected<typeof ATTEMPT>;

/** One event for one subscription, with its newest attempts. Timestamps: ISO 8601 UTC with microseconds. */
export type DeliveryRecord = Selected<typeof DELIVERY> & { attempts: AttemptRecord[] };

/** Names one delivery of one subscription. */
interface DeliveryKey {
  accountId: number;
  subscriptionId: string;
  uuid: string;
}

const ITS_KEY = `${d.uuid} = ? AND ${d.subscriptionId} = ? AND ${d.accountId} = ?`;

function valuesOf({ uuid, subscriptionId, accountId }: DeliveryKey): SqlValue[] {
  return [uuid, subscriptionId, accountId];
}

/** A subscription's deliveries, newest first: rows of a page as `selectPage` returns them. */
export async function listDeliveries(
  db: Executor,
  args: KeysetPage & {
    accountId: number;
    subscriptionId: string;
    status?: string | undefined;
    event?: string | undefined;
  },
): Promise<DeliveryRecord[]> {
  const query: KeysetQuery = {
    from: 'webhook_deliveries d',
    where: [
      [`${d.subscriptionId} = ?`, args.subscriptionId],
      [`${d.accountId} = ?`, args.accountId],
      [`${d.status} = ?`, args.status],
      [`${d.event} = ?`, args.event],
    ],
    id: `${d.id}`,
  };
  return await withAttempts(db, await selectPage(db, DELIVERY, query, args));
}

/** One delivery of the subscription, or null. */
export async function findDelivery(db: Executor, key: DeliveryKey): Promise<DeliveryRecord | null> {
  const found = await DELIVERY.select(db, `FROM webhook_deliveries d WHERE ${ITS_KEY}`, valuesOf(key));
  const [delivery] = await withAttempts(db, found);
  return delivery ?? null;
}

async function withAttempts(
  db: Executor,
  deliveries: readonly Selected<typeof DELIVERY>[],
): Promise<DeliveryRecord[]> {
  if (deliveries.length === 0) return [];
  const found = await shape({ deliveryId: a.deliveryId, attempt: ATTEMPT }).select(
    db,
    `FROM (SELECT delivery_id, MAX(number) AS newest FROM webhook_attempts
           WHERE delivery_id IN (${placeholders(deliveries.length)}) GROUP BY delivery_id) sent
     JOIN webhook_attempts a ON ${a.deliveryId} = sent.delivery_id AND ${a.number} + ${SHOWN_ATTEMPTS} > sent.newest
     ORDER BY ${a.deliveryId}, ${a.number}`,
    deliveries.map(({ id }) => id),
  );
  const sent = new Map(deliveries.map(({ id }): [number, AttemptRecord[]] => [id, []]));
  for (const { deliveryId, attempt } of found) sent.get(deliveryId)?.push(attempt);
  return deliveries.map((delivery) => {
    const attempts = sent.get(delivery.id) ?? [];
    const last = attempts.at(-1);
    const isUnderWay = last !== undefined && last.durationMs === null && last.error === null;
    // While an attempt is under way the column holds the end of its lease.
    return { ...delivery, attempts, nextAttemptAt: isUnderWay ? null : delivery.nextAttemptAt };
  });
}

/**
 * Resends a delivery with six further attempts; numbers continue. One that is due or being sent is left unchanged.
 * False when it has used up its attempts.
 */
export async function requeueDelivery(db: Executor, key: DeliveryKey): Promise<boolean> {
  const result = await db.run(
    `UPDATE webhook_deliveries d
     SET attempts_allowed = attempts + IF(status = 'pending', attempts_allowed - attempts, ?),
         next_attempt_at = IF(status = 'pending', next_attempt_at, NOW(6)), completed_at = NULL, status = 'pending'
     WHERE ${ITS_KEY} AND attempts < ${LIMITS.webhooks.mostAttempts}`,
    [LIMITS.webhooks.attempts, ...valuesOf(key)],
  );
  if (result.affectedRows > 0) return true;
  const isUsedUp = expression(
    `${d.status} <> 'pending' AND ${d.attempts} >= ${LIMITS.webhooks.mostAttempts}`,
    bool,
  );
  return (await isUsedUp.first(db, `FROM webhook_deliveries d WHERE ${ITS_KEY}`, valuesOf(key))) !== true;
}

/**
 * Resends the subscription's failed deliveries since then, oldest first up to a limit; returns how many, or null while
 * another call does so for the subscription.
 */
export async function requeueFailed(
  db: Database,
  args: { accountId: number; subscriptionId: string; sinceSql: string },
): Promise<number | null> {
  const name = { sql: '?', params: [`replay-${args.subscriptionId}`] };
  return await underLock(db, { name }, (session) => requeueOldest(session, args));
}

async function requeueOldest(
  session: Executor,
  args: { accountId: number; subscriptionId: string; sinceSql: string },
): Promise<number> {
  let total = 0;
  for (let after = 0, looked = 0; looked < LIMITS.webhooks.replayed; looked += LIMITS.database.rows) {
    const ids = await d.id.select(
      session,
      `FROM webhook_deliveries d
       WHERE ${d.subscriptionId} = ? AND ${d.accountId} = ? AND ${d.status} = 'failed' AND ${d.id} > ?
         AND ${d.createdAt} >= ? AND ${d.attempts} < ${LIMITS.webhooks.mostAttempts}
       ORDER BY ${d.id} LIMIT ?`,
      [args.subscriptionId, args.accountId, after, args.sinceSql, LIMITS.database.rows],
    );
    if (ids.length === 0) break;
    const result = await session.run(
      `UPDATE webhook_deliveries
       SET status = 'pending', attempts_allowed = attempts + ?, next_attempt_at = NOW(6), completed_at = NULL
       WHERE id IN (${placeholders(ids.length)}) AND status = 'failed'`,
      [LIMITS.webhooks.attempts, ...ids],
    );
    total += result.affectedRows;
    after = ids.at(-1) ?? after;
    if (ids.length < LIMITS.database.rows) break;
  }
  return total;
}

/**
 * Deletes expired finished deliveries and those of deleted subscriptions, at most `limit` of each; returns how many.
 * Call until it returns 0.
 */
export async function deleteOldDeliveries(
  db: Database,
  args: { keepDays: number; limit: number },
): Promise<number> {
  const rows = await db.select(
    `(SELECT ${d.id.list} FROM webhook_deliveries d
       WHERE ${d.createdAt} < NOW(6) - INTERVAL ? DAY AND ${d.status} <> 'pending' ORDER BY ${d.createdAt} LIMIT ?)
     UNION
     (SELECT ${d.id.list} FROM webhook_subscriptions w JOIN webhook_deliveries d ON ${d.subscriptionId} = ${w.id}
       WHERE ${w.deletedAt} < NOW(6) - INTERVAL 1 HOUR LIMIT ?)`,
    [args.keepDays, args.limit, args.limit],
  );
  const ids = rows.map((row) => d.id.read(row));
  if (ids.length === 0) {
    await db.run('DELETE FROM webhook_subscriptions WHERE deleted_at < NOW(6) - INTERVAL 1 HOUR');
    return 0;
  }
  await db.transaction((tx) => deleteUnlessPending(tx, ids));
  return ids.length;
}

/** Keeps deliveries that were requeued meanwhile. */
async function deleteUnlessPending(tx: Executor, ids: readonly number[]): Promise<void> {
  await tx.run(
    `DELETE FROM webhook_deliveries WHERE id IN (${placeholders(ids.length)}) AND (status <> 'pending' OR NOT EXISTS (
       SELECT 1 FROM webhook_subscriptions w WHERE w.id = subscription_id AND w.deleted_at IS NULL))`,
    ids,
  );
  await tx.run(
    `DELETE FROM webhook_attempts WHERE delivery_id IN (${placeholders(ids.length)}) AND NOT EXISTS (
       SELECT 1 FROM webhook_deliveries d WHERE d.id = delivery_id)`,
    ids,
  );
}
