import type { JsonObject } from '../../../domain/shipment.js';
import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { carriers, licenseSettings, licenses } from '../../tables/index.js';
import { type NewLicense, type NewLicenseSettings, settingsColumns } from './license-setup.js';

const l = licenses.as('l');
const r = carriers.as('r');
const HEAD = shape({
  id: l.id,
  key: l.licenseKey,
  name: l.name,
  accountId: l.accountId,
  companyId: l.companyId,
  carrierId: r.id,
  provider: r.provider,
  isActive: l.isActive,
  expiresAt: l.expiresAt,
});
const TABLES = 'licenses l JOIN companies c ON c.id = l.company_id JOIN carriers r ON r.id = c.carrier_id';

/** A license in the list of all licenses. `expiresAt`: ISO 8601 UTC with microseconds. */
export type LicenseHead = Selected<typeof HEAD>;

/** Licenses after an id, by ascending id; of one account, or of all. */
export async function listLicenseHeads(
  db: Executor,
  page: { accountId: number | undefined; afterId: number; limit: number },
): Promise<LicenseHead[]> {
  const [filter, values] =
    page.accountId === undefined ? ['', []] : ['AND l.account_id = ?', [page.accountId]];
  return await HEAD.select(db, `FROM ${TABLES} WHERE l.id > ? ${filter} ORDER BY l.id LIMIT ${page.limit}`, [
    page.afterId,
    ...values,
  ]);
}

/** The license with this id or key; null when there is none. Digits alone always mean an id; `key:12` is a key. */
export async function findLicenseHead(db: Executor, keyOrId: string): Promise<LicenseHead | null> {
  if (/^[1-9]\d{0,15}$/.test(keyOrId)) {
    return await HEAD.first(db, `FROM ${TABLES} WHERE l.id = ?`, [Number(keyOrId)]);
  }
  const key = keyOrId.replace(/^key:/, '');
  const byKey = await HEAD.first(db, `FROM ${TABLES} WHERE l.license_key = ?`, [key]);
  // MySQL ignores trailing spaces in comparisons of this collation.
  return byKey?.key === key ? byKey : null;
}

/** A license's stored settings for a carrier, secrets sealed; null when there are none. */
export async function findStoredSettings(
  db: Executor,
  { licenseId, carrierId }: { licenseId: number; carrierId: number },
): Promise<{ id: number; settings: JsonObject; secrets: Buffer | null } | null> {
  const stored = licenseSettings.pick('id', 'settings', 'secrets');
  return await licenseSettings.findOne(db, stored, { licenseId, providerId: carrierId }, 'FOR UPDATE');
}

/** The changeable fields of a license. */
export type LicenseColumns = {
  [K in Exclude<keyof NewLicense, 'id' | 'accountId'>]?: NewLicense[K] | undefined;
};

/** Changes the given fields. @throws DatabaseError a duplicate: the key is taken */
export async function updateLicense(db: Executor, licenseId: number, changes: LicenseColumns): Promise<void> {
  const { key, ...values } = changes;
  await licenses.update(db, { id: licenseId, accountId: undefined }, { ...values, licenseKey: key });
}

/** Changes the given settings of a license. */
export async function updateLicenseSettings(
  db: Executor,
  settingsId: number,
  changes: Partial<Omit<NewLicenseSettings, 'licenseId' | 'providerId'>>,
): Promise<void> {
  await licenseSettings.update(db, { id: settingsId }, settingsColumns(changes));
}
