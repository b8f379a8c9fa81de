import type { JsonObject } from '../../domain/shipment.js';
import type { Database, Executor, Row } from '../database.js';
import { bool, int, intOrNull, iso, isoOrNull, jsonObject, text, textOrNull } from '../row.js';
import { placeholders } from '../sql.js';
import { ATTEMPTS } from './events.js';
import { type KeysetPage, type KeysetQuery, selectPage } from './keyset.js';

/** Where a delivery stands. */
export type DeliveryStatus = 'pending' | 'succeeded' | 'failed';

/** One request that was sent, or is being sent. Timestamps: ISO 8601 UTC with microseconds. */
export interface AttemptRecord {
  number: number;
  startedAt: string;
  /** Null while it is under way, and when nobody could note its end. */
  durationMs: number | null;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
}

/** One event for one subscription, with its newest attempts. */
export interface DeliveryRecord {
  /** Row id; lists and cursors go by it. */
  id: number;
  uuid: string;
  subscriptionId: string;
  event: string;
  eventId: string;
  status: DeliveryStatus;
  payload: JsonObject;
  attempts: AttemptRecord[];
  /** Null when none waits, and while one is under way. */
  nextAttemptAt: string | null;
  createdAt: string;
  completedAt: string | null;
}

/** Names one delivery of one subscription. */
export interface DeliveryKey {
  accountId: number;
  subscriptionId: string;
  uuid: string;
}

const COLUMNS = `id, uuid, subscription_id, event, event_id, status, payload, next_attempt_at, created_at,
  completed_at`;
const STATUSES: readonly DeliveryStatus[] = ['pending', 'succeeded', 'failed'];
/** Attempts of a delivery that are shown: the newest. */
const SHOWN_ATTEMPTS = 20;
/** A delivery that has used up so many attempts is not sent again. */
export const MOST_ATTEMPTS = 100;
/** Deliveries that one replay sends again: more would keep a request, and its connection, for long. */
export const MOST_REPLAYED = 10_000;
/** Rows of one statement, so that none holds its locks for long. */
const CHUNK = 1000;

/** A subscription's deliveries, newest first: rows of a page as `selectPage` gives them. */
export async function listDeliveries(
  db: Executor,
  args: KeysetPage & {
    accountId: number;
    subscriptionId: string;
    status?: string | undefined;
    event?: string | undefined;
  },
): Promise<DeliveryRecord[]> {
  const query = {
    select: `SELECT ${COLUMNS} FROM webhook_deliveries`,
    where: [
      ['subscription_id = ?', args.subscriptionId],
      ['account_id = ?', args.accountId],
      ['status = ?', args.status],
      ['event = ?', args.event],
    ],
    id: 'id',
  } satisfies KeysetQuery;
  return await withAttempts(db, await selectPage(db, query, args));
}

/** One delivery of the subscription, or null. */
export async function findDelivery(db: Executor, key: DeliveryKey): Promise<DeliveryRecord | null> {
  const rows = await db.select(
    `SELECT ${COLUMNS} FROM webhook_deliveries WHERE uuid = ? AND subscription_id = ? AND account_id = ?`,
    [key.uuid, key.subscriptionId, key.accountId],
  );
  const [found] = await withAttempts(db, rows);
  return found ?? null;
}

async function withAttempts(db: Executor, rows: readonly Row[]): Promise<DeliveryRecord[]> {
  const attempts = new Map<number, AttemptRecord[]>(rows.map((row) => [int(row, 'id'), []]));
  if (rows.length > 0) {
    const found = await db.select(
      `SELECT a.delivery_id, a.number, a.started_at, a.duration_ms, a.response_status, a.response_body, a.error
       FROM (SELECT delivery_id, MAX(number) AS newest FROM webhook_attempts
             WHERE delivery_id IN (${placeholders(attempts.size)}) GROUP BY delivery_id) sent
       JOIN webhook_attempts a ON a.delivery_id = sent.delivery_id AND a.number + ${SHOWN_ATTEMPTS} > sent.newest
       ORDER BY a.delivery_id, a.number`,
      [...attempts.keys()],
    );
    for (const row of found) attempts.get(int(row, 'delivery_id'))?.push(toAttempt(row));
  }
  return rows.map((row) => toDelivery(row, attempts.get(int(row, 'id')) ?? []));
}

/**
 * Sends a delivery again with six further attempts; the numbers go on. One that is due or being sent is left as it is.
 * False when it has used up {@link MOST_ATTEMPTS} attempts.
 */
