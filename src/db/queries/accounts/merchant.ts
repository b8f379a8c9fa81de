import { shape } from '../../selection.js';
import { accounts } from '../../tables/index.js';

const a = accounts.as('a');

/** A merchant as recipients and mails see it, from the table `accounts` as `a`. */
export const MERCHANT = shape({
  company: a.companyName,
  account: a.name,
  email: a.supportEmail,
  phone: a.supportPhone,
  logo: a.companyLogo,
  color: a.companyColor,
}).map(({ company, account, ...rest }) => ({ name: company || account, ...rest }));
