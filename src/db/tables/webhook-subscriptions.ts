import { bytes, flag, id, instant, json, table, text } from './table.js';

/** The table `webhook_subscriptions`. */
export const webhookSubscriptions = table('webhook_subscriptions', {
  id: text('CHAR(36)').primary(),
  accountId: id(),
  licenseId: id().null(),
  storeSiteId: id().null(),
  url: text('VARCHAR(2048)'),
  events: json(),
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
