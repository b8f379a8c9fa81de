import { randomBytes } from 'node:crypto';
import { allCarriers } from '../../src/carriers/registry.js';
import type { Database } from '../../src/db/database.js';
import { syncCarriers } from '../../src/db/migrate.js';
import {
  insertCompany,
  insertLicense,
  insertLicenseSettings,
} from '../../src/db/queries/accounts/license-setup.js';
import type { AppKeys } from '../../src/lib/app-keys.js';
import { settingsAt } from './carrier-settings.js';
import { findCarrierId } from './factories.js';
import type { HttpLicense } from './http.js';

/** A license's data; the rest has defaults. */
interface CarrierLicense {
  accountId: number;
  provider: string;
  /** URL of its sandbox. */
  baseUrl: string;
  /** Added to the sandbox's settings. */
  settings?: Record<string, unknown>;
  collectFrom?: { street: string; number: string; city: string; company: string };
  labelMethod?: string;
}

/** Inserts a license of a registered carrier, with secrets that the application can read. */
export async function insertCarrierLicense(
  { db, config }: { db: Database; config: { appKeys: AppKeys } },
  { accountId, provider, baseUrl, collectFrom, ...parts }: CarrierLicense,
): Promise<HttpLicense> {
  await syncCarriers(
    db,
    allCarriers().map((carrier) => ({ provider: carrier.provider, name: carrier.displayName })),
  );
  const carrierId = await findCarrierId(db, provider);
  if (carrierId === null) throw new Error(`no carrier row for ${provider}`);
  const companyId = await insertCompany(db, { carrierId, name: provider });
  const key = `lic-${provider}-${randomBytes(6).toString('hex')}`;
  const id = await insertLicense(db, { accountId, companyId, key, name: provider });
  const { settings, secrets } = settingsAt(provider, baseUrl);
  await insertLicenseSettings(db, {
    licenseId: id,
    providerId: carrierId,
    ...parts,
    settings: { ...settings, ...parts.settings },
    secrets: config.appKeys.seal('carrier settings', JSON.stringify(secrets)),
    collectStreet: collectFrom?.street,
    collectStreetNumber: collectFrom?.number,
    collectCity: collectFrom?.city,
    collectCompany: collectFrom?.company,
  });
  return { id, key, carrierId };
}
