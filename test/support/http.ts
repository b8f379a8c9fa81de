import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { createdAnswer } from '../../src/api/created-answer.js';
import { carrierFor } from '../../src/carriers/registry.js';
import type { Config } from '../../src/config/config.js';
import { loadConfig } from '../../src/config/config.js';
import type { Database } from '../../src/db/database.js';
import { syncCarriers } from '../../src/db/migrate.js';
import { insertAccount } from '../../src/db/queries/accounts.js';
import { findExport, insertExport } from '../../src/db/queries/exports.js';
import {
  findCarrierId,
  insertCompany,
  insertLicense,
  insertLicenseSettings,
  type NewLicense,
  type NewLicenseSettings,
} from '../../src/db/queries/license-setup.js';
import { findShipment } from '../../src/db/queries/shipments.js';
import { insertRow } from '../../src/db/sql.js';
import { AppError, notFound } from '../../src/domain/errors.js';
import { createApp } from '../../src/http/app.js';
import { type ServerLimits, startServer } from '../../src/http/server.js';
import { hashSecret, randomToken } from '../../src/lib/secrets.js';
import { createGuardedClient } from '../../src/outbound/guarded-client.js';
import { activateLicense } from '../../src/services/activate-license.js';
import { createBatchServices } from '../../src/services/batches.js';
import { createCarrierAccounts } from '../../src/services/carrier-accounts.js';
import { createCarrierShares } from '../../src/services/carrier-shares.js';
import { cutsNote } from '../../src/services/cut-note.js';
import { createExpressServices } from '../../src/services/express.js';
import { createInboundServices } from '../../src/services/inbound.js';
import { listShownLicenses } from '../../src/services/list-licenses.js';
import { previewNotification } from '../../src/services/preview-notification.js';
import { createResponseLog, type ResponseLog } from '../../src/services/response-log.js';
import type { CreateShipmentRequest, Services } from '../../src/services/services.js';
import { showAccount } from '../../src/services/show-account.js';
import { createWebhookServices } from '../../src/services/webhooks.js';
import { createTestDatabase } from './database.js';
import { insertTestShipment } from './factories.js';
import { type HttpAnswer, type SendOptions, send } from './http-send.js';
import { labelDoubles } from './label-doubles.js';

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

/** The API over a real database; the services, which need the engine, are doubles. */
export interface HttpStack {
  db: Database;
  url: string;
  config: Config;
  /** What the double of `createShipment` was asked. */
  created: CreateShipmentRequest[];
  log: string[];
  account(overrides?: { enableApi?: boolean }): Promise<HttpAccount>;
  license(accountId: number, overrides?: LicenseOverrides): Promise<HttpLicense>;
  shipment(
    accountId: number,
    license: HttpLicense,
    overrides?: ShipmentOverrides,
  ): Promise<{ uuid: string; orderId: string }>;
  order(accountId: number, license: HttpLicense, orderId?: string): Promise<number>;
  send(method: string, path: string, options?: SendOptions): Promise<HttpAnswer>;
  close(): Promise<void>;
}

type LicenseOverrides = Partial<NewLicense> & Pick<NewLicenseSettings, 'orderPrefix'>;

interface ShipmentOverrides {
  orderId?: string;
  columns?: Record<string, string | number | boolean | null>;
}

const APP_KEY = randomBytes(32).toString('base64');

