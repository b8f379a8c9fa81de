import { randomBytes } from 'node:crypto';
import { type Database, openDatabase } from '../../src/db/database.js';
import { createDatabaseIfMissing, migrateDatabase } from '../../src/db/migrate.js';

/** A migrated database of one test file's own. `drop` removes it. */
export interface TestDatabase {
  db: Database;
  url: string;
  drop(): Promise<void>;
}

/** Creates a migrated database on the server of `DATABASE_URL`, or of the given server address. */
export async function createTestDatabase(serverUrl = process.env.DATABASE_URL): Promise<TestDatabase> {
  if (serverUrl === undefined) throw new Error('DATABASE_URL must name a MySQL server');
  const url = new URL(serverUrl);
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  url.pathname = `/${name}`;
  await createDatabaseIfMissing(url.href);
  const db = openDatabase({ url: url.href, poolSize: 20 });
  await migrateDatabase(db);
  return {
    db,
    url: url.href,
    async drop() {
      await db.run(`DROP DATABASE ${name}`);
      await db.close();
    },
  };
}
