import type { Database, Executor } from './database.js';
import { bool } from './row.js';
import { expression } from './selection.js';
import type { Sql } from './sql.js';

/**
 * Runs `work` in a session that holds the lock, and returns its result. Returns null without running it when another
 * session holds the lock. Lock names are global to the server, and each node of a cluster has its own: for what two may do
 * at once without harm.
 */
export async function underLock<T>(
  db: Database,
  { name }: { name: Sql },
  work: (session: Executor) => Promise<T>,
): Promise<T | null> {
  const isTaken = expression(`GET_LOCK(${name.sql}, 0)`, bool).or(null);
  return await db.session(async (session) => {
    if (!(await isTaken.first(session, '', name.params))) return null;
    try {
      return await work(session);
    } finally {
      await session.select(`SELECT RELEASE_LOCK(${name.sql}) AS released`, name.params);
    }
  });
}
