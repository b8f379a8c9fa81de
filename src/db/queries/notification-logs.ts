import type { JsonObject } from '../../domain/shipment.js';
import type { Executor, Row } from '../database.js';
import { int, intOrNull, iso, isoOrNull, text, textOrNull } from '../row.js';
import { type KeysetPage, type KeysetQuery, selectPage } from './keyset.js';

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

/** A mail as the log shows it. Timestamps: ISO 8601 UTC with microseconds. */
export interface NotificationLogRecord {
  id: number;
  event: string;
  eventId: string;
  shipmentUuid: string;
  /** Address that it was, or will be, sent to; null before the first try. */
  recipient: string | null;
  /** Null for a built-in template. */
  templateId: number | null;
  subject: string | null;
  status: NotificationStatus;
  attempts: number;
  nextAttemptAt: string | null;
  lastError: string | null;
  createdAt: string;
  sentAt: string | null;
}

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
  const query = {
    select: `SELECT n.id, n.event, n.event_id, s.uuid, n.recipient, n.template_id, n.subject, n.status, n.attempts,
       n.next_attempt_at, n.last_error, n.created_at, n.sent_at
     FROM notification_logs n ${key} JOIN shipments s ON s.id = n.shipment_id`,
    where: [
      ['n.account_id = ?', args.accountId],
      ['n.license_id = ?', args.licenseId],
      ['n.status = ?', args.status],
      ['n.event = ?', args.event],
      ['s.uuid = ?', args.shipmentUuid],
    ],
    id: 'n.id',
  } satisfies KeysetQuery;
  const rows = await selectPage(db, query, args);
  return rows.map(toLog);
}

function toLog(row: Row): NotificationLogRecord {
  const status = NOTIFICATION_STATUSES.find((one) => one === text(row, 'status'));
  if (status === undefined) throw new TypeError('Column status holds no notification status.');
  return {
    id: int(row, 'id'),
    event: text(row, 'event'),
    eventId: text(row, 'event_id'),
    shipmentUuid: text(row, 'uuid'),
    recipient: textOrNull(row, 'recipient'),
    templateId: intOrNull(row, 'template_id'),
    subject: textOrNull(row, 'subject'),
    status,
    attempts: int(row, 'attempts'),
    nextAttemptAt: isoOrNull(row, 'next_attempt_at'),
    lastError: textOrNull(row, 'last_error'),
    createdAt: iso(row, 'created_at'),
    sentAt: isoOrNull(row, 'sent_at'),
  };
}
