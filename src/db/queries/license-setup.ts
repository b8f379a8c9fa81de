import type { JsonObject } from '../../domain/shipment.js';
import { isoToSql } from '../../lib/time.js';
import type { Executor, SqlValue } from '../database.js';
import { int } from '../row.js';
import { insertRow } from '../sql.js';
import type { SettingsFlag } from './licenses.js';

/** Id of a provider's row in `carriers`; null when the carriers were not synchronised yet. */
export async function findCarrierId(db: Executor, provider: string): Promise<number | null> {
  const [row] = await db.select('SELECT id FROM carriers WHERE provider = ?', [provider]);
  return row === undefined ? null : int(row, 'id');
}

/** Inserts a company of a carrier and gives its id. */
export async function insertCompany(
  db: Executor,
  company: { carrierId: number; name: string; isPremium?: boolean },
): Promise<number> {
  return insertRow(db, 'companies', {
    carrier_id: company.carrierId,
    name: company.name,
    is_premium: company.isPremium,
  });
}

/** A new license; what is left out gets the column's default. `expiresAt` and `startedAt`: ISO 8601 UTC. */
export interface NewLicense {
  id?: number | undefined;
  accountId: number;
  companyId: number;
  key: string;
  name: string;
  commitmentDay?: number | undefined;
  multipleShipment?: boolean | undefined;
  isActive?: boolean | undefined;
  expiresAt?: string | null | undefined;
  domain?: string | null | undefined;
  startedAt?: string | null | undefined;
  blockedStatuses?: readonly string[] | undefined;
}

/** Inserts a license and gives its id. */
export async function insertLicense(db: Executor, license: NewLicense): Promise<number> {
  return insertRow(db, 'licenses', {
    id: license.id,
    account_id: license.accountId,
    company_id: license.companyId,
    license_key: license.key,
    name: license.name,
    commitment_day: license.commitmentDay,
    multiple_shipment: license.multipleShipment,
    is_active: license.isActive,
    expires_at: license.expiresAt == null ? license.expiresAt : isoToSql(license.expiresAt),
    domain: license.domain,
    started_at: license.startedAt == null ? license.startedAt : isoToSql(license.startedAt),
    blocked_statuses: license.blockedStatuses && JSON.stringify(license.blockedStatuses),
  });
}

/**
 * Binds the license to the domain unless it has one, and sets when it started: one statement, so that of two stores
 * that activate at once the first one stays. `startedAt`: ISO 8601 UTC.
 */
export async function bindLicense(
  db: Executor,
  { licenseId, domain, startedAt }: { licenseId: number; domain: string; startedAt: string },
): Promise<void> {
  await db.run(`UPDATE licenses SET started_at = ?, domain = COALESCE(NULLIF(domain, ''), ?) WHERE id = ?`, [
    isoToSql(startedAt),
    domain,
    licenseId,
  ]);
}

/** New settings of a license for one provider; what is left out gets the column's default. */
export interface NewLicenseSettings {
  licenseId: number;
  /** Id of the carrier. */
  providerId: number;
  settings: JsonObject;
  /** Already encrypted. */
  secrets?: Buffer | null | undefined;
  collectFrom?: Partial<Record<'street' | 'number' | 'city' | 'company', string | undefined>>;
  flags?: Partial<Record<SettingsFlag, boolean | undefined>> | undefined;
  labelMethod?: string | undefined;
  labelType?: string | undefined;
  orderPrefix?: string | undefined;
}

/** Inserts a license's settings for one provider and gives the row's id. */
export async function insertLicenseSettings(db: Executor, values: NewLicenseSettings): Promise<number> {
  return insertRow(db, 'license_settings', {
    license_id: values.licenseId,
    provider_id: values.providerId,
    ...settingsColumns(values),
  });
}

/** The columns of what is given; undefined for the rest. */
export function settingsColumns(
  values: Partial<Omit<NewLicenseSettings, 'licenseId' | 'providerId'>>,
): Record<string, SqlValue | undefined> {
  return {
    settings: values.settings && JSON.stringify(values.settings),
    secrets: values.secrets,
    collect_street: values.collectFrom?.street,
    collect_street_number: values.collectFrom?.number,
    collect_city: values.collectFrom?.city,
    collect_company: values.collectFrom?.company,
    label_method: values.labelMethod,
    label_type: values.labelType,
    order_prefix: values.orderPrefix,
    ...values.flags,
  };
}
