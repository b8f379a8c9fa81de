import type { JsonObject } from '../../../domain/shipment.js';
import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { notificationLogs, shipments } from '../../tables/index.js';
import { type KeysetPage, type KeysetQuery, selectPage } from '../keyset.js';

/** One mail to a shipment's recipient, as its event defines it. */
interface NewNotification {
  accountId: number;
  licenseId: number;
  /** Row id of the shipment. */
  shipmentId: number;
  /** The event's name, such as `shipment.delivered`. */
  event: string;
  /** UUID of the event, the same as in webhooks. */
  eventId: string;
  /** The event's data as in webhooks, without the recipient. */
  data: JsonObject;
}

/** The final statuses of a mail, and `pending`. */
export const NOTIFICATION_STATUSES = ['pending', 'sent', 'failed', 'skipped'] as const;

/** One of {@link NOTIFICATION_STATUSES}. */
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number];

const n = notificationLogs.as('n');
const s = shipments.as('s');
/** How a mail of `notification_logs n` stands. */
export const MAIL_STATE = {
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
export async function insertNotification(tx: Executor, notification: NewNotification): Promise<void> {
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
