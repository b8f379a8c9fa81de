import { choice, id, instant, int, jsonObject, table, text } from './table.js';

/** The table `notification_logs`. */
export const notificationLogs = table('notification_logs', {
  id: id().primary(),
  accountId: id(),
  licenseId: id(),
  shipmentId: id(),
  event: text('VARCHAR(64)'),
  eventId: text('CHAR(36)'),
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
