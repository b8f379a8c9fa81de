import type { Database, Executor } from './database.js';
import { bool } from './row.js';
import { expression } from './selection.js';
import type { Sql } from './sql.js';

/**
 * Name of a lock that includes the database: lock names are global to the server and at most 64 characters. `purpose`
 * must be a literal of the program.
 */
export function lockName(purpose: string): Sql {
  return { sql: `CONCAT('${purpose}-', LEFT(SHA2(DATABASE(), 256), 40))`, params: [] };
}

/**
 * Runs `work` in a session that holds the lock, and returns its result. Returns null without running it when another
 * session still holds the lock after `waitSeconds`.
 */
export async function underLock<T>(
  db: Database,
  { name, waitSeconds = 0 }: { name: Sql; waitSeconds?: number },
  work: (session: Executor) => Promise<T>,
): Promise<T | null> {
  const isTaken = expression(`GET_LOCK(${name.sql}, ${waitSeconds})`, bool).or(null);
  return await db.session(async (session) => {
    if (!(await isTaken.first(session, '', name.params))) return null;
    try {
      return await work(session);
    } finally {
      await session.select(`SELECT RELEASE_LOCK(${name.sql}) AS released`, name.params);
    }
  });
}
