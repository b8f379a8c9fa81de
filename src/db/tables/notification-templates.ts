import { isShipmentEvent } from '../../domain/events.js';
import { guarded, id, instant, table, text } from './table.js';

/** The table `notification_templates`. */
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
