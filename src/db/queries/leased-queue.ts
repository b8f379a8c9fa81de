import type { Executor } from '../database.js';
import { int } from '../row.js';
import { expression, type Field, type Selection, shape } from '../selection.js';
import { placeholders } from '../sql.js';
import { inboundEvents, notificationLogs, webhookDeliveries, webhookSubscriptions } from '../tables/index.js';

/** A table whose pending rows are work due at `next_attempt_at`. */
export interface LeasedQueue<Owner extends number | string> {
  /** The table, with the alias of `row`. */
  table: string;
  row: { id: Field<number>; status: Field<string>; nextAttemptAt: Field<string | null> };
  /** Owner of the work: one workflow per owner. */
  owner: Field<Owner>;
  /** Further columns that a lease sets. */
  leased?: string;
}

const d = webhookDeliveries.as('d');
const n = notificationLogs.as('n');
const e = inboundEvents.as('e');
const w = webhookSubscriptions.as('w');

/** Events for webhook subscriptions. */
export const DELIVERIES: LeasedQueue<string> = {
  table: 'webhook_deliveries d',
  row: d,
  owner: d.subscriptionId,
};

/** Mails to the recipients of a license. An unfinished try was cut off. */
export const MAILS: LeasedQueue<number> = {
  table: 'notification_logs n',
  row: n,
  owner: n.licenseId,
  leased: `${n.lastError} = IF(${n.sendingSince} IS NULL, ${n.lastError}, 'A try was cut off when its process ended: the mail server may have taken the mail, which was then sent again.'),
    ${n.sendingSince} = NOW(6),`,
};

/** Events of the webhooks of a license's carrier. Never leased: the change and the event's end are one transaction. */
export const INBOUND: LeasedQueue<number> = { table: 'inbound_events e', row: e, owner: e.licenseId };

/** Milliseconds until the owner's next row is due, 0 or less if overdue; null without rows. */
export async function nextDueInMs<Owner extends number | string>(
  db: Executor,
  { table, row, owner }: LeasedQueue<Owner>,
  ownerId: Owner,
): Promise<number | null> {
  const dueIn = `CEIL(TIMESTAMPDIFF(MICROSECOND, NOW(6), MIN(${row.nextAttemptAt})) / 1000)`;
  return await expression(dueIn, int)
    .or(null)
    .first(db, `FROM ${table} WHERE ${owner} = ? AND ${row.status} = 'pending'`, [ownerId]);
}

/**
 * Leases the rows that are still due and not locked: counts a try, and returns them as they were, by ascending id. They
 * are due again after `seconds`; until then the process that took them has ended them, or is dead.
 */
export async function lease<T extends { id: number }, Owner extends number | string>(
  tx: Executor,
  { table, row, owner, leased = '' }: LeasedQueue<Owner>,
  what: Selection<T>,
  args: { owner: Owner; ids: readonly number[]; seconds: number },
): Promise<T[]> {
  const rows = await what.select(
    tx,
    `FROM ${table} FORCE INDEX (PRIMARY)
     WHERE ${row.id} IN (${placeholders(args.ids.length)}) AND ${owner} = ? AND ${row.status} = 'pending'
       AND ${row.nextAttemptAt} <= NOW(6)
     ORDER BY ${row.id} FOR UPDATE SKIP LOCKED`,
    [...args.ids, args.owner],
  );
  if (rows.length === 0) return [];
  await tx.run(
    `UPDATE ${table} SET ${leased} attempts = attempts + 1, ${row.nextAttemptAt} = NOW(6) + INTERVAL ? SECOND
     WHERE ${row.id} IN (${placeholders(rows.length)})`,
    [args.seconds, ...rows.map(({ id }) => id)],
  );
  return rows;
}

/**
 * Owners whose work is overdue, so that a wake must have been lost. Webhooks include those that turned themselves off
 * and whose owner is not notified yet.
 */
export async function listOverdue(db: Executor, args: { olderThanSeconds: number; limit: number }) {
  const values = [args.olderThanSeconds, args.limit];
  const owners = async <Owner extends number | string>({ table, row, owner }: LeasedQueue<Owner>) => {
    const rows = await db.select(
      `SELECT DISTINCT ${owner.list} FROM ${table}
       WHERE ${row.status} = 'pending' AND ${row.nextAttemptAt} < NOW(6) - INTERVAL ? SECOND LIMIT ?`,
      values,
    );
    return rows.map((found) => owner.read(found));
  };
  const subscriptions = await owners(DELIVERIES);
  const webhook = shape({ subscriptionId: w.id, licenseId: w.licenseId });
  const webhooks = await webhook.select(
    db,
    `FROM webhook_subscriptions w WHERE ${w.id} IN (${placeholders(subscriptions.length)})
     UNION
     (SELECT ${webhook.list} FROM webhook_subscriptions w
      WHERE ${w.isActive} = FALSE AND ${w.disabledReason} IS NOT NULL AND ${w.ownerToldAt} IS NULL
        AND ${w.deletedAt} IS NULL AND ${w.updatedAt} < NOW(6) - INTERVAL ? SECOND LIMIT ?)`,
    [...subscriptions, ...values],
  );
  return { webhooks, mails: await owners(MAILS), inbound: await owners(INBOUND) };
}
