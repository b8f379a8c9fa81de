import type { Database, Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { notificationLogs } from '../../tables/index.js';
import { lease, MAILS } from '../leased-queue.js';

const n = notificationLogs.as('n');
const CLAIMED = shape({
  id: n.id,
  accountId: n.accountId,
  licenseId: n.licenseId,
  shipmentId: n.shipmentId,
  event: n.event,
  eventId: n.eventId,
  data: n.data,
  /** Number of this try, from 1. */
  attempt: n.attempts.map((made) => made + 1),
});

/** A mail that only this process may send until its lease ends. */
export type ClaimedMail = Selected<typeof CLAIMED>;

/** Ids of a license's due mails, longest due first. */
export async function listDueMails(
  db: Executor,
  args: { licenseId: number; limit: number },
): Promise<number[]> {
  return await n.id.select(
    db,
    `FROM notification_logs n
     WHERE ${n.licenseId} = ? AND ${n.status} = 'pending' AND ${n.nextAttemptAt} <= NOW(6)
     ORDER BY ${n.nextAttemptAt}, ${n.id} LIMIT ?`,
    [args.licenseId, args.limit],
  );
}

/**
 * Marks a due mail as being sent beforehand: if the process dies, it is due again when the lease ends. Null when
 * another process took it.
 */
export async function claimMail(
  db: Database,
  args: { licenseId: number; id: number; leaseSeconds: number },
): Promise<ClaimedMail | null> {
  const { licenseId: owner, id, leaseSeconds: seconds } = args;
  const [mail] = await db.transaction((tx) => lease(tx, MAILS, CLAIMED, { owner, ids: [id], seconds }));
  return mail ?? null;
}

/** Whether a mail about this event of the shipment was recorded, in any status. */
export async function hasMail(
  db: Executor,
  { licenseId, shipmentId, event }: { licenseId: number; shipmentId: number; event: string },
): Promise<boolean> {
  const found = await n.id.first(
    db,
    `FROM notification_logs n WHERE ${n.licenseId} = ? AND ${n.shipmentId} = ? AND ${n.event} = ? LIMIT 1`,
    [licenseId, shipmentId, event],
  );
  return found !== null;
}

/**
 * Counts a mail towards the license's daily limit (UTC); false when the limit is reached, and counted as dropped.
 */
export async function countMail(
  db: Executor,
  { licenseId, perDay }: { licenseId: number; perDay: number },
): Promise<boolean> {
  const begun = await db.run(
    `UPDATE notification_settings
     SET mails_begun = IF(mails_on = UTC_DATE(), mails_begun + 1, 1), mails_on = UTC_DATE(), updated_at = updated_at
     WHERE license_id = ? AND IF(mails_on = UTC_DATE(), mails_begun, 0) < ?`,
    [licenseId, perDay],
  );
  if (begun.affectedRows > 0) return true;
  await db.run(
    `UPDATE notification_settings
     SET mails_dropped = IF(dropped_on = UTC_DATE(), mails_dropped + 1, 1), dropped_on = UTC_DATE(),
         updated_at = updated_at
     WHERE license_id = ?`,
    [licenseId],
  );
  return false;
}

/** Records the content and the recipient in the log. */
export async function noteMailContent(
  db: Executor,
  mail: ClaimedMail,
  content: { recipient: string; templateId: number | null; subject: string },
): Promise<void> {
  const { id, accountId, licenseId, attempt: attempts } = mail;
  await notificationLogs.update(db, { id, accountId, licenseId, attempts }, content);
}

/** How a try ended. `retry`: not accepted, or unknown; due again after `seconds`. */
export type MailOutcome =
  | { kind: 'sent' }
  | { kind: 'failed' | 'skipped'; reason: string }
  | { kind: 'retry'; reason: string; afterSeconds: number };

/** Ends a try. A try whose lease a later one took changes nothing, unless the mail was sent. */
export async function finishMail(db: Executor, mail: ClaimedMail, outcome: MailOutcome): Promise<void> {
  if (outcome.kind === 'sent') {
    await db.run(
      `UPDATE notification_logs SET status = 'sent', sent_at = NOW(6), next_attempt_at = NULL, sending_since = NULL
       WHERE id = ? AND license_id = ? AND status = 'pending'`,
      [mail.id, mail.licenseId],
    );
    return;
  }
  const isRetry = outcome.kind === 'retry';
  await db.run(
    `UPDATE notification_logs
     SET status = ?, last_error = ?, sending_since = NULL,
         next_attempt_at = ${isRetry ? 'NOW(6) + INTERVAL ? SECOND' : 'NULL'}
     WHERE id = ? AND license_id = ? AND status = 'pending' AND attempts = ?`,
    [
      isRetry ? 'pending' : outcome.kind,
      outcome.reason.slice(0, 500),
      ...(isRetry ? [outcome.afterSeconds] : []),
      mail.id,
      mail.licenseId,
      mail.attempt,
    ],
  );
}
