import test from 'ava';
import { showSecond } from '../../../src/db/queries/creation/recording.js';
import { createTestDatabase } from '../../support/database.js';
import { insertTestLicense, insertTestShipment } from '../../support/factories.js';

const database = await createTestDatabase();
test.after.always(() => database.drop());

test('showSecond: the second parcel has every column about the recipient', async (t) => {
  const { db } = database;
  const license = await insertTestLicense(db);
  const columns = await db.select(
    `SELECT COLUMN_NAME AS name FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'shipments' AND COLUMN_NAME LIKE 'recipient\\_%'`,
  );
  const names = columns.map(({ name }) => String(name));
  const values = Object.fromEntries(names.map((name, index) => [name, String(index + 10)]));
  const { id, uuid } = await insertTestShipment(db, license, { ...values, tracking_code: 'FIRST' });
  const [row] = await db.select('SELECT order_id AS order_row FROM shipments WHERE id = ?', [id]);
  const orderId = Number(row?.order_row);

  await showSecond(
    db,
    { id, uuid, orderId, trackingCode: 'FIRST' },
    { trackingCode: 'SECOND', carrierReference: null },
  );

  t.true(names.length >= 14);
  const [second] = await db.select(
    `SELECT ${names.join(', ')} FROM shipments WHERE order_id = ? AND uuid <> ?`,
    [orderId, uuid],
  );
  t.deepEqual({ ...second }, values);
});
