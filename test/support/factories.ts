import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Executor, SqlValue } from '../../src/db/database.js';
import { syncCarriers } from '../../src/db/migrate.js';
import { type AccountChanges, insertAccount } from '../../src/db/queries/accounts/accounts.js';
import { insertCredentials, type NewCredentials } from '../../src/db/queries/accounts/credentials.js';
import {
  insertCompany,
  insertLicense,
  insertLicenseSettings,
  type NewLicense,
} from '../../src/db/queries/accounts/license-setup.js';
import { carriers } from '../../src/db/tables/index.js';
import { AppKeys } from '../../src/lib/app-keys.js';
import { digestOf } from '../../src/lib/digest.js';
import { randomCrockford } from '../../src/lib/ids.js';
import { randomToken } from '../../src/lib/secrets.js';
import { insertRow } from './rows.js';

/** The factories' key for sealing. */
export const TEST_APP_KEY = Buffer.alloc(32, 7);
export const TEST_APP_KEYS = appKeysOf(TEST_APP_KEY);

/** A ring of one key. */
export function appKeysOf(key: Buffer): AppKeys {
  return new AppKeys(new Map([['k1', key]]));
}

/** Id of a provider's row in `carriers`; null when there is none. */
export async function findCarrierId(db: Executor, provider: string): Promise<number | null> {
  const carrier = await carriers.findOne(db, carriers.pick('id'), { provider });
  return carrier && carrier.id;
}

/** A unique text. */
export function uniqueText(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`;
}

/** Inserts an account with credentials; the random id keeps workflow ids unique across files. */
export async function insertTestAccount(
  db: Executor,
  overrides: AccountChanges & { appKeys?: AppKeys; clientId?: string } = {},
): Promise<{ accountId: number; clientId: string; clientSecret: string }> {
  const { appKeys = TEST_APP_KEYS, clientId, ...account } = overrides;
  const accountId = await insertAccount(db, {
    id: randomInt(1_000_000, 2 ** 40),
    name: 'Test merchant',
    email: 'merchant@example.test',
    ...account,
  });
  const credentials = clientId === undefined ? {} : { clientId };
  return { accountId, ...(await insertTestCredentials(db, accountId, appKeys, credentials)) };
}

/** Inserts credentials of an account. */
export async function insertTestCredentials(
  db: Executor,
  accountId: number,
  appKeys: AppKeys,
  overrides: Partial<NewCredentials> = {},
): Promise<{ clientId: string; clientSecret: string }> {
  const clientSecret = randomToken('sk_');
  const values: NewCredentials = {
    accountId,
    name: 'main',
    clientId: randomToken('ci_', 12),
    clientSecretHash: appKeys.seal('client secret', digestOf(clientSecret)),
    clientSecretLast4: clientSecret.slice(-4),
    isReadOnly: false,
    expiresAt: null,
    ...overrides,
  };
  await insertCredentials(db, values);
  return { clientId: values.clientId, clientSecret };
}

interface LicenseIds {
  accountId: number;
  licenseId: number;
  carrierId: number;
}

export interface TestLicense extends LicenseIds {
  companyId: number;
  key: string;
}

/** Inserts a license with settings, by default of a new account; those of `run` point to `baseUrl`. */
export async function insertTestLicense(
  db: Executor,
  args: Partial<Omit<NewLicense, 'companyId'>> & {
    provider?: 'independent' | 'run';
    baseUrl?: string;
    appKeys?: AppKeys;
    orderPrefix?: string;
  } = {},
): Promise<TestLicense> {
  const { accountId = (await insertTestAccount(db)).accountId } = args;
  const { provider = 'independent', baseUrl = 'http://127.0.0.1:9', appKeys = TEST_APP_KEYS, ...rest } = args;
  const { orderPrefix = '', ...license } = rest;
  await syncCarriers(db, [{ provider, name: `Carrier ${provider}` }]);
  const carrierId = (await findCarrierId(db, provider)) ?? 0;
  const companyId = await insertCompany(db, { carrierId, name: `Company ${provider}` });
  const key = license.key ?? uniqueText(`lic-${provider}`);
  const licenseId = await insertLicense(db, {
    name: `License ${provider}`,
    ...license,
    accountId,
    companyId,
    key,
  });
  await insertLicenseSettings(db, {
    licenseId,
    providerId: carrierId,
    settings: provider === 'run' ? { base_url: baseUrl, customer_number: '1234' } : {},
    secrets: appKeys.seal('carrier settings', JSON.stringify({ token: 'sandbox-token' })),
    collectStreet: 'Herzl',
    collectStreetNumber: '1',
    collectCity: 'Tel Aviv',
    collectCompany: 'Test merchant',
    orderPrefix,
  });
  return { accountId, licenseId, carrierId, companyId, key };
}

/** Columns to set or override. */
export type Columns = Readonly<Record<string, SqlValue>>;

export async function insertTestOrder(
  db: Executor,
  license: LicenseIds,
  overrides: Columns = {},
): Promise<{ id: number; orderId: string }> {
  const orderId = uniqueText('order');
  const values = {
    account_id: license.accountId,
    license_id: license.licenseId,
    order_id: orderId,
    number: orderId,
    total: '10.50',
    currency: 'ILS',
    billing: '{}',
    shipping: '{}',
    ...overrides,
  };
  return { id: await insertRow(db, 'orders', values), orderId: String(values.order_id) };
}

/** Inserts a created shipment, with a new order unless `order_id` names one. */
export async function insertTestShipment(
  db: Executor,
  license: LicenseIds,
  overrides: Columns = {},
): Promise<{ id: number; uuid: string }> {
  const orderId = overrides.order_id ?? (await insertTestOrder(db, license)).id;
  const values = {
    uuid: randomUUID(),
    account_id: license.accountId,
    license_id: license.licenseId,
    carrier_id: license.carrierId,
    order_id: orderId,
    state: 'created',
    workflow_id: uniqueText('shipment'),
    tracking_code: uniqueText('T'),
    short_tracking_code: randomCrockford(10),
    status_code: 'created',
    status_description: 'Created',
    service_type: 1,
    return_type: 1,
    recipient_name: 'Dana',
    recipient_phone: '0500000000',
    recipient_country: 'IL',
    details: '{}',
    ...overrides,
  };
  const id = await insertRow(db, 'shipments', values);
  if (values.state === 'created') {
    await db.run(
      `INSERT INTO shipment_counts (account_id, license_id, status_code, service_type, slot, total)
       VALUES (?, ?, ?, ?, 0, 1) ON DUPLICATE KEY UPDATE total = total + 1`,
      [values.account_id, values.license_id, values.status_code, values.service_type],
    );
  }
  return { id, uuid: String(values.uuid) };
}

/** Inserts the shipment's key without an answer. */
export async function insertOpenKey(db: Executor, accountId: number, shipmentUuid: string): Promise<void> {
  await db.run(
    `INSERT INTO idempotency_keys (account_id, api, key_hash, fingerprint, shipment_uuid, expires_at)
     VALUES (?, 'v2', UNHEX(SHA2(?, 256)), UNHEX(SHA2(?, 256)), ?, NOW(6) + INTERVAL 1 DAY)`,
    [accountId, shipmentUuid, shipmentUuid, shipmentUuid],
  );
}
