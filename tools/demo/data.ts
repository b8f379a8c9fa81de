import type { ActingCliApp } from '../../src/admin/command.js';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import { findByClientId } from '../../src/db/queries/accounts/credentials.js';
import { findLicenseHead, SETTINGS_FLAGS } from '../../src/db/queries/accounts/licenses.js';
import { findUser } from '../../src/db/queries/accounts/users.js';
import { findRecipient } from '../../src/db/queries/shipments/recipients.js';
import { resolveToken } from '../../src/services/accounts/access-tokens.js';
import { changeAccount, createAccount } from '../../src/services/admin/accounts.js';
import { setAppSecret } from '../../src/services/admin/app-secret.js';
import { createCompany } from '../../src/services/admin/companies.js';
import { setCredentials } from '../../src/services/admin/credentials.js';
import { changeLicense, createLicense, licenseWebhookUrl } from '../../src/services/admin/licenses.js';
import { createRecipient } from '../../src/services/admin/recipients.js';
import { changeStoreSite, createStoreSite, storeSiteList } from '../../src/services/admin/store-sites.js';
import { issueUserToken } from '../../src/services/admin/tokens.js';
import { createUser } from '../../src/services/admin/users.js';
import { LOGO_PATHS } from '../doubles/carriers/logo.js';
import { SetupError } from '../launcher/progress.js';
import type { DevSecrets } from '../launcher/state.js';
import { demoCarrier } from './carriers.js';
import type { DemoLicense } from './orders.js';
import { ensurePanelUsers } from './panel.js';
import {
  DEMO_SENDER,
  DEMO_SHOP,
  type DemoSender,
  SECOND_SENDER,
  SECOND_SHOP,
  THIRD_SENDER,
  THIRD_SHOP,
} from './shops.js';

export const STORE_DOMAIN = 'demo-shop.example';

/** Usable licenses of both accounts, and tokens of API v1. */
export interface DemoData {
  readonly first: readonly DemoLicense[];
  readonly second: readonly DemoLicense[];
  readonly third: readonly DemoLicense[];
  /** Token of the premium merchant's user. */
  readonly userToken: string;
  readonly recipientToken: string;
  /** Provider → URL where its sandbox posts status changes. */
  readonly webhooks: Readonly<Record<string, string>>;
}

/** Dependencies of the demo data. */
export interface DemoSeed {
  readonly app: Pick<ActingCliApp, 'db' | 'adapters' | 'actor'> & {
    config: Pick<ActingCliApp['config'], 'appKeys' | 'baseUrl' | 'webhookAllowCidrs' | 'webhookRetrySeconds'>;
  };
  readonly secrets: DevSecrets;
  /** Provider → URL of its sandbox. */
  readonly sandboxes: Readonly<Record<string, string>>;
  /** URL that activations of the store site are sent to; null for none. */
  readonly callbackUrl: string | null;
}

interface LicensePlan extends DemoLicense {
  readonly name: string;
  readonly labelType: 'A4' | 'thermal';
  readonly isActive?: boolean;
  readonly expiresAt?: string;
  readonly isPremium?: boolean;
}

const PREMIUM: LicensePlan = {
  key: 'demo-premium',
  provider: 'run',
  name: 'Premium network',
  labelType: 'thermal',
  isPremium: true,
};
const UNUSABLE: readonly LicensePlan[] = [
  {
    key: 'demo-inactive',
    provider: 'independent',
    name: 'Paused branch',
    labelType: 'A4',
    isActive: false,
  },
  {
    key: 'demo-expired',
    provider: 'run',
    name: 'Last year',
    labelType: 'A4',
    expiresAt: '2025-12-31T21:59:59Z',
  },
];
const SECOND: LicensePlan = {
  key: 'demo-second',
  provider: 'independent',
  name: 'Own couriers',
  labelType: 'thermal',
};
const THIRD: readonly LicensePlan[] = [
  { key: 'demo-third', provider: 'independent', name: 'שליחי הבית', labelType: 'A4' },
  { key: 'demo-third-run', provider: 'run', name: 'HFD', labelType: 'thermal' },
];
const PREMIUM_USER = { name: 'Rina Premium', email: 'premium@demo-shop.example' };
const RECIPIENT = { name: 'Dana Levi', phone: '0501234567' };

/** Enables everything that labels can print. */
const PRINT_FLAGS = Object.fromEntries(
  SETTINGS_FLAGS.filter((flag) => /^(?:print|display|enable|send)_/.test(flag)).map((flag) => [flag, true]),
);

/** A usable license per carrier. */
function usablePlans({ app }: DemoSeed): LicensePlan[] {
  return app.adapters.map((adapter) => {
    const { provider } = adapter;
    const { name, labelType } = demoCarrier(adapter);
    return { key: `demo-${provider.replaceAll('_', '-')}`, provider, name, labelType };
  });
}

function adapterOf({ app }: DemoSeed, provider: string): CarrierAdapter {
  const adapter = app.adapters.find((one) => one.provider === provider);
  if (adapter === undefined) throw new SetupError(`the demo's carrier ${provider} is not in the registry`);
  return adapter;
}

/** An account and its collection address. */
interface Shop {
  readonly account: number;
  readonly sender: DemoSender;
}

