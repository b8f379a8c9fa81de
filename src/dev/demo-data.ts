import type { Database } from '../db/database.js';
import { findByClientId, insertAccount } from '../db/queries/accounts.js';
import {
  findCarrierId,
  insertCompany,
  insertLicense,
  insertLicenseSettings,
} from '../db/queries/licenses.js';
import { encrypt, hashSecret } from '../lib/secrets.js';
import { SetupError } from './progress.js';
import type { DevSecrets } from './state.js';

/** A licence that a client of the demo can name. */
export interface DemoLicense {
  readonly key: string;
  readonly provider: string;
}

/** The two accounts' usable licences. */
export interface DemoAccounts {
  readonly first: readonly DemoLicense[];
  readonly second: readonly DemoLicense[];
}

interface LicensePlan extends DemoLicense {
  readonly name: string;
  readonly isActive?: boolean;
  readonly expiresAt?: string;
}

const USABLE: readonly LicensePlan[] = [
  { key: 'demo-independent', provider: 'independent', name: 'Own couriers' },
  { key: 'demo-run', provider: 'run', name: 'Pickup network' },
];
const UNUSABLE: readonly LicensePlan[] = [
  { key: 'demo-inactive', provider: 'independent', name: 'Paused branch', isActive: false },
  { key: 'demo-expired', provider: 'run', name: 'Last year', expiresAt: '2025-12-31T21:59:59.000000Z' },
];
const SECOND: readonly LicensePlan[] = [
  { key: 'demo-second', provider: 'independent', name: 'Only licence' },
];

/** Codes as a merchant of the network has them: 35 to the door, 50 to a point, 37 with cash; cargo 10 and 11. */
function runSettings(sandboxUrl: string): Record<string, string> {
  return {
    base_url: sandboxUrl,
    customer_number: '1234',
    shipment_type: '35',
    pickup_shipment_type: '50',
    cod_shipment_type: '37',
    cod_type: '1',
    cargo_type_out: '10',
    cargo_type_back: '11',
  };
}

interface Seed {
  readonly db: Database;
  readonly appKey: Buffer;
  readonly secrets: DevSecrets;
  /** Address of the `run` sandbox. */
  readonly runUrl: string;
}

async function carrierId(db: Database, provider: string): Promise<number> {
  const id = await findCarrierId(db, provider);
  if (id === null) throw new SetupError(`the carrier ${provider} is not in the database`);
  return id;
}

async function addLicense(seed: Seed, accountId: number, plan: LicensePlan): Promise<void> {
  const { db, appKey, runUrl } = seed;
  const providerId = await carrierId(db, plan.provider);
  const companyId = await insertCompany(db, { carrierId: providerId, name: plan.name });
  const { key, name, isActive = true, expiresAt = null } = plan;
  const licenseId = await insertLicense(db, { accountId, companyId, key, name, isActive, expiresAt });
  const forRun = plan.provider === 'run';
  await insertLicenseSettings(db, {
    licenseId,
    providerId,
    settings: forRun ? runSettings(runUrl) : {},
    secrets: forRun ? encrypt(JSON.stringify({ token: 'demo-token' }), appKey) : null,
    collectFrom: { street: 'HaMasger', number: '20', city: 'Tel Aviv', company: 'Demo Shop' },
  });
}

async function ensureAccount(
  seed: Seed,
  who: { name: string; email: string; clientId: string; clientSecret: string },
  plans: readonly LicensePlan[],
): Promise<void> {
  const { db, appKey } = seed;
  const { name, email, clientId, clientSecret } = who;
  if ((await findByClientId(db, clientId)) !== null) return;
  const accountId = await insertAccount(db, {
    name,
    email,
    companyName: name,
    clientId,
    secretHash: hashSecret(clientSecret, appKey),
    last4: clientSecret.slice(-4),
  });
  for (const plan of plans) await addLicense(seed, accountId, plan);
}

/** The sandbox may be on another port than last time. */
async function pointAtSandbox(seed: Seed): Promise<void> {
  const settings = JSON.stringify(runSettings(seed.runUrl));
  await seed.db.run(
    `UPDATE license_settings SET settings = ? WHERE provider_id = ?
       AND license_id IN (SELECT id FROM licenses WHERE license_key IN ('demo-run', 'demo-expired'))`,
    [settings, await carrierId(seed.db, 'run')],
  );
}

/**
 * Two accounts: the first with a licence of each carrier, one inactive and one expired; the second with exactly
 * one licence. Does nothing for what is there already.
 */
export async function seedDemo(seed: Seed): Promise<DemoAccounts> {
  const { first, second } = seed.secrets;
  await ensureAccount(seed, { name: 'Demo Shop', email: 'demo@example.com', ...first }, [
    ...USABLE,
    ...UNUSABLE,
  ]);
  await ensureAccount(seed, { name: 'Second Shop', email: 'second@example.com', ...second }, SECOND);
  await pointAtSandbox(seed);
  const shown = (plans: readonly LicensePlan[]): DemoLicense[] =>
    plans.map(({ key, provider }) => ({ key, provider }));
  return { first: shown(USABLE), second: shown(SECOND) };
}

/** Body of a demo shipment, as an integrator sends it. */
export function demoShipment(license: DemoLicense, orderId: string): object {
  return {
    license_key: license.key,
    ship_data: {
      contact_name: 'Dana Levi',
      contact_phone: '0501234567',
      street: 'Dizengoff',
      number: '99',
      city: 'Tel Aviv',
      type: 1,
      return: 1,
    },
    order: { id: orderId, number: orderId, total: '120.00', currency: 'ILS' },
  };
}

/** Sends a few orders through the API, so that its lists are not empty; known ones are only replayed. */
export async function createDemoOrders(
  baseUrl: string,
  credentials: DevSecrets['first'],
  licenses: readonly DemoLicense[],
): Promise<void> {
  for (const license of licenses) {
    for (const number of [1, 2]) {
      const orderId = `${license.key}-${number}`;
      const response = await fetch(`${baseUrl}/api/v2/shipments`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-client-id': credentials.clientId,
          'x-client-secret': credentials.clientSecret,
          'idempotency-key': `demo-order-${orderId}`,
        },
        body: JSON.stringify(demoShipment(license, orderId)),
        signal: AbortSignal.timeout(40_000),
      });
      // 409: created in an earlier month, and the key has expired since.
      if (response.ok || response.status === 409) continue;
      throw new SetupError(
        `the demo order ${orderId} was answered ${response.status}: ${await response.text()}`,
      );
    }
  }
}
