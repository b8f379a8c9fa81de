import test from 'ava';
import { statements } from '../../../src/db/migrations/0011-phone-keys.js';
import { reserveShipment } from '../../../src/db/queries/creation.js';
import { findLicenseByKey } from '../../../src/db/queries/keyed-licenses.js';
import { phoneKey } from '../../../src/domain/phone.js';
import { randomCrockford, uuidV7 } from '../../../src/lib/ids.js';
import { newCreation } from '../../../src/services/create-shipment.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import {
  insertTestAccount,
  insertTestLicense,
  insertTestShipment,
  type TestLicense,
} from '../../support/factories.js';
import { plainOrder, plainRecipient, plainShipment } from '../../support/shipments.js';

let database: TestDatabase;
let license: TestLicense;

test.before(async () => {
  database = await createTestDatabase();
  const { accountId } = await insertTestAccount(database.db);
  license = await insertTestLicense(database.db, { accountId });
});
test.after.always(() => database?.drop());

const keysByPhone = async () => {
  const rows = await database.db.select('SELECT recipient_phone, recipient_phone_key FROM shipments');
  return Object.fromEntries(rows.map((row) => [row.recipient_phone, row.recipient_phone_key]));
};

test.serial(
  'the migration gives older shipments the keys that new ones get, and touches nothing else',
  async (t) => {
    const { db } = database;
    const phones = [
      '0501234567',
      '050-123 4567',
      '+972 50-123-4567',
      '00972501234567',
      '+972 (0)50 123 4567',
      '972',
      '00972',
      '+44 20 7946 0000',
      'none',
      '1'.repeat(64),
    ];
    for (const phone of phones) await insertTestShipment(db, license, { recipient_phone: phone });
    const before = await db.select('SELECT id, updated_at FROM shipments ORDER BY id');

    for (const statement of statements) await db.run(statement);

    t.deepEqual(await keysByPhone(), Object.fromEntries(phones.map((phone) => [phone, phoneKey(phone)])));
    t.deepEqual(await db.select('SELECT id, updated_at FROM shipments ORDER BY id'), before);
  },
);

test.serial('a creation stores the key of its recipient’s phone', async (t) => {
  const { db } = database;
  const keyed = await findLicenseByKey(db, license.key);
  if (keyed === null) throw new Error('the license is missing');
  const details = plainShipment({ recipient: plainRecipient({ phone: '+972-54-555 5555' }) });
  const order = plainOrder({ id: 'phone-keys' });
  const hash = '11'.repeat(32);
  const idempotency = { api: 'v1', keyHash: hash, fingerprint: hash, keepForSeconds: 60 } as const;
  const creation = newCreation(keyed, { accountId: license.accountId, idempotency, details, order });

  await reserveShipment(
    db,
    { creation, order },
    {
      uuid: uuidV7(),
      shortTrackingCode: randomCrockford(10),
      workflowId: 'test/phone-keys',
      createdAt: '2026-01-01T00:00:00.000000Z',
    },
  );

  t.is((await keysByPhone())['+972-54-555 5555'], '0545555555');
});
