import { id, instant, table, text } from './table.js';

/** The table `notification_templates`. */
export const notificationTemplates = table('notification_templates', {
  id: id().auto(),
  accountId: id(),
  licenseId: id(),
  event: text('VARCHAR(64)'),
  locale: text('VARCHAR(16)'),
  subject: text('VARCHAR(255)'),
  body: text('MEDIUMTEXT'),
  createdAt: instant(),
  updatedAt: instant(),
});
