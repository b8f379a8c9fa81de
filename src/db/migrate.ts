import { createConnection } from 'mysql2/promise';
import type { Umzug, UmzugStorage } from 'umzug';
import { SHIPPING_STATUSES } from '../domain/statuses.js';
import { LIMITS } from '../lib/limits/values.js';
import { databaseAddress } from './connection.js';
import type { Database, Executor } from './database.js';
import { refusalOf } from './errors.js';
import { underLease } from './lease.js';
import { type Migration, migrations } from './migrations/index.js';
import { placeholders } from './sql.js';
import { carriers } from './tables/index.js';
import { instant, int, table, text } from './tables/table.js';

export const journal = table('schema_migrations', {
  name: text('VARCHAR(191)').primary(),
  statementsDone: int('INT UNSIGNED'),
  finishedAt: instant().null(),
});
const j = journal.as('j');
/** No migration has this name, and the row is there only while one is made. */
const LEASE = { table: journal.name, beat: 'statements_done', name: 'under way' };
/** Table, column or key exists, or the key to drop does not: left behind by an interrupted statement. */
const ALREADY_DONE: ReadonlySet<unknown> = new Set([1050, 1060, 1061, 1091]);

/**
 * Migrates the schema and seeds the shipping statuses. Processes that start together wait for one another, also at
 * different nodes of a cluster; an interrupted migration continues where it stopped, some seconds later. Uses two
 * connections.
 * @returns names of the migrations that ran now
 */
export async function migrateDatabase(db: Database): Promise<string[]> {
  await createJournal(db);
  return await underLease(db, LEASE, LIMITS.database.migrationSeconds, (hold) =>
    db.session((session) => migrate(session, hold)),
  );
}

async function migrate(session: Executor, hold: () => void): Promise<string[]> {
  const umzug = await createUmzug(session, hold);
  const done = await umzug.up();
  await seedStatuses(session);
  return done.map((migration) => migration.name);
}

/** Creates the URL's database if it is missing; only then the user needs the CREATE privilege. */
export async function createDatabaseIfMissing(url: string): Promise<void> {
  const { database: name, ...server } = databaseAddress(url);
  if (!/^[\w-]{1,64}$/.test(name)) throw new Error('The database URL must end in a plain database name.');
  if (await isThere({ ...server, database: name })) return;
  const connection = await createConnection(server);
  try {
    await connection.query(
      `CREATE DATABASE IF NOT EXISTS \`${name}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
    );
  } finally {
    await connection.end();
  }
}

async function isThere(address: ReturnType<typeof databaseAddress>): Promise<boolean> {
  try {
    const connection = await createConnection(address);
    await connection.end();
    return true;
  } catch (error) {
    if (refusalOf(error)?.what === 'database') return false;
    throw error;
  }
}

/** Inserts the carriers that the program knows, and renames those that are there. */
export async function syncCarriers(
  db: Executor,
  known: readonly { provider: string; name: string }[],
): Promise<void> {
  const rows = known.map(({ provider, name }) => ({ provider, name }));
  await carriers.insertAll(db, rows, { replacing: ['name'] });
}

/** Looks first: CREATE needs its privilege even when the table exists. */
async function createJournal(session: Executor): Promise<void> {
  const [found] = await session.select(`SHOW TABLES LIKE '${journal.name}'`);
  if (found !== undefined) return;
  await session.run(`CREATE TABLE IF NOT EXISTS ${journal.name} (
    name VARCHAR(191) NOT NULL PRIMARY KEY,
    statements_done INT UNSIGNED NOT NULL,
    finished_at DATETIME(6) NULL
  ) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
}

/** Imported on demand: Umzug brings a command line that most importers of this file never use. */
async function createUmzug(session: Executor, hold: () => void): Promise<Umzug> {
  const { Umzug } = await import('umzug');
  return new Umzug({
    migrations: migrations.map((migration) => ({
      name: migration.name,
      up: () => applyMigration(session, migration, hold),
    })),
    storage: storageOf(session),
    logger: undefined,
  });
}

function storageOf(session: Executor): UmzugStorage {
  return {
    executed: () =>
      j.name.select(session, `FROM ${journal.name} j WHERE ${j.finishedAt} IS NOT NULL ORDER BY ${j.name}`),
    logMigration: async ({ name }) => {
      await session.run(`UPDATE ${journal.name} SET finished_at = NOW(6) WHERE name = ?`, [name]);
    },
    unlogMigration: async ({ name }) => {
      await session.run(`DELETE FROM ${journal.name} WHERE name = ?`, [name]);
    },
  };
}

/** DDL cannot be rolled back, so each statement is recorded; an interrupted one may have taken effect. */
async function applyMigration(session: Executor, migration: Migration, hold: () => void): Promise<void> {
  const { name } = migration;
  await journal.insert(session, { name, statementsDone: 0 }, { replacing: ['name'] });
  const found = await journal.findOne(session, journal.pick('statementsDone'), { name });
  const first = found?.statementsDone ?? 0;
  for (const [index, statement] of migration.statements.entries()) {
    if (index < first) continue;
    hold();
    try {
      await session.run(statement);
    } catch (error) {
      const number = error instanceof Error && 'errno' in error ? error.errno : undefined;
      if (index !== first || !ALREADY_DONE.has(number)) throw error;
    }
    await journal.update(session, { name }, { statementsDone: index + 1 });
  }
}

async function seedStatuses(session: Executor): Promise<void> {
  await session.run(
    `INSERT INTO shipping_statuses (code, name, \`rank\`, is_delivered, is_final)
     VALUES ${SHIPPING_STATUSES.map(() => `(${placeholders(5)})`).join(', ')}
     ON DUPLICATE KEY UPDATE name = VALUES(name), \`rank\` = VALUES(\`rank\`),
       is_delivered = VALUES(is_delivered), is_final = VALUES(is_final)`,
    SHIPPING_STATUSES.flatMap((s) => [s.code, s.name, s.rank, s.isDelivered, s.isFinal]),
  );
}
