import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { storeSites, webhookSubscriptions } from '../../tables/index.js';
import type { RowOf } from '../../tables/table.js';
import { type Condition, type IdPage, selectAfterId } from '../keyset.js';

const t = storeSites.as('t');
const w = webhookSubscriptions.as('w');

/** The license's active sites with a callback, and those of its account that name no license. */
export async function listSiteCallbacks(
  db: Executor,
  license: { id: number; accountId: number },
): Promise<{ id: number; url: string }[]> {
  const callback = shape({ id: t.id, url: t.callbackUrl.map((url) => url ?? '') });
  return await callback.select(
    db,
    `FROM store_sites t
     WHERE t.account_id = ? AND (t.license_id = ? OR t.license_id IS NULL) AND t.is_active = TRUE
       AND t.callback_url IS NOT NULL AND t.callback_url <> ''
     ORDER BY t.id`,
    [license.accountId, license.id],
  );
}

/** Id of the account's active site with that domain; null when there is none. */
export async function findSiteByDomain(
  db: Executor,
  args: { accountId: number; domain: string },
): Promise<number | null> {
  const site = await storeSites.findOne(db, storeSites.pick('id'), { ...args, isActive: true });
  return site && site.id;
}

/** A store of a merchant. Timestamps: ISO 8601 UTC with microseconds. */
export type StoreSiteRecord = RowOf<typeof storeSites>;

/** The license's sites of a platform, and those of its account that name no license, oldest first. */
export async function listStoreSites(
  db: Executor,
  { license, platform }: { license: { id: number; accountId: number }; platform: string },
): Promise<StoreSiteRecord[]> {
  return await shape(t).select(
    db,
    `FROM store_sites t
     WHERE t.account_id = ? AND (t.license_id = ? OR t.license_id IS NULL) AND t.platform = ?
     ORDER BY t.id`,
    [license.accountId, license.id, platform],
  );
}

/** Inserts a site and gives its id. @throws DatabaseError a duplicate: the account has the domain already */
export async function insertStoreSite(
  db: Executor,
  site: Omit<StoreSiteRecord, 'id' | 'isActive' | 'createdAt' | 'updatedAt'>,
): Promise<number> {
  return await storeSites.insert(db, site);
}

/** Changes the given fields. */
export async function updateStoreSite(
  db: Executor,
  siteId: number,
  changes: { callbackUrl: string | null | undefined; isActive: boolean | undefined },
): Promise<void> {
  await storeSites.update(db, { id: siteId, accountId: undefined }, changes);
}

const CONNECTED = shape({ ...t, storeUrl: w.url.or(null), failingSince: w.failingSince });
const CONNECTED_TABLES = 'store_sites t LEFT JOIN webhook_subscriptions w ON w.store_site_id = t.id';

/**
 * A site and its connection to its plugin, empty without REST keys. `storeUrl`: base address of the plugin's routes.
 * `failingSince`: since when no call has reached the plugin; null while calls succeed.
 */
export type ConnectedSite = Selected<typeof CONNECTED>;

/** The site with this id; null when there is none. */
export async function findStoreSite(db: Executor, siteId: number): Promise<ConnectedSite | null> {
  return await CONNECTED.first(db, `FROM ${CONNECTED_TABLES} WHERE t.id = ?`, [siteId]);
}

/** Sites after an id, by ascending id; of one account, or of all. */
export async function listSites(
  db: Executor,
  page: IdPage & { accountId: number | undefined },
): Promise<ConnectedSite[]> {
  const where: Condition[] = [['t.account_id = ?', page.accountId]];
  return await selectAfterId(db, CONNECTED, { from: CONNECTED_TABLES, where, id: 't.id' }, page);
}
