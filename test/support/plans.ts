import type { Executor, Row, SqlValue } from '../../src/db/database.js';
import { insertTestAccount, insertTestLicense } from './factories.js';

/** Two licenses of an account and one of another, whose rows a plan must step over. */
export async function threeLicenses(db: Executor) {
  const { accountId } = await insertTestAccount(db);
  const other = await insertTestAccount(db);
  return {
    license: await insertTestLicense(db, { accountId }),
    second: await insertTestLicense(db, { accountId, provider: 'run' }),
    foreign: await insertTestLicense(db, { accountId: other.accountId }),
  };
}

/** The plans of all SELECTs of `query`, in order. */
export async function plansOf(
  db: Executor,
  query: (explained: Executor) => Promise<unknown>,
): Promise<Row[][]> {
  const plans: Row[][] = [];
  await query({
    run: (sql, params) => db.run(sql, params),
    select: async (sql: string, params?: readonly SqlValue[]) => {
      plans.push(await db.select(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, params));
      return db.select(sql, params);
    },
  });
  return plans;
}

/** Rows and index entries that `read` reads on a single connection. */
export async function rowsReadBy(one: Executor, read: () => Promise<unknown>): Promise<number> {
  const before = await rowsRead(one);
  await read();
  const after = await rowsRead(one);
  // Subtracts what the measurement reads.
  const again = await rowsRead(one);
  return after - before - (again - after);
}

/** Rows and index entries read so far by the session. */
async function rowsRead(db: Executor): Promise<number> {
  const rows = await db.select(
    `SHOW SESSION STATUS WHERE Variable_name IN ('Handler_read_first', 'Handler_read_key', 'Handler_read_last',
       'Handler_read_next', 'Handler_read_prev', 'Handler_read_rnd', 'Handler_read_rnd_next')`,
  );
  return rows.reduce((sum, row) => sum + Number(row.Value), 0);
}

/**
 * Index entries examined by the session, including those filtered by a pushed condition if the server reports
 * them.
 */
export async function looksSoFar(session: Executor): Promise<number> {
  const rows = await session.select(
    `SHOW SESSION STATUS WHERE Variable_name IN ('Handler_read_next', 'Handler_icp_attempts')`,
  );
  return Math.max(...rows.map((row) => Number(row.Value)));
}