async function addLicense(seed: DemoSeed, { account, sender }: Shop, plan: LicensePlan): Promise<void> {
  const { provider, key, name, labelType, isActive, expiresAt, isPremium } = plan;
  const carrier = demoCarrier(adapterOf(seed, provider));
  const { id: company } = await createCompany(seed.app, { carrier: provider, name, premium: isPremium });
  await createLicense(seed.app, {
    account,
    company,
    key,
    shortKey: true,
    name,
    active: isActive,
    sandbox: true,
    expires: expiresAt,
    settings: carrier.settings(seed.sandboxes[provider] ?? ''),
    ...sender,
    collectCity: carrier.collectCity ?? sender.collectCity,
    labelType,
    flags: PRINT_FLAGS,
  });
}

/** An existing license may need its sandbox's new port. */
async function ensureLicense(seed: DemoSeed, shop: Shop, plan: LicensePlan): Promise<void> {
  if ((await findLicenseHead(seed.app.db, plan.key)) === null) return addLicense(seed, shop, plan);
  const baseUrl = seed.sandboxes[plan.provider];
  if (baseUrl === undefined) return;
  await changeLicense(seed.app, { license: plan.key, settings: { base_url: baseUrl } });
}

/** The account of the license key. Restores its credentials if someone replaced them. */
async function ensureAccount(
  { app }: DemoSeed,
  kept: DevSecrets['first'],
  { key }: Pick<DemoLicense, 'key'>,
  request: Parameters<typeof createAccount>[1],
): Promise<number> {
  const license = await findLicenseHead(app.db, key);
  const known = await findByClientId(app.db, kept.clientId);
  const id = license?.accountId ?? known?.accountId ?? (await createAccount(app, request)).id;
  await setCredentials(app, { accountId: id, ...kept });
  return id;
}

async function ensureStoreSite({ app, callbackUrl }: DemoSeed, account: number): Promise<void> {
  const site = (await storeSiteList(app, { account })).find(({ domain }) => domain === STORE_DOMAIN);
  if (site !== undefined) await changeStoreSite(app, { id: site.id, callbackUrl });
  else await createStoreSite(app, { account, platform: 'woocommerce', domain: STORE_DOMAIN, callbackUrl });
}

/** The stored token if it is valid, else a new one. */
async function ensureToken(
  { app }: DemoSeed,
  kept: string,
  owner: { user: string } | { recipient: string },
): Promise<string> {
  if ((await resolveToken(app.db, kept)) !== null) return kept;
  return (await issueUserToken(app, { ...owner, name: 'demo' })).token;
}

async function ensurePeople(seed: DemoSeed, account: number): Promise<void> {
  const { app } = seed;
  if ((await findUser(app.db, { email: PREMIUM_USER.email })) === null) {
    await createUser(app, { account, ...PREMIUM_USER, premium: true });
  }
  if ((await findRecipient(app.db, { phone: RECIPIENT.phone })) === null)
    await createRecipient(app, RECIPIENT);
}

/**
 * Creates three accounts: the first with a license of each carrier, a premium, an inactive and an expired one, a
 * store site and a premium user; the second with one license, the third with two. Also a recipient and the app secret. Existing
 * data stay.
 */
export async function seedDemo(seed: DemoSeed): Promise<DemoData> {
  const { app, secrets } = seed;
  const usable = [...usablePlans(seed), PREMIUM];
  const shop = { name: 'Demo Shop', email: 'demo@example.com', ...DEMO_SHOP };
  const first = await ensureAccount(seed, secrets.first, { key: 'demo-run' }, shop);
  for (const plan of [...usable, ...UNUSABLE]) {
    await ensureLicense(seed, { account: first, sender: DEMO_SENDER }, plan);
  }
  const secondShop = { name: 'Second Shop', email: 'second@example.com', ...SECOND_SHOP };
  const second = await ensureAccount(seed, secrets.second, SECOND, secondShop);
  await ensureLicense(seed, { account: second, sender: SECOND_SENDER }, SECOND);
  const third = await ensureAccount(seed, secrets.third, { key: 'demo-third' }, THIRD_SHOP);
  for (const plan of THIRD) await ensureLicense(seed, { account: third, sender: THIRD_SENDER }, plan);
  // The logo's sandbox may have a new port.
  const { run = '' } = seed.sandboxes;
  await changeAccount(app, { id: first, companyLogo: run + LOGO_PATHS.demo });
  await changeAccount(app, { id: second, companyLogo: run + LOGO_PATHS.second });
  await ensureStoreSite(seed, first);
  await ensurePeople(seed, first);
  await setAppSecret(app, { secret: secrets.appSecret });
  const userToken = await ensureToken(seed, secrets.userToken, { user: PREMIUM_USER.email });
  const recipientToken = await ensureToken(seed, secrets.recipientToken, { recipient: RECIPIENT.phone });
  const shown = (plans: readonly LicensePlan[]): DemoLicense[] =>
    plans.map(({ key, provider }) => ({ key, provider }));
  const webhooks = await webhookUrls(seed, usable);
  await ensurePanelUsers(app, secrets.panel, second);
  return {
    first: shown(usable),
    second: shown([SECOND]),
    third: shown(THIRD),
    userToken,
    recipientToken,
    webhooks,
  };
}

/** URLs of each webhook carrier's first license. */
async function webhookUrls(
  { app }: DemoSeed,
  plans: readonly LicensePlan[],
): Promise<Record<string, string>> {
  const posting = app.adapters.filter(({ webhook }) => webhook !== undefined);
  const urls = posting.map(async ({ provider }): Promise<[string, string]> => {
    const key = plans.find((plan) => plan.provider === provider)?.key ?? '';
    return [provider, (await licenseWebhookUrl(app, { license: key })).url];
  });
  return Object.fromEntries(await Promise.all(urls));
}
