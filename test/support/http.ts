import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createHttpApp, type HttpApp } from '../../src/api/http-app.js';
import { allCarriers, carrierFor } from '../../src/carriers/registry.js';
import type { Config } from '../../src/config/config.js';
import { loadConfig } from '../../src/config/config.js';
import type { RenderLabelsInput } from '../../src/contracts/render-labels.js';
import type { Database } from '../../src/db/database.js';
import { syncCarriers } from '../../src/db/migrate.js';
import { insertAccount } from '../../src/db/queries/accounts/accounts.js';
import {
  insertCompany,
  insertLicense,
  insertLicenseSettings,
  type NewLicense,
  type SettingsColumns,
} from '../../src/db/queries/accounts/license-setup.js';
import { createStorage } from '../../src/documents/storage.js';
import { startServer } from '../../src/http/server.js';
import { createWeb } from '../../src/http/web.js';
import { createApiApp } from '../../src/main/app.js';
import type { ApiParts } from '../../src/services/app.js';
import { createTestDatabase } from './database.js';
import { type DoubledRuns, engineDouble } from './engine-double.js';
import { findCarrierId, insertTestCredentials, insertTestShipment } from './factories.js';
import { type HttpAnswer, type SendOptions, send } from './http-send.js';
import { insertRow } from './rows.js';
import { type AskedCreation, runDoubles } from './run-doubles.js';

export type { SendOptions } from './http-send.js';

export interface HttpAccount {
  id: number;
  headers: Record<string, string>;
}

export interface HttpLicense {
  id: number;
  key: string;
  carrierId: number;
}

/** The API with a real database and an engine double. */
export interface HttpStack {
  app: HttpApp;
  db: Database;
  url: string;
  config: Config;
  /** Creations requested from the engine. */
  created: AskedCreation[];
  log: string[];
  account(overrides?: { enableApi?: boolean }): Promise<HttpAccount>;
  license(accountId: number, overrides?: LicenseOverrides): Promise<HttpLicense>;
  /** A new account with its license: its lists hold only what the test makes. */
  own(): Promise<{ account: HttpAccount; license: HttpLicense }>;
  shipment(
    accountId: number,
    license: HttpLicense,
    overrides?: ShipmentOverrides,
  ): Promise<{ uuid: string; orderId: string }>;
  order(accountId: number, license: HttpLicense, orderId?: string): Promise<number>;
  send(method: string, path: string, options?: SendOptions): Promise<HttpAnswer>;
  close(): Promise<void>;
}

type LicenseOverrides = Partial<NewLicense> & Pick<SettingsColumns, 'orderPrefix'>;

interface ShipmentOverrides {
  orderId?: string;
  columns?: Record<string, string | number | boolean | null>;
}

export const HTTP_APP_KEY = randomBytes(32).toString('base64');

