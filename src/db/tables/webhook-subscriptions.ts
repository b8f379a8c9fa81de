import { bytes, flag, id, instant, table, text, texts } from './table.js';

/** The table `webhook_subscriptions`. */
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
  previousSecret: bytes('VARBINARY(255)').null(),
  previousSecretUntil: instant().null(),
  failingSince: instant().null(),
  disabledReason: text('VARCHAR(32)').null(),
  ownerToldAt: instant().null(),
  deletedAt: instant().null(),
  createdAt: instant(),
  updatedAt: instant(),
});
