import type { AccountRecord } from '../../../db/queries/accounts/accounts.js';
import { presentOwner } from '../../presented.js';
import type { License } from '../licenses/schema.js';
import type { Account } from './schema.js';

/** An account; a logo stored as a path becomes an absolute URL. */
export function presentAccount(record: AccountRecord, licenses: License[], baseUrl: string): Account {
  return {
    ...presentOwner(record),
    company_logo: record.companyLogo.startsWith('/') ? baseUrl + record.companyLogo : record.companyLogo,
    trackerPage_contact_info: record.trackerPageContactInfo,
    licenses,
  };
}
