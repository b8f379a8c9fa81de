import type { JsonObject } from '../../domain/shipment.js';
import type { Database, Executor } from '../database.js';
import { int, jsonObject, text } from '../row.js';
import { lease, MAILS } from './leased-queue.js';

/** A mail that this process alone may send until its lease ends. */
export interface ClaimedMail {
  id: number;
  accountId: number;
  licenseId: number;
  shipmentId: number;
  event: string;
  eventId: string;
  data: JsonObject;
  /** Number of this try, from 1. */
  attempt: number;
}

/** Ids of a license's mails whose time has come, longest due first. */
export async function listDueMails(
  db: Executor,
  args: { licenseId: number; limit: number },
): Promise<number[]> {
  const rows = await db.select(
    `SELECT id FROM notification_logs
     WHERE license_id = ? AND status = 'pending' AND next_attempt_at <= NOW(6)
     ORDER BY next_attempt_at, id LIMIT ?`,
    [args.licenseId, args.limit],
  );
  return rows.map((row) => int(row, 'id'));
}

/**
 * Marks a due mail as being sent, before it is: when this process dies, the mail is due again as the lease ends.
 * Null when another process was faster.
 */
export async function claimMail(
  db: Database,
  args: { licenseId: number; id: number; leaseSeconds: number },
): Promise<ClaimedMail | null> {
  const { licenseId: owner, id, leaseSeconds: seconds } = args;
  const [row] = await db.transaction((tx) => lease(tx, MAILS, { owner, ids: [id], seconds }));
  if (row === undefined) return null;
  return {
    id: int(row, 'id'),
    accountId: int(row, 'account_id'),
    licenseId: int(row, 'license_id'),
    shipmentId: int(row, 'shipment_id'),
    event: text(row, 'event'),
    eventId: text(row, 'event_id'),
    data: jsonObject(row, 'data'),
    attempt: int(row, 'attempts') + 1,
  };
}

/** Whether a mail about this event of the shipment was recorded, whatever has become of it. */
export async function hasMail(
  db: Executor,
  { licenseId, shipmentId, event }: { licenseId: number; shipmentId: number; event: string },
): Promise<boolean> {
  const rows = await db.select(
    'SELECT id FROM notification_logs WHERE license_id = ? AND shipment_id = ? AND event = ? LIMIT 1',
    [licenseId, shipmentId, event],
  );
  return rows.length > 0;
}

/**
 * Counts a mail that is begun among the license's of the day (UTC); false, and not counted, where it has begun as many as
 * it may.
 */
export async function countMail(
  db: Executor,
  { licenseId, perDay }: { licenseId: number; perDay: number },
): Promise<boolean> {
  const { affectedRows } = await db.run(
    `UPDATE notification_settings
     SET mails_begun = IF(mails_on = UTC_DATE(), mails_begun + 1, 1), mails_on = UTC_DATE(), updated_at = updated_at
     WHERE license_id = ? AND (mails_on IS NULL OR mails_on <> UTC_DATE() OR mails_begun < ?)`,
    [licenseId, perDay],
  );
  return affectedRows > 0;
}

/** Shows in the log what is being sent to whom. */
export async function noteMailContent(
  db: Executor,
  mail: ClaimedMail,
  content: { recipient: string; templateId: number | null; subject: string },
): Promise<void> {
  await db.run(
    `UPDATE notification_logs SET recipient = ?, template_id = ?, subject = ?
     WHERE id = ? AND license_id = ? AND attempts = ?`,
    [content.recipient, content.templateId, content.subject, mail.id, mail.licenseId, mail.attempt],
  );
}

/** How a try ended. `retry`: not taken, or perhaps not; due again after so many seconds. */
export type MailOutcome =
  | { kind: 'sent' }
  | { kind: 'failed' | 'skipped'; reason: string }
  | { kind: 'retry'; reason: string; afterSeconds: number };

/** Ends a try. A try that lost its lease to a later one changes nothing, unless the mail was sent. */
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
