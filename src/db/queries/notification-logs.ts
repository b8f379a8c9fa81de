import type { JsonObject } from '../../domain/shipment.js';
import type { Executor } from '../database.js';

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