/** Starts the API on a free port with a new database. */
export async function startHttp(
  options: {
    config?: Partial<Config>;
    limits?: Parameters<typeof startServer>[2];
    /** Replaces members of the app. */
    app?: (made: ApiParts) => Partial<HttpApp>;
    /** Called for each printed document. */
    onPrint?: (input: RenderLabelsInput) => void;
    /** Replaces runs of the engine. */
    runs?: (db: Database) => DoubledRuns;
    /** Called with each statement. */
    onQuery?: (sql: string) => void;
  } = {},
): Promise<HttpStack> {
  const database = await createTestDatabase(undefined, options.onQuery);
  const { db } = database;
  await syncCarriers(db, [{ provider: 'run', name: 'Run' }]);
  const carrierId = await findCarrierId(db, 'run');
  if (carrierId === null) throw new Error('the carrier is missing');
  const env = {
    DATABASE_URL: database.url,
    APP_KEY: HTTP_APP_KEY,
    RATE_LIMIT_PER_MINUTE: '100000',
    AUTH_FAILURES_PER_MINUTE: '100000',
    OPEN_RATE_LIMIT_PER_MINUTE: '100000',
    BASE_URL: 'https://api.parcels.test',
    // The tests' own work delays the loop.
    MAX_LOOP_DELAY_MS: '0',
  };
  const config = { ...loadConfig(env), port: 0, ...options.config };
  const created: AskedCreation[] = [];
  const log: string[] = [];
  const documents = await mkdtemp(join(tmpdir(), 'parcelworks-http-'));
  const storage = createStorage({ kind: 'directory', path: documents });
  const runs = {
    ...runDoubles({ db, storage, created, onPrint: options.onPrint, book: (asked) => book(db, asked) }),
    ...options.runs?.(db),
  };
  const { close: closeApp, ...made } = createApiApp(
    {
      config,
      db,
      temporal: engineDouble(runs),
      carriers: carrierFor,
      adapters: allCarriers(),
      onTrouble: () => undefined,
      onRestored: () => undefined,
    },
    () => undefined,
  );
  const whole: ApiParts = { ...made, storage, wake: () => undefined };
  const app: HttpApp = createHttpApp({
    ...whole,
    ...options.app?.(whole),
    log: pino({ level: 'info' }, { write: (line: string) => void log.push(line) }),
    version: 'test',
    readiness: async () => ({ mysql: true, temporal: true }),
    checkResponses: true,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const server = await startServer(createWeb(app), config, options.limits);
  return {
    app,
    db,
    url: server.url,
    config,
    created,
    log,
    account: (overrides) => seedAccount(db, config, overrides),
    license: (accountId, overrides) => seedLicense(db, carrierId, accountId, overrides),
    async own() {
      const account = await seedAccount(db, config);
      return { account, license: await seedLicense(db, carrierId, account.id) };
    },
    shipment: (accountId, license, overrides) => seedShipment(db, accountId, license, overrides),
    async order(accountId, license, orderId = randomUUID()) {
      await seedShipment(db, accountId, license, { orderId });
      return await seedOrder(db, accountId, license, orderId);
    },
    send: (method, path, sending) => send(`${server.url}/api/v2${path}`, method, sending),
    async close() {
      await server.close();
      await closeApp();
      await rm(documents, { recursive: true, force: true });
      await database.drop();
    },
  };
}

export function creationBody(overrides: { ship_data?: object; order?: object; license_key?: string } = {}) {
  const { ship_data, order, ...rest } = overrides;
  return {
    ...rest,
    ship_data: {
      contact_name: 'Dana Levi',
      contact_phone: '0501234567',
      street: 'Herzl',
      number: '5',
      city: 'Haifa',
      type: 1,
      return: 1,
      ...ship_data,
    },
    order: { id: randomUUID(), ...order },
  };
}

async function book(db: Database, { creation, order }: AskedCreation): Promise<string> {
  const { accountId, licenseId, carrier, details } = creation;
  const license = { id: licenseId, key: '', carrierId: carrier.id };
  const { uuid } = await seedShipment(db, accountId, license, {
    orderId: order.id,
    columns: { service_type: details.serviceType, return_type: details.returnType },
  });
  return uuid;
}

async function seedAccount(
  db: Database,
  config: Config,
  overrides: { enableApi?: boolean } = {},
): Promise<HttpAccount> {
  const id = await insertAccount(db, {
    id: randomInt(1, 2 ** 40),
    name: 'Merchant',
    email: `${randomUUID()}@example.test`,
    ...overrides,
  });
  const { clientId, clientSecret } = await insertTestCredentials(db, id, config.appKeys);
  return { id, headers: { 'x-client-id': clientId, 'x-client-secret': clientSecret } };
}

async function seedLicense(
  db: Database,
  carrierId: number,
  accountId: number,
  overrides: LicenseOverrides = {},
): Promise<HttpLicense> {
  const { orderPrefix = '', ...license } = overrides;
  const companyId = await insertCompany(db, { carrierId, name: 'Run Haifa' });
  const key = license.key ?? `lic-${randomBytes(6).toString('hex')}`;
  const id = await insertLicense(db, { accountId, companyId, name: 'Main', ...license, key });
  await insertLicenseSettings(db, {
    licenseId: id,
    providerId: carrierId,
    settings: { customer_number: '1' },
    secrets: Buffer.from('sealed'),
    orderPrefix,
  });
  return { id, key, carrierId };
}

async function seedOrder(
  db: Database,
  accountId: number,
  license: HttpLicense,
  orderId: string,
): Promise<number> {
  const found = await db.select('SELECT id FROM orders WHERE license_id = ? AND order_id = ?', [
    license.id,
    orderId,
  ]);
  if (found[0] !== undefined) return Number(found[0].id);
  return insertRow(db, 'orders', {
    account_id: accountId,
    license_id: license.id,
    order_id: orderId,
    number: `#${orderId}`,
    source: 'test',
    total: '10.00',
    currency: 'ILS',
    billing: '{"city":"Haifa"}',
    shipping: '{}',
  });
}

async function seedShipment(
  db: Database,
  accountId: number,
  license: HttpLicense,
  { orderId = randomUUID(), columns = {} }: ShipmentOverrides = {},
) {
  const order = await seedOrder(db, accountId, license, orderId);
  const { uuid } = await insertTestShipment(
    db,
    { accountId, licenseId: license.id, carrierId: license.carrierId },
    {
      order_id: order,
      recipient_name: 'Dana Levi',
      recipient_phone: '0501234567',
      recipient_street: 'Herzl',
      recipient_city: 'Haifa',
      ...columns,
    },
  );
  return { uuid, orderId };
}
