import type { Executor, Row } from '../database.js';
import { bool, int, intOrNull, iso, isoOrNull, text, textOrNull } from '../row.js';
import { insertRow, updateRow } from '../sql.js';

const COLUMNS =
  'id, account_id, license_id, platform, domain, callback_url, is_active, created_at, updated_at';

/** A store site that wants to hear of its license. */
export interface StoreSiteCallback {
  id: number;
  url: string;
}

/** The active sites with a callback that are the license's, or its account's without naming a license. */
export async function listSiteCallbacks(
  db: Executor,
  license: { id: number; accountId: number },
): Promise<StoreSiteCallback[]> {
  const rows = await db.select(
    `SELECT id, callback_url FROM store_sites
     WHERE account_id = ? AND (license_id = ? OR license_id IS NULL) AND is_active = TRUE
       AND callback_url IS NOT NULL AND callback_url <> ''
     ORDER BY id`,
    [license.accountId, license.id],
  );
  return rows.map((row) => ({ id: int(row, 'id'), url: text(row, 'callback_url') }));
}

/** Id of the account's active site with that domain; null when there is none. */
export async function findSiteByDomain(
  db: Executor,
  args: { accountId: number; domain: string },
): Promise<number | null> {
  const [row] = await db.select(
    'SELECT id FROM store_sites WHERE account_id = ? AND domain = ? AND is_active = TRUE',
    [args.accountId, args.domain],
  );
  return row === undefined ? null : int(row, 'id');
}

/** A store of a merchant. Timestamps: ISO 8601 UTC with microseconds. */
export interface StoreSiteRecord {
  id: number;
  accountId: number;
  /** Null where it serves every license of the account. */
  licenseId: number | null;
  platform: string;
  domain: string;
  callbackUrl: string | null;
  isActive: boolean;
  createdAt: string;
  updatedAt: string;
}

/** The sites of a platform that are the license's, or its account's without naming a license, oldest first. */
export async function listStoreSites(
  db: Executor,
  { license, platform }: { license: { id: number; accountId: number }; platform: string },
): Promise<StoreSiteRecord[]> {
  const rows = await db.select(
    `SELECT ${COLUMNS} FROM store_sites
     WHERE account_id = ? AND (license_id = ? OR license_id IS NULL) AND platform = ?
     ORDER BY id`,
    [license.accountId, license.id, platform],
  );
  return rows.map(toSite);
}

/** A new site. */
export type NewStoreSite = Omit<StoreSiteRecord, 'id' | 'isActive' | 'createdAt' | 'updatedAt'>;

/** Inserts a site and gives its id. @throws DatabaseError a duplicate: the account has the domain already */
export async function insertStoreSite(db: Executor, site: NewStoreSite): Promise<number> {
  return insertRow(db, 'store_sites', {
    account_id: site.accountId,
    license_id: site.licenseId,
    platform: site.platform,
    domain: site.domain,
    callback_url: site.callbackUrl,
  });
}

/** Changes what is given. */
export async function updateStoreSite(
  db: Executor,
  siteId: number,
  changes: { callbackUrl?: string | null; isActive?: boolean },
): Promise<void> {
  await updateRow(db, 'store_sites', siteId, {
    callback_url: changes.callbackUrl,
    is_active: changes.isActive,
  });
}

/** A site, and how its plugin is told. */
export interface ConnectedSite extends StoreSiteRecord {
  /** Where the plugin's routes are; null without REST keys. */
  storeUrl: string | null;
  /** Since when nothing reached the plugin; null while things do, and without REST keys. */
  failingSince: string | null;
}

const CONNECTED = `SELECT ${COLUMNS.split(', ')
  .map((column) => `t.${column}`)
  .join(', ')}, w.url AS store_url, w.failing_since
  FROM store_sites t LEFT JOIN webhook_subscriptions w ON w.store_site_id = t.id`;

/** The site with this id; null when there is none. */
export async function findStoreSite(db: Executor, siteId: number): Promise<ConnectedSite | null> {
  const [row] = await db.select(`${CONNECTED} WHERE t.id = ?`, [siteId]);
  return row === undefined ? null : toConnected(row);
}

/** Sites by ascending id, those after an id; of one account, or of all. */
export async function listSites(
  db: Executor,
  page: { accountId: number | undefined; afterId: number; limit: number },
): Promise<ConnectedSite[]> {
  const [filter, values] =
    page.accountId === undefined ? ['', []] : ['AND t.account_id = ?', [page.accountId]];
  const rows = await db.select(`${CONNECTED} WHERE t.id > ? ${filter} ORDER BY t.id LIMIT ${page.limit}`, [
    page.afterId,
    ...values,
  ]);
  return rows.map(toConnected);
}

function toConnected(row: Row): ConnectedSite {
  return {
    ...toSite(row),
    storeUrl: textOrNull(row, 'store_url'),
    failingSince: isoOrNull(row, 'failing_since'),
  };
}

function toSite(row: Row): StoreSiteRecord {
  return {
    id: int(row, 'id'),
    accountId: int(row, 'account_id'),
    licenseId: intOrNull(row, 'license_id'),
    platform: text(row, 'platform'),
    domain: text(row, 'domain'),
    callbackUrl: textOrNull(row, 'callback_url'),
    isActive: bool(row, 'is_active'),
    createdAt: iso(row, 'created_at'),
    updatedAt: iso(row, 'updated_at'),
  };
}
