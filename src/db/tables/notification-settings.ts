import { flag, id, instant, int, table, text, texts } from './table.js';

/** The table `notification_settings`. */
export const notificationSettings = table('notification_settings', {
  licenseId: id().primary(),
  accountId: id(),
  enabled: flag(),
  events: texts(),
  fromName: text('VARCHAR(100)').null(),
  replyTo: text('VARCHAR(255)').null(),
  mailsOn: text('DATE').null(),
  mailsBegun: int('INT UNSIGNED'),
  createdAt: instant(),
  updatedAt: instant(),
});
