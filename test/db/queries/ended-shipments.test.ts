import test from 'ava';
import { migrateDatabase } from '../../../src/db/migrate.js';
import { SHIPPING_STATUSES } from '../../../src/domain/statuses.js';
import { createTestDatabase } from '../../support/database.js';
import { insertTestAccount, insertTestLicense, insertTestShipment } from '../../support/factories.js';

test('a database from before is migrated: parcels that came back or got lost are inactive', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const { db } = database;
  const { accountId } = await insertTestAccount(db);
  const license = await insertTestLicense(db, { accountId });
  for (const { code } of SHIPPING_STATUSES) {
    await insertTestShipment(db, license, { status_code: code, is_active: true, external_id: code });
  }
  const updatedAt = () => db.select('SELECT id, updated_at FROM shipments ORDER BY id');
  const before = await updatedAt();
  await db.run(`DELETE FROM schema_migrations WHERE name = '0010-ended-shipments'`);

  const done = await migrateDatabase(db);

  const inactive = await db.select('SELECT status_code FROM shipments WHERE is_active = FALSE');
  t.deepEqual(done, ['0010-ended-shipments']);
  t.deepEqual(inactive.map((row) => row.status_code).toSorted(), ['cancelled', 'lost', 'returned']);
  t.deepEqual(await updatedAt(), before);
});
