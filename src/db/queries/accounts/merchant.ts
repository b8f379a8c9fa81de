import { text } from '../../row.js';
import { expression, shape } from '../../selection.js';
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

/**
 * The company of the license of the shipment `s`, such as HFD, by which people know its carrier; the carrier's own name
 * is its protocol's. A license that moved to another carrier does not name earlier parcels. `r`: the carrier.
 */
export const COMPANY_NAME = expression(
  `COALESCE((SELECT co.name FROM licenses cl JOIN companies co ON co.id = cl.company_id
         WHERE cl.id = s.license_id AND co.carrier_id = s.carrier_id), r.name)`,
  text,
);
