import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { notificationLogs, shipments } from '../../tables/index.js';
import type { RowOf } from '../../tables/table.js';
import { allOf, type KeysetPage, type KeysetQuery, selectPage } from '../keyset.js';

/** The final statuses of a mail, and `pending`. */
export const NOTIFICATION_STATUSES = ['pending', 'sent', 'failed', 'skipped'] as const;

/** One of {@link NOTIFICATION_STATUSES}. */
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number];

const n = notificationLogs.as('n');
const s = shipments.as('s');
/** How a mail stands. */
const MAIL_STATE = {
  status: n.status,
  attempts: n.attempts,
  nextAttemptAt: n.nextAttemptAt,
  lastError: n.lastError,
  createdAt: n.createdAt,
  sentAt: n.sentAt,
};
const LOG = shape({
  id: n.id,
  event: n.event,
  eventId: n.eventId,
  shipmentUuid: s.uuid,
  /** Recipient's address; null before the first try. */
  recipient: n.recipient,
  /** Null for a built-in template. */
  templateId: n.templateId,
  subject: n.subject,
  ...MAIL_STATE,
});

/** A mail as the log shows it. Timestamps: ISO 8601 UTC with microseconds. */
export type NotificationLogRecord = Selected<typeof LOG>;

/** Records a mail for immediate sending, inside the transaction of its event. Idempotent per event. */
export async function insertNotification(
  tx: Executor,
  notification: Pick<
    RowOf<typeof notificationLogs>,
    'accountId' | 'licenseId' | 'shipmentId' | 'event' | 'eventId' | 'data'
  >,
): Promise<void> {
  await tx.run(
    `INSERT INTO notification_logs (account_id, license_id, shipment_id, event, event_id, data, next_attempt_at)
     VALUES (?, ?, ?, ?, ?, ?, NOW(6)) ON DUPLICATE KEY UPDATE event_id = VALUES(event_id)`,
    [
      notification.accountId,
      notification.licenseId,
      notification.shipmentId,
      notification.event,
      notification.eventId,
      JSON.stringify(notification.data),
    ],
  );
}

/** A license's log newest first: rows of a page as `selectPage` returns them. */
export async function listNotificationLogs(
  db: Executor,
  args: KeysetPage & {
    accountId: number;
    licenseId: number;
    status?: NotificationStatus | undefined;
    event?: string | undefined;
    shipmentUuid?: string | undefined;
  },
): Promise<NotificationLogRecord[]> {
  // Without the hint MariaDB reads the mails of all events.
  const isOfEvent = args.event !== undefined && args.shipmentUuid === undefined;
  const key = isOfEvent ? 'FORCE INDEX (notification_logs_of_event)' : '';
  const query: KeysetQuery = {
    from: `notification_logs n ${key} JOIN shipments s ON ${s.id} = ${n.shipmentId}`,
    where: [
      [`${n.accountId} = ?`, args.accountId],
      [`${n.licenseId} = ?`, args.licenseId],
      [`${n.status} = ?`, args.status],
      [`${n.event} = ?`, args.event],
      [`${s.uuid} = ?`, args.shipmentUuid],
    ],
    id: `${n.id}`,
  };
  return await selectPage(db, LOG, query, args);
}

const MAIL = shape({
  id: n.id,
  accountId: n.accountId,
  licenseId: n.licenseId,
  shipment: s.uuid,
  event: n.event,
  ...MAIL_STATE,
});

/** A mail to a recipient, without who that is. Times: ISO 8601 UTC. */
export type MailOverview = Selected<typeof MAIL>;

/** The newest mails, 200 at most, of an account or license, or of all. For the operator. */
export async function listLatestMails(
  db: Executor,
  filter: {
    id?: number;
    accountId?: number | undefined;
    licenseId?: number | undefined;
    status?: NotificationStatus | undefined;
  },
): Promise<MailOverview[]> {
  const { sql, params } = allOf([
    ['TRUE'],
    ['n.id = ?', filter.id],
    ['n.account_id = ?', filter.accountId],
    ['n.license_id = ?', filter.licenseId],
    ['n.status = ?', filter.status],
  ]);
  return await MAIL.select(
    db,
    `FROM notification_logs n JOIN shipments s ON s.id = n.shipment_id WHERE ${sql} ORDER BY n.id DESC LIMIT 200`,
    params,
  );
}

/** Makes a mail that failed or was skipped due at once, with all its tries; false where it is neither. */
export async function requeueMail(db: Executor, id: number): Promise<boolean> {
  const { affectedRows } = await db.run(
    `UPDATE notification_logs
     SET status = 'pending', attempts = 0, next_attempt_at = NOW(6), sending_since = NULL, last_error = NULL
     WHERE id = ? AND status IN ('failed', 'skipped')`,
    [id],
  );
  return affectedRows === 1;
}
