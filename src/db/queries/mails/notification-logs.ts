import type { JsonObject } from '../../../domain/shipment.js';
import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { notificationLogs } from '../../tables/notification-logs.js';
import { shipments } from '../../tables/shipments.js';
import { type KeysetPage, type KeysetQuery, selectPage } from '../keyset.js';

/** One mail to be sent to a shipment's recipient, as the event that causes it knows it. */
export interface NewNotification {
  accountId: number;
  licenseId: number;
  /** Row id of the shipment. */
  shipmentId: number;
  /** The event's name, such as `shipment.delivered`. */
  event: string;
  /** UUID of the event, equal to the one that webhooks carry. */
  eventId: string;
  /** The event's data as webhooks carry it; no recipient in it. */
  data: JsonObject;
}

/** Ends of a mail, and `pending` before one. */
export const NOTIFICATION_STATUSES = ['pending', 'sent', 'failed', 'skipped'] as const;

/** One of {@link NOTIFICATION_STATUSES}. */
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number];

const n = notificationLogs.as('n');
const s = shipments.as('s');
const LOG = shape({
  id: n.id,
  event: n.event,
  eventId: n.eventId,
  shipmentUuid: s.uuid,
  /** Address that it was, or will be, sent to; null before the first try. */
  recipient: n.recipient,
  /** Null for a built-in template. */
  templateId: n.templateId,
  subject: n.subject,
  status: n.status,
  attempts: n.attempts,
  nextAttemptAt: n.nextAttemptAt,
  lastError: n.lastError,
  createdAt: n.createdAt,
  sentAt: n.sentAt,
});

/** A mail as the log shows it. Timestamps: ISO 8601 UTC with microseconds. */
export type NotificationLogRecord = Selected<typeof LOG>;

/** Records a mail to be sent at once, inside the transaction of its event; the same event again changes nothing. */
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

/** A license's log newest first: rows of a page as `selectPage` gives them. */
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
  // Left alone, MariaDB reads the mails of all events.
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
