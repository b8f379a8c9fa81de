import type { Executor } from '../database.js';
import { int, text } from '../row.js';

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
