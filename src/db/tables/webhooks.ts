import { bytes, choice, flag, id, instant, int, json, table, text, texts } from './table.js';

export const webhookSubscriptions = table('webhook_subscriptions', {
  id: text('CHAR(36)').primary(),
  accountId: id(),
  /** Null where a store site serves every license of the account. */
  licenseId: id().null(),
  /** The store site notified through its plugin's routes; null for a webhook. */
  storeSiteId: id().null(),
  url: text('VARCHAR(2048)'),
  events: texts(),
  isActive: flag(),
  secret: bytes('VARBINARY(255)'),
  /** Replaced ones, the newest first, each sealed in base64 and with the time until which it signs. */
  olderSecrets: json().null(),
  failingSince: instant().null(),
  disabledReason: text('VARCHAR(32)').null(),
  ownerToldAt: instant().null(),
  deletedAt: instant().null(),
  createdAt: instant(),
  updatedAt: instant(),
});

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

export const webhookAttempts = table('webhook_attempts', {
  id: id().primary(),
  deliveryId: id(),
  number: int('INT UNSIGNED'),
  state: choice('sending', 'succeeded', 'failed', 'unknown'),
  startedAt: instant(),
  durationMs: int('INT UNSIGNED').null(),
  responseStatus: int('SMALLINT UNSIGNED').null(),
  responseBody: text('TEXT').null(),
  error: text('VARCHAR(500)').null(),
});
