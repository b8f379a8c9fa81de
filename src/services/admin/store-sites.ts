import { type Static, Type } from 'typebox';
import { isDuplicateKey } from '../../db/database.js';
import {
  findStoreSite,
  insertStoreSite,
  listSites,
  type StoreSiteRecord,
  updateStoreSite,
} from '../../db/queries/store-sites.js';
import { STORE_PLATFORMS } from '../../domain/store-sites.js';
import { compileOnUse } from '../../lib/schema.js';
import { createGuardedClient } from '../../outbound/guarded-client.js';
import { requireAccount } from './accounts.js';
import type { AdminApp } from './app.js';
import { checked, fieldError, type Given, Id, Page, pageOf } from './check.js';
import { requireLicense } from './licenses.js';

const callbackUrl = Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 2048 }));
const newSite = Type.Object(
  {
    account: Id,
    /** Key or id; without one the site goes with every license of the account. */
    license: Type.Optional(Type.String()),
    platform: Type.Unsafe<string>({ enum: [...STORE_PLATFORMS] }),
    domain: Type.String({ pattern: '^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\\d{1,5})?$', maxLength: 255 }),
    callbackUrl,
  },
  { additionalProperties: false },
);
const siteChanges = Type.Object(
  { id: Id, callbackUrl, active: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
const sitePage = Type.Object({ account: Type.Optional(Id), ...Page }, { additionalProperties: false });
const checkNew = compileOnUse<Static<typeof newSite>>(newSite);
const checkChanges = compileOnUse<Static<typeof siteChanges>>(siteChanges);
const checkPage = compileOnUse<Static<typeof sitePage>>(sitePage);

type App = Pick<AdminApp, 'db' | 'webhookAllowCidrs'>;

const REFUSALS = {
  malformed: 'must be a URL',
  scheme: 'must begin with https:// or http://',
  credentials: 'must hold no user name or password',
  port: 'must not name a port of another kind of service',
  address: 'must lead to a public address, or to one in WEBHOOK_ALLOW_CIDRS',
};

/** Connects a shop's site to an account, or to one of its licenses. @throws AppError `validation_failed` */
export async function createStoreSite(
  app: App,
  request: Given<Static<typeof newSite>>,
): Promise<StoreSiteRecord> {
  const { account, license, callbackUrl: url = null, platform, domain } = checked(checkNew(), request);
  await requireAccount(app, account);
  const licenseId = license === undefined ? null : await ownLicense(app, account, license);
  await checkUrl(app, url);
  const site = { accountId: account, licenseId, platform, domain, callbackUrl: url };
  const id = await insertStoreSite(app.db, site).catch((error: unknown): never => {
    if (isDuplicateKey(error))
      throw fieldError('domain', 'must be unique within the account; it has this one');
    throw error;
  });
  return requireSite(app, id);
}

/** Changes what is given; a site that is not active is told nothing. @throws AppError `validation_failed` */
export async function changeStoreSite(
  app: App,
  request: Given<Static<typeof siteChanges>>,
): Promise<StoreSiteRecord> {
  const { id, callbackUrl: url, active: isActive } = checked(checkChanges(), request);
  await checkUrl(app, url ?? null);
  await updateStoreSite(app.db, id, {
    ...(url === undefined ? {} : { callbackUrl: url }),
    ...(isActive === undefined ? {} : { isActive }),
  });
  return requireSite(app, id);
}

/** Sites by ascending id, of one account or of all. */
export async function storeSiteList(
  app: Pick<AdminApp, 'db'>,
  request: Given<Static<typeof sitePage>>,
): Promise<StoreSiteRecord[]> {
  const values = checked(checkPage(), request);
  return listSites(app.db, { accountId: values.account, ...pageOf(values) });
}

async function ownLicense(app: App, accountId: number, keyOrId: string): Promise<number> {
  const license = await requireLicense(app, keyOrId);
  if (license.accountId === accountId) return license.id;
  throw fieldError('license', `must be one of account ${accountId}`);
}

/** The addresses that webhooks may have. */
async function checkUrl({ webhookAllowCidrs }: App, url: string | null): Promise<void> {
  if (url === null) return;
  const refusal = await createGuardedClient({ allowedRanges: webhookAllowCidrs }).refusal(url);
  if (refusal !== null) throw fieldError('callbackUrl', REFUSALS[refusal]);
}

async function requireSite({ db }: App, id: number): Promise<StoreSiteRecord> {
  const site = await findStoreSite(db, id);
  if (site === null)
    throw fieldError('id', `must be the id of a store site; there is none with the id ${id}`);
  return site;
}
