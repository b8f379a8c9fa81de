import test from 'ava';
import { openDatabase } from '../../src/db/database.js';
import { migrateDatabase, syncCarriers } from '../../src/db/migrate.js';
import { migrations } from '../../src/db/migrations/index.js';
import { findCarrierId } from '../../src/db/queries/license-setup.js';
import { warehouseLocation } from '../../src/domain/labels.js';
import { SHIPPING_STATUSES } from '../../src/domain/statuses.js';
import { createTestDatabase } from '../support/database.js';
import { insertTestAccount, insertTestLicense, insertTestOrder } from '../support/factories.js';

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
  const other = openDatabase({ url: database.url, poolSize: 2 });

  const done = await Promise.all([migrateDatabase(database.db), migrateDatabase(other)]);

  t.deepEqual(
    done.flat(),
    migrations.map(({ name }) => name),
  );
  const statuses = await database.db.select('SELECT COUNT(*) AS n FROM shipping_statuses');
  t.is(statuses[0]?.n, SHIPPING_STATUSES.length);
  await other.close();
  await database.drop();
});

test('a migration that was cut off goes on where it stopped', async (t) => {
  const database = await createTestDatabase();
  const { db } = database;
  await db.run('DROP TABLE rate_limits');
  // carrier_attempts is the last but one statement: done, but not yet ticked off when the process died.
  await db.run(
    `UPDATE schema_migrations SET statements_done = statements_done - 2, finished_at = NULL WHERE name = '0001-initial'`,
  );

  const done = await migrateDatabase(db);

  t.deepEqual(done, ['0001-initial']);
  t.deepEqual(await db.select('SELECT hits FROM rate_limits'), []);
  t.deepEqual(await migrateDatabase(db), []);
  await database.drop();
});

for (const [metaData, location] of [
  [null, null],
  ['{"warehouse_location":" A-1 "}', 'A-1'],
  ['{"shelf":7.5,"other":[1]}', '7.5'],
  ['{"shelf":null,"_shelf":{"a":1},"warehouse_location":"","_warehouse_location":"B"}', 'B'],
  [
    '[{"key":"x","value":"_shelf"},{"key":"shelf","value":" "},{"key":"_shelf","value":12},{"key":"shelf","value":1}]',
    '12',
  ],
  ['[null,"shelf",{"key":"shelf","value":["a"]},{"key":["shelf"],"value":"a"}]', null],
  ['[{"key":"shelf","value":true},{"key":"warehouse_location","value":"ב-7 \\"q\\""}]', 'ב-7 "q"'],
  ['"shelf"', null],
  [JSON.stringify({ shelf: 'ק'.repeat(300) }), 'ק'.repeat(255)],
] as const) {
  test(`orders of before have their location taken out of ${String(metaData).slice(0, 80)}`, async (t) => {
    const database = await createTestDatabase();
    t.teardown(database.drop);
    const { db } = database;
    const { accountId } = await insertTestAccount(db);
    const license = await insertTestLicense(db, { accountId });
    const { id } = await insertTestOrder(db, license, { meta_data: metaData });
    await db.run(
      `UPDATE schema_migrations SET statements_done = 1, finished_at = NULL WHERE name = '0021-warehouse-locations'`,
    );

    await migrateDatabase(db);

    const [row] = await db.select('SELECT warehouse_location FROM orders WHERE id = ?', [id]);
    t.is(row?.warehouse_location, location);
    // As it is from now on, when the order is stored.
    const now = warehouseLocation(metaData === null ? null : JSON.parse(metaData));
    t.is(now?.slice(0, 255) ?? null, location);
  });
}

test('carriers are inserted once and renamed', async (t) => {
  const database = await createTestDatabase();
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
  await database.drop();
});