export async function requeueDelivery(db: Executor, key: DeliveryKey): Promise<boolean> {
  const result = await db.run(
    `UPDATE webhook_deliveries
     SET attempts_allowed = attempts + IF(status = 'pending', attempts_allowed - attempts, ?),
         next_attempt_at = IF(status = 'pending', next_attempt_at, NOW(6)), completed_at = NULL, status = 'pending'
     WHERE uuid = ? AND subscription_id = ? AND account_id = ? AND attempts < ${MOST_ATTEMPTS}`,
    [ATTEMPTS, key.uuid, key.subscriptionId, key.accountId],
  );
  if (result.affectedRows > 0) return true;
  const [row] = await db.select(
    `SELECT status <> 'pending' AND attempts >= ${MOST_ATTEMPTS} AS is_used_up FROM webhook_deliveries
     WHERE uuid = ? AND subscription_id = ? AND account_id = ?`,
    [key.uuid, key.subscriptionId, key.accountId],
  );
  return row === undefined || !bool(row, 'is_used_up');
}

/**
 * Sends failed deliveries of the subscription since then again, the oldest {@link MOST_REPLAYED} at most; returns how
 * many, or null while another call does so for the subscription.
 */
export async function requeueFailed(
  db: Database,
  args: { accountId: number; subscriptionId: string; sinceSql: string },
): Promise<number | null> {
  const lock = `replay-${args.subscriptionId}`;
  return await db.session(async (session) => {
    const [row] = await session.select('SELECT GET_LOCK(?, 0) AS taken', [lock]);
    if (row?.taken !== 1) return null;
    try {
      return await requeueOldest(session, args);
    } finally {
      await session.select('SELECT RELEASE_LOCK(?) AS released', [lock]);
    }
  });
}

async function requeueOldest(
  session: Executor,
  args: { accountId: number; subscriptionId: string; sinceSql: string },
): Promise<number> {
  let total = 0;
  for (let after = 0, looked = 0; looked < MOST_REPLAYED; looked += CHUNK) {
    const rows = await session.select(
      `SELECT id FROM webhook_deliveries
       WHERE subscription_id = ? AND account_id = ? AND status = 'failed' AND id > ? AND created_at >= ?
         AND attempts < ${MOST_ATTEMPTS}
       ORDER BY id LIMIT ?`,
      [args.subscriptionId, args.accountId, after, args.sinceSql, CHUNK],
    );
    if (rows.length === 0) break;
    const ids = rows.map((row) => int(row, 'id'));
    const result = await session.run(
      `UPDATE webhook_deliveries
       SET status = 'pending', attempts_allowed = attempts + ?, next_attempt_at = NOW(6), completed_at = NULL
       WHERE id IN (${placeholders(ids.length)}) AND status = 'failed'`,
      [ATTEMPTS, ...ids],
    );
    total += result.affectedRows;
    after = ids.at(-1) ?? after;
    if (ids.length < CHUNK) break;
  }
  return total;
}

/**
 * Deletes finished deliveries past their time and those of deleted subscriptions, at most `limit` of each; gives how
 * many. Called until it gives 0.
 */
export async function deleteOldDeliveries(
  db: Database,
  args: { keepDays: number; limit: number },
): Promise<number> {
  const rows = await db.select(
    `(SELECT id FROM webhook_deliveries
       WHERE created_at < NOW(6) - INTERVAL ? DAY AND status <> 'pending' ORDER BY created_at LIMIT ?)
     UNION
     (SELECT d.id FROM webhook_subscriptions w JOIN webhook_deliveries d ON d.subscription_id = w.id
       WHERE w.deleted_at < NOW(6) - INTERVAL 1 HOUR LIMIT ?)`,
    [args.keepDays, args.limit, args.limit],
  );
  const ids = rows.map((row) => int(row, 'id'));
  if (ids.length === 0) {
    await db.run('DELETE FROM webhook_subscriptions WHERE deleted_at < NOW(6) - INTERVAL 1 HOUR');
    return 0;
  }
  await db.transaction((tx) => deleteUnlessPending(tx, ids));
  return ids.length;
}

/** One that somebody has sent again meanwhile stays. */
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

function toAttempt(row: Row): AttemptRecord {
  return {
    number: int(row, 'number'),
    startedAt: iso(row, 'started_at'),
    durationMs: intOrNull(row, 'duration_ms'),
    responseStatus: intOrNull(row, 'response_status'),
    responseBody: textOrNull(row, 'response_body'),
    error: textOrNull(row, 'error'),
  };
}

function isUnderWay(attempt: AttemptRecord | undefined): boolean {
  return attempt !== undefined && attempt.durationMs === null && attempt.error === null;
}

function toDelivery(row: Row, attempts: AttemptRecord[]): DeliveryRecord {
  const status = STATUSES.find((known) => known === text(row, 'status'));
  if (status === undefined) throw new TypeError('webhook_deliveries.status holds an unknown value');
  return {
    id: int(row, 'id'),
    uuid: text(row, 'uuid'),
    subscriptionId: text(row, 'subscription_id'),
    event: text(row, 'event'),
    eventId: text(row, 'event_id'),
    status,
    payload: jsonObject(row, 'payload'),
    attempts,
    // While an attempt is under way the column holds the end of its lease.
    nextAttemptAt: isUnderWay(attempts.at(-1)) ? null : isoOrNull(row, 'next_attempt_at'),
    createdAt: iso(row, 'created_at'),
    completedAt: isoOrNull(row, 'completed_at'),
  };
}
