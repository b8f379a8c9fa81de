import type { MailFacts } from '../../domain/notifications.js';
import type { Row } from '../database.js';
import { text } from '../row.js';

/** What {@link toMerchant} reads, of the table `accounts` as `a`. */
export const MERCHANT_COLUMNS =
  'a.name AS account_name, a.company_name, a.company_logo, a.company_color, a.support_email, a.support_phone';

/** A merchant as recipients and mails know it. */
export function toMerchant(row: Row): MailFacts['merchant'] {
  return {
    name: text(row, 'company_name') || text(row, 'account_name'),
    email: text(row, 'support_email'),
    phone: text(row, 'support_phone'),
    logo: text(row, 'company_logo'),
    color: text(row, 'company_color'),
  };
}
