import { randomBytes, randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import { allCarriers } from '../../src/carriers/registry.js';
import { type Config, loadConfig } from '../../src/config/config.js';
import type { Database } from '../../src/db/database.js';
import { syncCarriers } from '../../src/db/migrate.js';
import { insertAccount } from '../../src/db/queries/accounts/accounts.js';
import {
  insertCompany,
  insertLicense,
  insertLicenseSettings,
} from '../../src/db/queries/accounts/license-setup.js';
import { noteAppKeys } from '../../src/services/accounts/app-keys.js';
import { openTemporal } from '../../src/temporal/client.js';
import { ensureSearchAttributes } from '../../src/temporal/search-attributes.js';
import { isSandboxProvider, startSandbox } from '../../tools/doubles/carriers/server.js';
import { settingsAt } from './carrier-settings.js';
import { CleanUps } from './clean-ups.js';
import { createTestDatabase } from './database.js';
import { engineAccess } from './engine-access.js';
import { findCarrierId, insertTestCredentials } from './factories.js';
import { endNamespace, registerNamespace } from './namespace.js';
import { patient } from './patience.js';
import { SandboxClient } from './sandbox-client.js';

/** API credentials and the account's licenses by provider. */
export interface TestAccount {
  id: number;
  clientId: string;
  clientSecret: string;
  licenseKeys: Record<string, string>;
  /** Ids of the licenses by provider, as forms of the panel name them. */
  licenseIds: Record<string, string>;
}

/** A database, a namespace and a `run` sandbox for one test file. */
export interface TestStack {
  db: Database;
  temporal: Client;
  config: Config;
  /** Environment of this stack's processes. */
  env: Record<string, string>;
  /** The sandbox of `run`. */
  sandbox: SandboxClient;
  /** All sandboxes by provider. */
  sandboxes: ReadonlyMap<string, SandboxClient>;
  account: TestAccount;
  /** Starts the API in this process; it ends with the stack. */
  startApi(
    carriers?: readonly CarrierAdapter[],
    overrides?: Partial<Config>,
    client?: Client,
  ): Promise<string>;
  /** Starts workers in this process; the returned function stops them. */
  startWorkers(carriers?: readonly CarrierAdapter[]): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface StackOptions {
  /** Additional adapters; the account gets a license for each. */
  doubles?: readonly CarrierAdapter[];
  multipleShipment?: boolean;
  /** Replaces the shared engines. */
  engines?: { databaseUrl: string; temporalAddress: string };
  /** Additional settings of all processes. */
  env?: Record<string, string>;
}

/** Starts what a test file needs of real engines. */
export async function startStack(options: StackOptions = {}): Promise<TestStack> {
  const cleanUps = new CleanUps();
  const database = await createTestDatabase(options.engines?.databaseUrl);
  cleanUps.teardown(() => database.drop());
  const { db } = database;
  const sandboxes = await startSandboxes(cleanUps);
  const sandbox = sandboxes.get('run');
  if (sandbox === undefined) throw new Error('run has no sandbox');
  const storage = mkdtempSync(join(tmpdir(), 'parcelworks-storage-'));
  cleanUps.teardown(() => rmSync(storage, { recursive: true, force: true }));
  const env = {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: options.engines?.temporalAddress ?? process.env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233',
    TEMPORAL_NAMESPACE: `test-${randomBytes(6).toString('hex')}`,
    ...(options.engines === undefined ? engineAccess() : {}),
    APP_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_MINUTE: '1000000',
    V1_RATE_LIMIT_PER_MINUTE: '1000000',
    // A machine that runs many tests delays every loop.
    MAX_LOOP_DELAY_MS: '0',
    // Unused port: a test's mail must not reach a running system.
    SMTP_URL: 'smtp://127.0.0.1:9',
    PAGE_RATE_LIMIT_PER_MINUTE: '1000000',
    STORAGE_DIR: storage,
    PUPPETEER_EXECUTABLE_PATH: process.env.PUPPETEER_EXECUTABLE_PATH ?? '/usr/bin/chromium',
    ...options.env,
  };
  const config = { ...loadConfig(env), port: 0 };
  const temporal = openTemporal(config);
  cleanUps.teardown(() => temporal.connection.close());
  await registerNamespace(temporal);
  // An engine of the test's own may be gone by then.
  if (options.engines === undefined) cleanUps.teardown(() => endNamespace(temporal));
  await ensureSearchAttributes(temporal);
  const carriers = [...allCarriers(), ...(options.doubles ?? [])];
  await syncCarriers(
    db,
    carriers.map(({ provider, displayName }) => ({ provider, name: displayName })),
  );
  const account = await insertStackAccount(db, config, carriers, sandboxes, options.multipleShipment ?? true);

  return {
    db,
    temporal,
    config,
    env,
    sandbox,
    sandboxes,
    account,
    // Imported late: hundreds of modules that tests of processes do not need.
    async startApi(adapters = carriers, overrides = {}, client = temporal) {
      const { runApi } = await import('./run-api.js');
      const wanted = { ...config, ...overrides };
      const createWaitMs = patient(wanted.createWaitMs);
      const api = await runApi({ ...wanted, createWaitMs }, db, client, adapters);
      cleanUps.teardown(api.close);
      return api.url;
    },
    async startWorkers(adapters = carriers) {
      const { runWorkers } = await import('./run-workers.js');
      const stop = await runWorkers(config, db, temporal, adapters);
      cleanUps.teardown(stop);
      return stop;
    },
    async close() {
      await cleanUps.end();
    },
  };
}

async function startSandboxes(cleanUps: CleanUps): Promise<Map<string, SandboxClient>> {
  const clients = new Map<string, SandboxClient>();
  for (const { provider } of allCarriers()) {
    if (!isSandboxProvider(provider)) continue;
    const sandbox = await startSandbox(provider, {});
    cleanUps.teardown(() => sandbox.close());
    clients.set(provider, new SandboxClient(sandbox.url));
  }
  return clients;
}

async function insertStackAccount(
  db: Database,
  config: Config,
  carriers: readonly CarrierAdapter[],
  sandboxes: ReadonlyMap<string, SandboxClient>,
  multipleShipment: boolean,
): Promise<TestAccount> {
  const id = randomInt(1, 2 ** 40);
  await insertAccount(db, { id, name: 'Test merchant', email: 'merchant@example.test' });
  await noteAppKeys(db, config.appKeys);
  const { clientId, clientSecret } = await insertTestCredentials(db, id, config.appKeys);
  const licenseKeys: Record<string, string> = {};
  const licenseIds: Record<string, string> = {};
  for (const { provider, displayName } of carriers) {
    const carrierId = await findCarrierId(db, provider);
    if (carrierId === null) throw new Error(`no carrier row for ${provider}`);
    const companyId = await insertCompany(db, { carrierId, name: displayName });
    const key = `lic-${provider}-${randomBytes(4).toString('hex')}`;
    const licenseId = await insertLicense(db, {
      accountId: id,
      companyId,
      key,
      name: displayName,
      multipleShipment,
    });
    const { settings, secrets } = settingsAt(provider, sandboxes.get(provider)?.url);
    await insertLicenseSettings(db, {
      licenseId,
      providerId: carrierId,
      settings,
      secrets: config.appKeys.seal('carrier settings', JSON.stringify(secrets)),
      collectStreet: 'Herzl',
      collectStreetNumber: '1',
      collectCity: 'Tel Aviv',
      collectCompany: 'Test merchant',
    });
    licenseKeys[provider] = key;
    licenseIds[provider] = String(licenseId);
  }
  return { id, clientId, clientSecret, licenseKeys, licenseIds };
}
