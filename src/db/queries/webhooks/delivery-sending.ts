import { PING_EVENT } from '../../../domain/events.js';
import { uuidV7 } from '../../../lib/ids.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { nowIso } from '../../../lib/time.js';
import type { Database, Executor, SqlValue } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { webhookAttempts, webhookDeliveries, webhookSubscriptions } from '../../tables/index.js';

/** Error of an attempt whose end was not recorded. */
export const DEAD_PROCESS = 'The process that sent it ended before it could note the answer.';

const d = webhookDeliveries.as('d');
const a = webhookAttempts.as('a');
const w = webhookSubscriptions.as('w');

/** A delivery as read by its lease. */
export const CLAIMED = shape({
  /** Row id. */
  id: d.id,
  uuid: d.uuid,
  shipmentId: d.shipmentId,
  event: d.event,
  eventId: d.eventId,
  /** The body, sent unchanged at every attempt. */
  payload: d.payload,
  /** The attempt's number, counted from 1. */
  number: d.attempts.map((made) => made + 1),
  /** The number of the last attempt. */
  allowed: d.attemptsAllowed,
  /** When the event was recorded: ISO 8601 UTC with microseconds. */
  createdAt: d.createdAt,
});

/** A delivery whose next attempt is marked as being sent. */
export type ClaimedDelivery = Selected<typeof CLAIMED>;

/**
 * Records how a marked attempt ended, and when the next one is due. `final`: no further attempt is made, even if some
 * are left. Idempotent.
 */
export async function finishAttempt(
  db: Executor,
  delivery: Pick<ClaimedDelivery, 'id' | 'number'>,
  outcome: {
    succeeded: boolean;
    final: boolean;
    durationMs: number;
    status: number | null;
    body: string | null;
    error: string | null;
    retrySeconds: number;
  },
): Promise<void> {
  const ended = outcome.succeeded ? 'succeeded' : 'failed';
  const more = outcome.succeeded || outcome.final ? 'FALSE' : 'd.attempts < d.attempts_allowed';
  await db.run(
    `UPDATE webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
     SET a.state = ?, a.duration_ms = ?, a.response_status = ?, a.response_body = ?, a.error = ?,
         d.status = IF(${more}, 'pending', ?),
         d.next_attempt_at = IF(${more}, NOW(6) + INTERVAL ? SECOND, NULL),
         d.completed_at = IF(${more}, NULL, NOW(6))
     WHERE a.delivery_id = ? AND a.number = ? AND a.state = 'sending'`,
    [
      ended,
      outcome.durationMs,
      outcome.status,
      outcome.body,
      outcome.error,
      ended,
      outcome.retrySeconds,
      delivery.id,
      delivery.number,
    ],
  );
}

/** Returns a marked attempt that ended on our side: it does not count, and the next is due at once. */
export async function giveUpAttempt(
  db: Executor,
  delivery: Pick<ClaimedDelivery, 'id' | 'number'>,
): Promise<void> {
  await db.run(
    `UPDATE webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
     SET a.state = 'unknown', a.error = ?, d.attempts_allowed = d.attempts_allowed + 1,
         d.next_attempt_at = IF(d.status = 'pending', NOW(6), NULL)
     WHERE a.delivery_id = ? AND a.number = ? AND a.state = 'sending'`,
    ['The service was stopped before the receiver answered.', delivery.id, delivery.number],
  );
}

/**
 * Fails the waiting deliveries of a subscription that is off, `chunk` at a time to keep locks short, and none once it
 * is on again. One under way waits until its attempt is recorded, or its lease ends. Returns how many, and when the
 * first that waited was recorded (ISO 8601 UTC).
 */
export async function failPending(
  db: Database,
  subscriptionId: string,
  chunk = 1000,
): Promise<{ failed: number; since: string | null }> {
  const since = await d.createdAt.first(
    db,
    `FROM webhook_deliveries d WHERE ${d.subscriptionId} = ? AND ${d.status} = 'pending' ORDER BY ${d.id} LIMIT 1`,
    [subscriptionId],
  );
  let failed = 0;
  let more = since !== null;
  while (more) {
    const ended = await db.transaction((tx) => failSome(tx, subscriptionId, chunk));
    failed += ended;
    more = ended === chunk;
  }
  return { failed, since };
}

/**
 * Returns how many. An attempt left by a dead process becomes `unknown`. Unused attempts count as made: otherwise
 * turning a webhook off and on would allow endless replays without sending.
 */
async function failSome(tx: Executor, subscriptionId: string, limit: number): Promise<number> {
  const ids = await d.id.select(
    tx,
    `FROM webhook_deliveries d
     WHERE ${d.subscriptionId} = ? AND ${d.status} = 'pending'
       AND NOT EXISTS (SELECT 1 FROM webhook_subscriptions w WHERE ${w.id} = ${d.subscriptionId} AND ${w.isActive})
       AND (${d.nextAttemptAt} <= NOW(6) OR NOT EXISTS (
         SELECT 1 FROM webhook_attempts a WHERE ${a.deliveryId} = ${d.id} AND ${a.state} = 'sending'))
     ORDER BY ${d.id} LIMIT ? FOR UPDATE`,
    [subscriptionId, limit],
  );
  if (ids.length === 0) return 0;
  await tx.run(
    `UPDATE webhook_attempts SET state = 'unknown', error = ?
     WHERE delivery_id IN (${placeholders(ids.length)}) AND state = 'sending'`,
    [DEAD_PROCESS, ...ids],
  );
  await tx.run(
    `UPDATE webhook_deliveries
     SET status = 'failed', attempts = attempts_allowed, next_attempt_at = NULL, completed_at = NOW(6)
     WHERE id IN (${placeholders(ids.length)})`,
    ids,
  );
  return ids.length;
}

/**
 * Adds a test delivery of one attempt, already marked as being sent by the caller. If the caller dies, the worker takes
 * it over.
 */
export async function insertPing(
  db: Database,
  args: { accountId: number; subscriptionId: string; payload: string; eventId: string },
): Promise<ClaimedDelivery> {
  const uuid = uuidV7();
  return await db.transaction(async (tx) => {
    const { insertId } = await tx.run(
      `INSERT INTO webhook_deliveries
         (uuid, subscription_id, account_id, event, event_id, payload, attempts, attempts_allowed, next_attempt_at)
       VALUES (?, ?, ?, ?, ?, ?, 1, 1, NOW(6) + INTERVAL ? SECOND)`,
      [
        uuid,
        args.subscriptionId,
        args.accountId,
        PING_EVENT,
        args.eventId,
        args.payload,
        LIMITS.webhooks.leaseSeconds,
      ] satisfies SqlValue[],
    );
    await webhookAttempts.insertText(tx, [{ deliveryId: insertId, number: 1 }]);
    const { eventId, payload } = args;
    return {
      id: insertId,
      uuid,
      shipmentId: null,
      event: PING_EVENT,
      eventId,
      payload,
      number: 1,
      allowed: 1,
      createdAt: nowIso(),
    };
  });
}
