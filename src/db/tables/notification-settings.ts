import { flag, id, instant, int, json, table, text } from './table.js';

/** The table `notification_settings`. */
export const notificationSettings = table('notification_settings', {
  licenseId: id().primary(),
  accountId: id(),
  enabled: flag(),
  events: json(),
  fromName: text('VARCHAR(100)').null(),
  replyTo: text('VARCHAR(255)').null(),
  mailsOn: text('DATE').null(),
  mailsBegun: int('INT UNSIGNED'),
  createdAt: instant(),
  updatedAt: instant(),
});
