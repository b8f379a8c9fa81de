import { text } from '../../row.js';
import { expression } from '../../selection.js';

/**
 * What people know the carrier of the shipment `s` as: the company of its license, such as HFD, where the carrier's own
 * name is the protocol's. A license that has moved to another carrier tells nothing of earlier parcels. `r` is the carrier.
 */
export const COMPANY_NAME = expression(
  `COALESCE((SELECT co.name FROM licenses cl JOIN companies co ON co.id = cl.company_id
         WHERE cl.id = s.license_id AND co.carrier_id = s.carrier_id), r.name)`,
  text,
);
