import { isShipmentEvent } from '../../domain/events.js';
import { bytes, choice, flag, guarded, id, instant, int, jsonObject, table, text, texts } from './table.js';

export const notificationSettings = table('notification_settings', {
  licenseId: id().primary(),
  accountId: id(),
  enabled: flag(),
  events: texts(),
  fromName: text('VARCHAR(100)').null(),
  replyTo: text('VARCHAR(255)').null(),
  mailsOn: text('DATE').null(),
  mailsBegun: int('INT UNSIGNED'),
  droppedOn: text('DATE').null(),
  mailsDropped: int('INT UNSIGNED'),
  createdAt: instant(),
  updatedAt: instant(),
});

export const notificationTemplates = table('notification_templates', {
  id: id().primary(),
  accountId: id(),
  licenseId: id(),
  event: guarded('VARCHAR(64)', isShipmentEvent),
  /** Two-letter language. */
  locale: text('VARCHAR(16)'),
  subject: text('VARCHAR(255)'),
  body: text('MEDIUMTEXT'),
  createdAt: instant(),
  updatedAt: instant(),
});

export const notificationLogs = table('notification_logs', {
  id: id().primary(),
  accountId: id(),
  licenseId: id(),
  shipmentId: id(),
  /** The event's name, such as `shipment.delivered`. */
  event: text('VARCHAR(64)'),
  /** UUID of the event, the same as in webhooks. */
  eventId: text('CHAR(36)'),
  /** The event's data as in webhooks, without the recipient. */
  data: jsonObject(),
  recipient: text('VARCHAR(255)').null(),
  templateId: id().null(),
  subject: text('VARCHAR(500)').null(),
  status: choice('pending', 'sent', 'failed', 'skipped'),
  attempts: int('INT UNSIGNED'),
  nextAttemptAt: instant().null(),
  sendingSince: instant().null(),
  lastError: text('VARCHAR(500)').null(),
  createdAt: instant(),
  sentAt: instant().null(),
});

/** Recipients who want no mails of an account, by a keyed hash of their address. */
export const mailStops = table('mail_stops', {
  accountId: id().primary(),
  addressHash: bytes('BINARY(32)').primary(),
  createdAt: instant(),
});
