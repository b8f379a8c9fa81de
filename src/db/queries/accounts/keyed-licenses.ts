import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { carriers, companies, licenseSettings, licenses } from '../../tables/index.js';
import { LICENSE_SUMMARY } from './accounts.js';

const l = licenses.as('l');
const c = companies.as('c');
const r = carriers.as('r');
const t = licenseSettings.as('t');
const KEYED = shape({
  ...LICENSE_SUMMARY,
  accountId: l.accountId,
  companyId: l.companyId,
  carrier: shape(r),
  domain: l.domain,
  /** Whether its company is for premium members only. */
  isPremium: c.isPremium,
  /** Order statuses that block shipments. */
  blockedStatuses: l.blockedStatuses.map(textsIn),
  /** Empty texts where the license has no collection address. */
  collectFrom: shape({
    street: t.collectStreet.or(''),
    number: t.collectStreetNumber.or(''),
    city: t.collectCity.or(''),
    company: t.collectCompany.or(''),
  }),
  printProductsOnLabelNotes: t.printProductsOnLabelNotes.or(false),
  printProductsSku: t.printProductsSku.or(false),
  printVariations: t.printVariations.or(false),
  printVirtualProductOnNote: t.printVirtualProductOnNote.or(false),
});

/** A license as API v1 finds it by its key alone. Timestamps: ISO 8601 UTC with microseconds. */
export type KeyedLicense = Selected<typeof KEYED>;

/** The license of a key (case-sensitive), usable or not, in one statement; null when there is none. */
export async function findLicenseByKey(db: Executor, key: string): Promise<KeyedLicense | null> {
  const found = await KEYED.first(
    db,
    `FROM licenses l
     JOIN accounts a ON a.id = l.account_id
     JOIN companies c ON c.id = l.company_id
     JOIN carriers r ON r.id = c.carrier_id
     LEFT JOIN license_settings t ON t.license_id = l.id AND t.provider_id = c.carrier_id
     WHERE l.license_key = ?`,
    [key],
  );
  // MySQL ignores trailing spaces in comparisons of this collation.
  return found?.key === key ? found : null;
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
