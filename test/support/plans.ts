import type { Executor, Row, SqlValue } from '../../src/db/database.js';

/** The plan of every SELECT that `query` sends, in their order. */
export async function plansOf(
  db: Executor,
  query: (explained: Executor) => Promise<unknown>,
): Promise<Row[][]> {
  const plans: Row[][] = [];
  await query({
    run: (sql, params) => db.run(sql, params),
    select: async (sql: string, params?: readonly SqlValue[]) => {
      plans.push(await db.select(`EXPLAIN ${sql}`, params));
      return db.select(sql, params);
    },
  });
  return plans;
}
