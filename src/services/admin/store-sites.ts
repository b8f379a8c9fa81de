import { Type } from 'typebox';
import type { Executor } from '../../db/database.js';
import {
  type ConnectedSite,
  findStoreSite,
  insertStoreSite,
  listSites,
  updateStoreSite,
} from '../../db/queries/accounts/store-sites.js';
import { connectStore, disconnectStore, switchStore } from '../../db/queries/webhooks/store-subscriptions.js';
import { STORE_PLATFORMS } from '../../domain/store-sites.js';
import { hostOf } from '../../domain/webhook-host.js';
import { createGuardedClient } from '../../outbound/guarded-client.js';
import type { App } from '../app.js';
import { URL_RULES } from '../webhooks/webhooks.js';
import { requireAccount } from './accounts.js';
import { type ActingApp, audited } from './audited.js';
import { accountPageOf, fieldError, type Given, Id, refuse, requestCheck, takenAs } from './check.js';
import { requireLicense } from './licenses.js';

/** Visible ASCII without the separating colon; two sealed ones fit the column. */
const restKey = Type.Optional(Type.String({ 'x-secret': true, pattern: '^[!-9;-~]{1,100}$' }));
const restKeys = {
  storeUrl: Type.Optional(Type.String({ maxLength: 2048 })),
  consumerKey: restKey,
  consumerSecret: restKey,
};
const callbackUrl = Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 2048 }));
const checkNew = requestCheck({
  account: Id,
  /** Key or id; without one the site has all licenses of the account. */
  license: Type.Optional(Type.String()),
  platform: Type.Unsafe<string>({ enum: [...STORE_PLATFORMS] }),
  domain: Type.String({
    pattern: '^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\\d{1,5})?$',
    examples: ['shop.blue.example, in lower case'],
    maxLength: 255,
  }),
  callbackUrl,
  ...restKeys,
});
const checkChanges = requestCheck({
  id: Id,
  callbackUrl,
  active: Type.Optional(Type.Boolean()),
  ...restKeys,
  removeRestKeys: Type.Optional(Type.Literal(true)),
});

type SiteAdminApp = Pick<App<'appKeys' | 'webhookAllowCidrs'>, 'db' | 'config'>;

type RestKeys = Partial<Record<keyof typeof restKeys, string>>;

/** The host of a store's address as a browser shows it, such as `https://Shop.x/`; other input as it is. */
function hostGiven(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  const text = given.trim();
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  return URL.canParse(url) ? new URL(url).host : text;
}

/**
 * Connects a shop's site to an account or one of its licenses. With REST keys, its plugin is notified of orders
 * and licenses. @throws AppError `validation_failed`
 */
export async function createStoreSite(
  app: SiteAdminApp & ActingApp,
  request: Given<typeof checkNew>,
): Promise<ConnectedSite> {
  const values = checkNew({ ...request, domain: hostGiven(request.domain) });
  const { account, license, callbackUrl: url = null, platform, domain } = values;
  await requireAccount(app, account);
  const licenseId = license === undefined ? null : await ownLicense(app, account, license);
  await checkUrl(app, url);
  const site = { accountId: account, licenseId, platform, domain, callbackUrl: url };
  const store = await checkedStore(app, { ...site, storeUrl: null }, values);
  return await audited(app, 'store-sites.create', async (db) => {
    const id = await insertStoreSite(db, site);
    if (store !== null) await connectStore(db, { ...site, ...store, siteId: id });
    const result = await requireSite({ db }, id);
    const after = { ...shown(result), ...(store === null ? {} : { restKeys: 'set' }) };
    return { result, target: { kind: 'store-site', id }, accountId: account, after };
  }).catch(takenAs('domain', 'must be unique within the account; it has this one'));
}

