import test from 'ava';
import { findLicenseByKey } from '../../../src/db/queries/accounts/keyed-licenses.js';
import { reserveShipment } from '../../../src/db/queries/creation/creation.js';
import { findShipment } from '../../../src/db/queries/shipments/shipments.js';
import { randomCrockford, uuidV7 } from '../../../src/lib/ids.js';
import { nowIso } from '../../../src/lib/time.js';
import { newCreation } from '../../../src/services/creation/create-shipment.js';
import { createTestDatabase } from '../../support/database.js';
import { insertTestAccount, insertTestLicense, insertTestOrder } from '../../support/factories.js';
import { plainOrder, plainShipment } from '../../support/shipments.js';

const database = await createTestDatabase();
test.after.always(() => database.drop());

test('a reserved shipment has the order number of its creation, however often and by whom it is read', async (t) => {
  const { db } = database;
  const { accountId } = await insertTestAccount(db);
  const license = await insertTestLicense(db, { accountId });
  const { orderId } = await insertTestOrder(db, license, { number: 'N1' });
  const keyed = await findLicenseByKey(db, license.key);
  if (keyed === null) return t.fail('the license is missing');
  const order = plainOrder({ id: orderId, number: 'N2' });
  const hash = '11'.repeat(32);
  const idempotency = { api: 'v2', keyHash: hash, fingerprint: hash, keepForSeconds: 60 } as const;
  const creation = newCreation(keyed, { accountId, idempotency, details: plainShipment(), order });
  const reserve = () =>
    reserveShipment(
      db,
      { creation, order },
      {
        uuid: uuidV7(),
        shortTrackingCode: randomCrockford(10),
        workflowId: 'test/reserving',
        createdAt: nowIso(),
      },
    );

  const first = await reserve();
  const again = await reserve();

  const told = { kind: 'reserved', shipment: { order: { id: orderId, number: 'N2' } } } as const;
  t.like(first, told);
  t.like(again, told);
  if (first.kind !== 'reserved') return t.fail(first.kind);
  const read = await findShipment(db, { accountId, uuid: first.shipment.uuid });
  t.deepEqual(read?.order, first.shipment.order);
});
