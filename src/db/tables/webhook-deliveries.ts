import { choice, id, instant, int, table, text } from './table.js';

/** The table `webhook_deliveries`. */
export const webhookDeliveries = table('webhook_deliveries', {
  id: id().primary(),
  uuid: text('CHAR(36)'),
  subscriptionId: text('CHAR(36)'),
  accountId: id(),
  shipmentId: id().null(),
  event: text('VARCHAR(64)'),
  eventId: text('CHAR(36)'),
  payload: text('TEXT'),
  status: choice('pending', 'succeeded', 'failed'),
  attempts: int('INT UNSIGNED'),
  attemptsAllowed: int('INT UNSIGNED'),
  nextAttemptAt: instant().null(),
  createdAt: instant(),
  completedAt: instant().null(),
});
