import type { Executor, SqlValue } from '../../src/db/database.js';
import { placeholders } from '../../src/db/sql.js';

/**
 * Inserts one row and gives its AUTO_INCREMENT id (or the explicit `id`). Undefined values are left to the column's
 * default.
 */
export async function insertRow(
  db: Executor,
  table: string,
  values: Readonly<Record<string, SqlValue | undefined>>,
): Promise<number> {
  const columns: string[] = [];
  const params: SqlValue[] = [];
  for (const [column, value] of Object.entries(values)) {
    if (value === undefined) continue;
    columns.push(column);
    params.push(value);
  }
  const result = await db.run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${placeholders(params.length)})`,
    params,
  );
  return typeof values.id === 'number' ? values.id : result.insertId;
}
