import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createConnection } from 'mysql2/promise';
import { type Database, openDatabase } from '../../src/db/database.js';
import { createDatabaseIfMissing, migrateDatabase } from '../../src/db/migrate.js';
import { databaseOn } from '../../tools/engines/test-schema.js';

/** A migrated database for one test file. `drop` removes it. */
export interface TestDatabase {
  db: Database;
  url: string;
  drop(): Promise<void>;
}

/** The migrated schema as a script, written once by `npm test`. */
const schemaFile = process.env.TEST_SCHEMA_FILE;

/** Creates a migrated database on the server of `DATABASE_URL`, or on the given one. */
export async function createTestDatabase(
  serverUrl = process.env.DATABASE_URL,
  onQuery: (sql: string) => void = () => undefined,
): Promise<TestDatabase> {
  if (serverUrl === undefined) throw new Error('DATABASE_URL must name a MySQL server');
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  const url = databaseOn(serverUrl, name);
  await createDatabaseIfMissing(url);
  const db = openDatabase({ url, poolSize: 20, onQuery });
  const hasSchema = schemaFile !== undefined && serverUrl === process.env.DATABASE_URL;
  await (hasSchema ? runScript(url, schemaFile) : migrateDatabase(db));
  return {
    db,
    url,
    async drop() {
      await db.run(`DROP DATABASE ${name}`);
      await db.close();
    },
  };
}

async function runScript(url: string, file: string): Promise<void> {
  const connection = await createConnection({ uri: url, multipleStatements: true });
  try {
    await connection.query(readFileSync(file, 'utf8'));
  } finally {
    await connection.end();
  }
}
