import type { JsonObject } from '../../domain/shipment.js';
import { isoToSql } from '../../lib/time.js';
import type { Executor, Row } from '../database.js';
import { bool, bytesOrNull, int, isoOrNull, jsonObject, text } from '../row.js';
import { updateRow } from '../sql.js';
import { type NewLicense, type NewLicenseSettings, settingsColumns } from './license-setup.js';

/** A license as a list of all shows it. `expiresAt`: ISO 8601 UTC with microseconds. */
export interface LicenseHead {
  id: number;
  key: string;
  name: string;
  accountId: number;
  companyId: number;
  carrierId: number;
  provider: string;
  isActive: boolean;
  expiresAt: string | null;
}

const SELECT = `SELECT l.id, l.license_key, l.name, l.account_id, l.company_id, l.is_active, l.expires_at,
  r.id AS carrier_id, r.provider
  FROM licenses l JOIN companies c ON c.id = l.company_id JOIN carriers r ON r.id = c.carrier_id`;

/** Licenses by ascending id, those after an id; of one account, or of all. */
export async function listLicenseHeads(
  db: Executor,
  page: { accountId: number | undefined; afterId: number; limit: number },
): Promise<LicenseHead[]> {
  const [filter, values] =
    page.accountId === undefined ? ['', []] : ['AND l.account_id = ?', [page.accountId]];
  const rows = await db.select(`${SELECT} WHERE l.id > ? ${filter} ORDER BY l.id LIMIT ${page.limit}`, [
    page.afterId,
    ...values,
  ]);
  return rows.map(toHead);
}

/**
 * The license with this id or key; null when there is none. Digits alone are an id, whatever keys there are; `key:12` is
 * a key.
 */
export async function findLicenseHead(db: Executor, keyOrId: string): Promise<LicenseHead | null> {
  if (/^[1-9]\d{0,15}$/.test(keyOrId)) {
    const [byId] = await db.select(`${SELECT} WHERE l.id = ?`, [Number(keyOrId)]);
    return byId === undefined ? null : toHead(byId);
  }
  const key = keyOrId.replace(/^key:/, '');
  const [byKey] = await db.select(`${SELECT} WHERE l.license_key = ?`, [key]);
  // MySQL ignores trailing spaces in comparisons of this collation.
  return byKey !== undefined && text(byKey, 'license_key') === key ? toHead(byKey) : null;
}

/** A license's settings for a carrier as they are stored, the secrets sealed; null when it has none for it. */
export async function findStoredSettings(
  db: Executor,
  { licenseId, carrierId }: { licenseId: number; carrierId: number },
): Promise<{ id: number; settings: JsonObject; secrets: Buffer | null } | null> {
  const [row] = await db.select(
    'SELECT id, settings, secrets FROM license_settings WHERE license_id = ? AND provider_id = ? FOR UPDATE',
    [licenseId, carrierId],
  );
  if (row === undefined) return null;
  return {
    id: int(row, 'id'),
    settings: jsonObject(row, 'settings'),
    secrets: bytesOrNull(row, 'secrets'),
  };
}

/** What of a license can be changed. */
export type LicenseColumns = {
  [K in Exclude<keyof NewLicense, 'id' | 'accountId'>]?: NewLicense[K] | undefined;
};

/** Changes what is given. @throws DatabaseError a duplicate: the key is taken */
export async function updateLicense(db: Executor, licenseId: number, changes: LicenseColumns): Promise<void> {
  await updateRow(db, 'licenses', licenseId, {
    company_id: changes.companyId,
    license_key: changes.key,
    name: changes.name,
    commitment_day: changes.commitmentDay,
    multiple_shipment: changes.multipleShipment,
    is_active: changes.isActive,
    expires_at: changes.expiresAt == null ? changes.expiresAt : isoToSql(changes.expiresAt),
    domain: changes.domain,
    blocked_statuses: changes.blockedStatuses && JSON.stringify(changes.blockedStatuses),
  });
}

/** Changes what is given of a license's settings. */
export async function updateLicenseSettings(
  db: Executor,
  settingsId: number,
  changes: Partial<Omit<NewLicenseSettings, 'licenseId' | 'providerId'>>,
): Promise<void> {
  await updateRow(db, 'license_settings', settingsId, settingsColumns(changes));
}

function toHead(row: Row): LicenseHead {
  return {
    id: int(row, 'id'),
    key: text(row, 'license_key'),
    name: text(row, 'name'),
    accountId: int(row, 'account_id'),
    companyId: int(row, 'company_id'),
    carrierId: int(row, 'carrier_id'),
    provider: text(row, 'provider'),
    isActive: bool(row, 'is_active'),
    expiresAt: isoOrNull(row, 'expires_at'),
  };
}
