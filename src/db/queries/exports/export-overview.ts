import type { ExportRecord } from '../../../domain/exports.js';
import type { Executor } from '../../database.js';
import { allOf } from '../keyset.js';
import { EXPORT } from './exports.js';

/** The newest exports of an account or of all, 200 at most, or the one with an id. For the operator. */
export async function listLatestExports(
  db: Executor,
  filter: { accountId?: number | undefined; id?: number },
): Promise<ExportRecord[]> {
  const { sql, params } = allOf([['TRUE'], ['e.account_id = ?', filter.accountId], ['e.id = ?', filter.id]]);
  return await EXPORT.select(db, `FROM exports e WHERE ${sql} ORDER BY e.id DESC LIMIT 200`, params);
}
