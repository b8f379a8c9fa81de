import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { openDatabase } from '../../src/db/database.js';
import { createDatabaseIfMissing, migrateDatabase } from '../../src/db/migrate.js';

/** Name and definition of each table, by name. */
async function definitions(connection: Connection): Promise<[string, string][]> {
  const [tables] = await connection.query<RowDataPacket[]>({ sql: 'SHOW TABLES', rowsAsArray: true });
  const found: [string, string][] = [];
  for (const table of tables) {
    const [rows] = await connection.query<RowDataPacket[]>({
      sql: 'SHOW CREATE TABLE ??',
      values: [table[0]],
      rowsAsArray: true,
    });
    found.push([String(rows[0]?.[0]), String(rows[0]?.[1])]);
  }
  return found;
}

/** The statement to insert a migrated table's rows, if any. */
async function seed(connection: Connection, table: string): Promise<string[]> {
  const [rows] = await connection.query<RowDataPacket[]>({
    sql: 'SELECT * FROM ??',
    values: [table],
    rowsAsArray: true,
  });
  return rows.length === 0 ? [] : [connection.format('INSERT INTO ?? VALUES ?', [table, rows])];
}

async function dump(url: string): Promise<string> {
  const connection = await createConnection({ uri: url, dateStrings: true });
  try {
    const tables = await definitions(connection);
    const seeds: string[] = [];
    for (const [table] of tables) seeds.push(...(await seed(connection, table)));
    return ['SET foreign_key_checks = 0', ...tables.map(([, sql]) => sql), ...seeds].join(';\n');
  } finally {
    await connection.end();
  }
}

/** URL of another database on the server; without a name, of none. */
export function databaseOn(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * Migrates a temporary database and writes the result as an SQL script. Dozens of test files need a database,
 * and the script takes half the time of the migrations.
 */
export async function writeTestSchema(serverUrl: string, file: string): Promise<void> {
  const name = `test_schema_${randomBytes(4).toString('hex')}`;
  const url = databaseOn(serverUrl, name);
  await createDatabaseIfMissing(url);
  const db = openDatabase({ url, poolSize: 2, statementTimeoutMs: 0 });
  try {
    await migrateDatabase(db);
    writeFileSync(file, await dump(url));
  } finally {
    await db.run(`DROP DATABASE ${name}`);
    await db.close();
  }
}