/** Starts the API on a free port with a database of its own. */
export async function startHttp(
  options: {
    config?: Partial<Config>;
    limits?: ServerLimits;
    services?: (db: Database) => Partial<Services>;
    /** Called with the text of each statement. */
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
    APP_KEY,
    RATE_LIMIT_PER_MINUTE: '100000',
    AUTH_FAILURES_PER_MINUTE: '100000',
    OPEN_RATE_LIMIT_PER_MINUTE: '100000',
    BASE_URL: 'https://api.parcels.test',
    // The tests' own work makes the loop late.
    MAX_LOOP_DELAY_MS: '0',
  };
  const config = { ...loadConfig(env), port: 0, ...options.config };
  const created: CreateShipmentRequest[] = [];
  const log: string[] = [];
  const responseLog = createResponseLog({ db, onTrouble: () => undefined });
  const app = createApp({
    config,
    db,
    services: {
      ...doubles(db, created),
      webhooks: realWebhooks(db, config),
      ...realV1Services(db, config, responseLog),
      inbound: realInbound(db, config),
      ...options.services?.(db),
    },
    log: pino({ level: 'info' }, { write: (line: string) => void log.push(line) }),
    version: 'test',
    readiness: async () => ({ mysql: true, temporal: true }),
    checkResponses: true,
  });
  const server = await startServer(app, config, options.limits);
  return {
    db,
    url: server.url,
    config,
    created,
    log,
    account: (overrides) => seedAccount(db, config, overrides),
    license: (accountId, overrides) => seedLicense(db, carrierId, accountId, overrides),
    shipment: (accountId, license, overrides) => seedShipment(db, accountId, license, overrides),
    async order(accountId, license, orderId = randomUUID()) {
      await seedShipment(db, accountId, license, { orderId });
      return await seedOrder(db, accountId, license, orderId);
    },
    send: (method, path, sending) => send(`${server.url}/api/v2${path}`, method, sending),
    async close() {
      await server.close();
      await responseLog.settled();
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

/** The real ones; nothing is there to be woken. */
function realWebhooks(db: Database, config: Config): Services['webhooks'] {
  const outbound = createGuardedClient({ allowedRanges: config.webhookAllowCidrs });
  return createWebhookServices({ db, config, outbound, wake: () => undefined });
}

function realV1Services(db: Database, config: Config, responseLog: ResponseLog): Pick<Services, V1Services> {
  const outbound = createGuardedClient({ allowedRanges: config.webhookAllowCidrs });
  return {
    activateLicense: (request) => activateLicense({ db, outbound, wake: () => undefined }, request),
    carrierOffers: (provider, feature) => carrierFor(provider)[feature] !== undefined,
    express: createExpressServices({
      db,
      carriers: carrierFor,
      shares: createCarrierShares(carrierFor),
      accounts: createCarrierAccounts(db, config.appKey, carrierFor),
    }),
    cutsNote: (creation) => cutsNote({ carriers: carrierFor }, creation),
    responseLog,
    listLicenses: (accountId) => listShownLicenses({ db, carriers: carrierFor }, accountId),
    showAccount: (accountId) => showAccount({ db, carriers: carrierFor }, accountId),
  };
}

type V1Services =
  | 'activateLicense'
  | 'carrierOffers'
  | 'cutsNote'
  | 'express'
  | 'listLicenses'
  | 'responseLog'
  | 'showAccount';
type DoubledServices = Omit<Services, 'webhooks' | 'inbound' | V1Services>;

/** Refuses by the order's id, so that one table can ask for every error of the engine's side. */
function doubles(db: Database, created: CreateShipmentRequest[]): DoubledServices {
  return {
    async createShipment(request) {
      created.push(request);
      const code = request.order.id;
      if (
        code === 'carrier_rejected' ||
        code === 'duplicate_request' ||
        code === 'idempotency_key_conflict' ||
        code === 'service_unavailable'
      ) {
        throw new AppError(code, `Refused: ${code}.`);
      }
      if (code === 'bug') throw new Error('secret detail');
      const { accountId, licenseId, carrier, details } = request.creation;
      const license = { id: licenseId, key: '', carrierId: carrier.id };
      const { uuid } = await seedShipment(db, accountId, license, {
        orderId: code,
        columns: { service_type: details.serviceType, return_type: details.returnType },
      });
      const shipment = await findShipment(db, { accountId, uuid });
      if (shipment === null) throw new Error('the shipment is missing');
      if (code.startsWith('slow')) return { kind: 'pending', shipment };
      return {
        kind: 'answered',
        ...createdAnswer(request.creation.idempotency.api, shipment),
        shipmentUuid: uuid,
        replayed: code.startsWith('replay'),
        joined: code.startsWith('replay'),
      };
    },
    async cancelShipment({ accountId, uuid, reason }) {
      const shipment = await findShipment(db, { accountId, uuid });
      if (shipment === null) throw notFound('shipment');
      if (reason === 'refuse') throw new AppError('shipment_not_cancellable', 'Already on its way.');
      return {
        ...shipment,
        isActive: false,
        status: { ...shipment.status, code: 'cancelled', description: 'Cancelled' },
      };
    },
    refreshStatus: async () => ({ kind: 'not_asked' }),
    async createExport({ accountId, license, filter, format }) {
      const exportId = await insertExport(db, { accountId, licenseId: license.id, filter, format }).catch(
        () => {
          throw new AppError('duplicate_request', 'An export is already being prepared for this license.');
        },
      );
      const record = await findExport(db, { accountId, exportId });
      if (record === null) throw notFound('export');
      return record;
    },
    openExportFile: async () => null,
    batches: createBatchServices({ db, wakeBatch: async () => true }),
    previewNotification: (request) =>
      previewNotification({ db, config: { baseUrl: 'https://api.parcels.test' } }, request),
    listPickupPoints: async () => [],
    labels: labelDoubles(db),
  };
}

async function seedAccount(
  db: Database,
  config: Config,
  overrides: { enableApi?: boolean } = {},
): Promise<HttpAccount> {
  const secret = randomToken('sk_');
  const clientId = randomToken('ci_', 12);
  const id = await insertAccount(db, {
    id: randomInt(1, 2 ** 40),
    name: 'Merchant',
    email: `${clientId}@example.test`,
    clientId,
    secretHash: hashSecret(secret, config.appKey),
    last4: secret.slice(-4),
    ...overrides,
  });
  return { id, headers: { 'x-client-id': clientId, 'x-client-secret': secret } };
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

function realInbound(db: Database, config: Config): Services['inbound'] {
  return createInboundServices({
    config,
    db,
    carriers: carrierFor,
    accounts: createCarrierAccounts(db, config.appKey, carrierFor),
    wake: () => undefined,
  });
}
