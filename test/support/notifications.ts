import type { Database } from '../../src/db/database.js';
import { insertNotification } from '../../src/db/queries/mails/notification-logs.js';
import { saveNotificationSettings } from '../../src/db/queries/mails/notification-settings.js';
import { SHIPMENT_EVENTS, type ShipmentEvent } from '../../src/domain/events.js';
import type { NotificationSettings } from '../../src/domain/notifications.js';
import { uuidV7 } from '../../src/lib/ids.js';
import { createWaker } from '../../src/temporal/wake.js';
import { insertTestLicense, insertTestShipment, type TestLicense } from './factories.js';
import type { TestStack } from './stack.js';

/** A license of the stack's account with mails on every event by default. */
export async function notifyingLicense(
  stack: TestStack,
  settings: Partial<NotificationSettings> = {},
): Promise<TestLicense> {
  const license = await insertTestLicense(stack.db, { accountId: stack.account.id });
  await saveNotificationSettings(stack.db, {
    accountId: license.accountId,
    licenseId: license.licenseId,
    settings: { enabled: true, events: [...SHIPMENT_EVENTS], fromName: null, replyTo: null, ...settings },
  });
  return license;
}

/** Records an event of a given or new shipment, and returns the event's id. */
export async function recordMail(
  db: Database,
  license: TestLicense,
  args: {
    event?: ShipmentEvent;
    email?: string | null;
    data?: Record<string, unknown>;
    shipmentId?: number;
  } = {},
): Promise<string> {
  const { event = 'shipment.created', email = 'dana@example.test', data = {} } = args;
  const shipmentId =
    args.shipmentId ?? (await insertTestShipment(db, license, { recipient_email: email })).id;
  const eventId = uuidV7();
  const { accountId, licenseId } = license;
  await insertNotification(db, { accountId, licenseId, shipmentId, event, eventId, data });
  return eventId;
}

/** Wakes the license's workflow like the API. */
export async function wakeMail(stack: TestStack, license: TestLicense): Promise<void> {
  const troubles: unknown[] = [];
  const waker = createWaker(stack.temporal, {
    onTrouble: (error) => troubles.push(error),
    summaryOf: async () => null,
  });
  waker.wake([{ kind: 'mail', licenseId: license.licenseId }]);
  await waker.close();
  if (troubles.length > 0) throw troubles[0];
}

/** The log row of an event's mail. */
export async function mailRow(db: Database, eventId: string) {
  const [row] = await db.select('SELECT * FROM notification_logs WHERE event_id = ?', [eventId]);
  if (row === undefined) throw new Error(`no mail for the event ${eventId}`);
  return row;
}

/** Makes all pending mails of the license due. */
export async function makeMailsDue(db: Database, license: TestLicense): Promise<void> {
  await db.run(
    `UPDATE notification_logs SET next_attempt_at = NOW(6) WHERE license_id = ? AND status = 'pending'`,
    [license.licenseId],
  );
}
