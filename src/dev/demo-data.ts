import type { Database } from '../db/database.js';
import { findByClientId, insertAccount, type NewAccount } from '../db/queries/accounts.js';
import {
  findCarrierId,
  insertCompany,
  insertLicense,
  insertLicenseSettings,
  SETTINGS_FLAGS,
} from '../db/queries/licenses.js';
import { encrypt, hashSecret } from '../lib/secrets.js';
import type { DemoLicense } from './demo-orders.js';
import { SetupError } from './progress.js';
import type { DevSecrets } from './state.js';

/** The two accounts' usable licences. */
export interface DemoAccounts {
  readonly first: readonly DemoLicense[];
  readonly second: readonly DemoLicense[];
}

interface LicensePlan extends DemoLicense {
  readonly name: string;
  readonly labelType: 'A4' | 'thermal';
  readonly isActive?: boolean;
  readonly expiresAt?: string;
}

const USABLE: readonly LicensePlan[] = [
  { key: 'demo-independent', provider: 'independent', name: 'Own couriers', labelType: 'A4' },
  { key: 'demo-run', provider: 'run', name: 'Pickup network', labelType: 'thermal' },
];
const UNUSABLE: readonly LicensePlan[] = [
  { key: 'demo-inactive', provider: 'independent', name: 'Paused branch', labelType: 'A4', isActive: false },
  {
    key: 'demo-expired',
    provider: 'run',
    name: 'Last year',
    labelType: 'A4',
    expiresAt: '2025-12-31T21:59:59.000000Z',
  },
];
const SECOND: readonly LicensePlan[] = [
  { key: 'demo-second', provider: 'independent', name: 'Only licence', labelType: 'thermal' },
];

/** Everything that labels can print is on. */
const PRINT_FLAGS = Object.fromEntries(
  SETTINGS_FLAGS.filter((flag) => /^(?:print|display|enable|send)_/.test(flag)).map((flag) => [flag, true]),
);

const LOGO_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="190" height="48" viewBox="0 0 190 48">
<rect width="48" height="48" rx="10" fill="#0b5cad"/><path d="M12 19l12-7 12 7v13l-12 7-12-7z" fill="none"
stroke="#fff" stroke-width="3" stroke-linejoin="round"/><path d="M12 19l12 7 12-7M24 26v13" fill="none" stroke="#fff"
stroke-width="3"/><text x="60" y="32" textLength="128" lengthAdjust="spacingAndGlyphs" font-family="Arial,sans-serif" font-size="23" font-weight="700"
fill="#1d2733">Demo Shop</text></svg>`;

/** What the demo account shows of itself on labels, mails and the tracking page. */
const DEMO_SHOP: Partial<NewAccount> = {
  phone: '+972 3 555 0100',
  companyLogo: `data:image/svg+xml,${encodeURIComponent(LOGO_SVG.replaceAll('\n', ' '))}`,
  supportEmail: 'help@demo-shop.example',
  supportPhone: '+972 3 555 0100',
  canUseCollectionPoints: true,
  displayOrderProduct: true,
  displayProductPriceInOrderDetail: true,
  displayOrderNumberBarcode: true,
};

/** The second one speaks Hebrew. */
const SECOND_SHOP: Partial<NewAccount> = {
  locale: 'he',
  companyName: 'החנות השנייה',
  supportEmail: 'help@second-shop.example',
  supportPhone: '04-555-0200',
};

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
    flags: PRINT_FLAGS,
    labelType: plan.labelType,
  });
}

async function ensureAccount(
  seed: Seed,
  who: { name: string; email: string; clientId: string; clientSecret: string; look: Partial<NewAccount> },
  plans: readonly LicensePlan[],
): Promise<void> {
  const { db, appKey } = seed;
  const { name, email, clientId, clientSecret, look } = who;
  if ((await findByClientId(db, clientId)) !== null) return;
  const accountId = await insertAccount(db, {
    name,
    email,
    companyName: name,
    clientId,
    secretHash: hashSecret(clientSecret, appKey),
    last4: clientSecret.slice(-4),
    ...look,
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
  await ensureAccount(seed, { name: 'Demo Shop', email: 'demo@example.com', look: DEMO_SHOP, ...first }, [
    ...USABLE,
    ...UNUSABLE,
  ]);
  await ensureAccount(
    seed,
    { name: 'Second Shop', email: 'second@example.com', look: SECOND_SHOP, ...second },
    SECOND,
  );
  await pointAtSandbox(seed);
  const shown = (plans: readonly LicensePlan[]): DemoLicense[] =>
    plans.map(({ key, provider }) => ({ key, provider }));
  return { first: shown(USABLE), second: shown(SECOND) };
}
