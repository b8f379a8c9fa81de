import type { Executor, Row } from '../database.js';
import { int, intOrNull, text } from '../row.js';
import { placeholders } from '../sql.js';

/** A table whose rows are work that is due at `next_attempt_at`. Its names and SQL are literals of the program. */
export interface LeasedQueue {
  table: string;
  /** Column of whose work it is: one workflow does that of one owner. */
  owner: string;
  /** Condition of the rows that are not done. */
  isOpen: string;
  /** Further columns that a lease sets. */
  leased?: string;
}

/** Events for webhook subscriptions. */
export const DELIVERIES: LeasedQueue = {
  table: 'webhook_deliveries',
  owner: 'subscription_id',
  isOpen: "status = 'pending'",
};

/** Mails to the recipients of a license. A try that did not end was cut off. */
export const MAILS: LeasedQueue = {
  table: 'notification_logs',
  owner: 'license_id',
  isOpen: "status = 'pending'",
  leased: `last_error = IF(sending_since IS NULL, last_error, 'A try was cut off when its process ended: the mail server may have taken the mail, which was then sent again.'),
    sending_since = NOW(6),`,
};

/** What the carrier of a license told by webhook. Never leased: what it changes and its end are one transaction. */
export const INBOUND: LeasedQueue = {
  table: 'inbound_events',
  owner: 'license_id',
  isOpen: "state = 'waiting'",
};

/** Milliseconds until the owner's next row is due, 0 or less where one is; null when none waits. */
export async function nextDueInMs(
  db: Executor,
  { table, owner, isOpen }: LeasedQueue,
  ownerId: number | string,
): Promise<number | null> {
  const [row] = await db.select(
    `SELECT CEIL(TIMESTAMPDIFF(MICROSECOND, NOW(6), MIN(next_attempt_at)) / 1000) AS due_in
     FROM ${table} WHERE ${owner} = ? AND ${isOpen}`,
    [ownerId],
  );
  return row === undefined || row.due_in === null ? null : Number(row.due_in);
}

/**
 * Counts a try of those rows that are still due and that nobody else takes, and gives them as they were before, by
 * ascending id. They are due again in so many seconds: by then whoever took them has ended them, or is dead.
 */
export async function lease(
  tx: Executor,
  { table, owner, isOpen, leased = '' }: LeasedQueue,
  args: { owner: number | string; ids: readonly number[]; seconds: number },
): Promise<Row[]> {
  const rows = await tx.select(
    `SELECT * FROM ${table} FORCE INDEX (PRIMARY)
     WHERE id IN (${placeholders(args.ids.length)}) AND ${owner} = ? AND ${isOpen} AND next_attempt_at <= NOW(6)
     ORDER BY id FOR UPDATE SKIP LOCKED`,
    [...args.ids, args.owner],
  );
  if (rows.length === 0) return [];
  await tx.run(
    `UPDATE ${table} SET ${leased} attempts = attempts + 1, next_attempt_at = NOW(6) + INTERVAL ? SECOND
     WHERE id IN (${placeholders(rows.length)})`,
    [args.seconds, ...rows.map((row) => int(row, 'id'))],
  );
  return rows;
}

/**
 * Whose work has been due for so long that a wake must have been lost: of webhooks also those that turned themselves off
 * with the owner still to be told, of mails and carriers' events the licenses.
 */
export async function listOverdue(db: Executor, args: { olderThanSeconds: number; limit: number }) {
  const values = [args.olderThanSeconds, args.limit];
  const owners = ({ table, owner, isOpen }: LeasedQueue) =>
    db.select(
      `SELECT DISTINCT ${owner} AS owner FROM ${table}
       WHERE ${isOpen} AND next_attempt_at < NOW(6) - INTERVAL ? SECOND LIMIT ?`,
      values,
    );
  const subscriptions = await owners(DELIVERIES);
  const webhooks = await db.select(
    `SELECT id, license_id FROM webhook_subscriptions WHERE id IN (${placeholders(subscriptions.length)})
     UNION
     (SELECT id, license_id FROM webhook_subscriptions
      WHERE is_active = FALSE AND disabled_reason IS NOT NULL AND owner_told_at IS NULL AND deleted_at IS NULL
        AND updated_at < NOW(6) - INTERVAL ? SECOND LIMIT ?)`,
    [...subscriptions.map((row) => text(row, 'owner')), ...values],
  );
  return {
    webhooks: webhooks.map((row) => ({
      subscriptionId: text(row, 'id'),
      licenseId: intOrNull(row, 'license_id'),
    })),
    mails: (await owners(MAILS)).map((row) => int(row, 'owner')),
    inbound: (await owners(INBOUND)).map((row) => int(row, 'owner')),
  };
}
