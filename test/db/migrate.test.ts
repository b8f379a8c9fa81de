import test from 'ava';
import { openDatabase } from '../../src/db/database.js';
import { migrateDatabase, syncCarriers } from '../../src/db/migrate.js';
import { migrations } from '../../src/db/migrations/index.js';
import { SHIPPING_STATUSES } from '../../src/domain/statuses.js';
import { createTestDatabase } from '../support/database.js';
import { findCarrierId } from '../support/factories.js';

async function emptyDatabase() {
  const database = await createTestDatabase();
  const { db } = database;
  await db.session(async (session) => {
    await session.run('SET FOREIGN_KEY_CHECKS = 0');
    for (const row of await session.select('SHOW TABLES')) {
      await session.run(`DROP TABLE ${String(Object.values(row)[0])}`);
    }
    await session.run('SET FOREIGN_KEY_CHECKS = 1');
  });
  return database;
}

test('two processes that migrate at once run each migration once', async (t) => {
  const database = await emptyDatabase();
  t.teardown(() => database.drop());
  const other = openDatabase({ url: database.url, poolSize: 2 });
  t.teardown(() => other.close());

  const done = await Promise.all([migrateDatabase(database.db), migrateDatabase(other)]);

  t.deepEqual(
    done.flat(),
    migrations.map(({ name }) => name),
  );
  const statuses = await database.db.select('SELECT COUNT(*) AS n FROM shipping_statuses');
  t.is(statuses[0]?.n, SHIPPING_STATUSES.length);
});

test('a migration that was cut off goes on where it stopped', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const { db } = database;
  await db.run('DROP TABLE response_logs');
  // personal_access_tokens is the last but one statement: done, but not yet ticked off when the process died.
  await db.run(
    `UPDATE schema_migrations SET statements_done = statements_done - 2, finished_at = NULL WHERE name = '0001-initial'`,
  );

  const done = await migrateDatabase(db);

  t.deepEqual(done, ['0001-initial']);
  t.deepEqual(await db.select('SELECT body FROM response_logs'), []);
  t.deepEqual(await migrateDatabase(db), []);
});

test('carriers are inserted once and renamed', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const { db } = database;
  await syncCarriers(db, [{ provider: 'one', name: 'One' }]);
  const before = await findCarrierId(db, 'one');

  await syncCarriers(db, [
    { provider: 'one', name: 'First' },
    { provider: 'two', name: 'Two' },
  ]);
  await syncCarriers(db, []);

  t.is(await findCarrierId(db, 'one'), before);
  t.is(await findCarrierId(db, 'ONE'), null);
  t.deepEqual(await db.select('SELECT name FROM carriers ORDER BY provider'), [
    { name: 'First' },
    { name: 'Two' },
  ]);
});