/** Changes the given fields; an inactive site gets no notifications. @throws AppError `validation_failed` */
export async function changeStoreSite(
  app: SiteAdminApp & ActingApp,
  request: Given<typeof checkChanges>,
): Promise<ConnectedSite> {
  const values = checkChanges(request);
  const { id, callbackUrl: url, active: isActive, removeRestKeys } = values;
  const site = await requireSite(app, id);
  await checkUrl(app, url ?? null);
  const store = await checkedStore(app, site, values);
  return await audited(app, 'store-sites.change', async (db) => {
    const before = await requireSite({ db }, id);
    await updateStoreSite(db, id, { callbackUrl: url, isActive });
    if (removeRestKeys) await disconnectStore(db, id);
    else if (store !== null) await connectStore(db, { ...site, ...store, siteId: id });
    if (isActive !== undefined) await switchStore(db, id, isActive);
    const result = await requireSite({ db }, id);
    const { accountId } = before;
    const after = {
      ...shown(result),
      ...(result.callbackUrl === before.callbackUrl ? {} : { callbackUrl: `changed: ${hostIn(result)}` }),
      ...(store === null ? {} : { restKeys: 'changed' }),
    };
    return { result, target: { kind: 'store-site', id }, accountId, before: shown(before), after };
  });
}

/** A site as the audit may show it: the path of a callback may hold a secret. */
function shown({ failingSince: _failing, ...site }: ConnectedSite): object {
  return { ...site, callbackUrl: hostIn(site), restKeys: site.storeUrl === null ? 'none' : 'set' };
}

function hostIn({ callbackUrl }: Pick<ConnectedSite, 'callbackUrl'>): string {
  return callbackUrl === null || callbackUrl === '' ? 'none' : hostOf(callbackUrl);
}

/** Sites by ascending id, of one account or all. */
export async function storeSiteList(
  app: Pick<App, 'db'>,
  request: Given<typeof accountPageOf>,
): Promise<ConnectedSite[]> {
  return listSites(app.db, accountPageOf(request));
}

async function ownLicense(app: SiteAdminApp, accountId: number, keyOrId: string): Promise<number> {
  const license = await requireLicense(app, keyOrId);
  if (license.accountId === accountId) return license.id;
  throw fieldError('license', 'site_license', { account: accountId });
}

/** URL and sealed keys of the plugin; null without any. */
async function checkedStore(
  app: SiteAdminApp,
  { platform, domain, storeUrl }: Pick<ConnectedSite, 'platform' | 'domain' | 'storeUrl'>,
  { consumerKey, consumerSecret, storeUrl: given }: RestKeys,
): Promise<{ url: string; secret: Buffer } | null> {
  if (consumerKey === undefined || consumerSecret === undefined) {
    if (given !== undefined) throw fieldError('storeUrl', 'with_rest_keys');
    return null;
  }
  if (platform !== 'woocommerce') throw fieldError('platform', 'rest_keys_platform');
  const url = given ?? storeUrl ?? `https://${domain}`;
  await checkUrl(app, url, 'storeUrl');
  // Plain http exposes the keys, so it is for private networks only.
  const isOwn = async () => (await createGuardedClient({ allowedRanges: [] }).refusal(url)) === 'address';
  if (!url.startsWith('https://') && !(await isOwn())) throw fieldError('storeUrl', 'https');
  return { url, secret: app.config.appKeys.seal('webhook secret', `${consumerKey}:${consumerSecret}`) };
}

/** Applies the address rules of webhooks. */
async function checkUrl({ config }: SiteAdminApp, url: string | null, field = 'callbackUrl'): Promise<void> {
  if (url === null) return;
  const refusal = await createGuardedClient({ allowedRanges: config.webhookAllowCidrs }).refusal(url);
  if (refusal !== null) throw fieldError(field, URL_RULES[refusal]);
}

async function requireSite({ db }: { db: Executor }, id: number): Promise<ConnectedSite> {
  const site = await findStoreSite(db, id);
  return site ?? refuse('id', 'no_such', { be: 'be the id of a store site', given: `the id ${id}` });
}
