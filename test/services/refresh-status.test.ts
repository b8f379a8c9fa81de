import { randomUUID } from 'node:crypto';
import test from 'ava';
import { carrierFor } from '../../src/carriers/registry.js';
import { createCarrierShares } from '../../src/services/carrier-shares.js';
import { createRefreshStatus } from '../../src/services/refresh-status.js';
import { createTestDatabase } from '../support/database.js';
import { insertTestAccount, insertTestLicense, insertTestShipment } from '../support/factories.js';

test('GET /shipments/{uuid}/status?refresh=true: who asks again and again has the carrier asked some times, each in its turn', async (t) => {
  const { db, drop } = await createTestDatabase();
  t.teardown(drop);
  const account = await insertTestAccount(db);
  const license = await insertTestLicense(db, { accountId: account.accountId });
  const shipment = await insertTestShipment(db, license);
  let calls = 0;
  const refresh = createRefreshStatus({
    db,
    shares: createCarrierShares(carrierFor),
    carriers: (provider) => ({
      ...carrierFor('run'),
      provider,
      status: {
        maxBulk: 1,
        fetch: async () => {
          calls += 1;
          return { kind: 'rejected', code: 'unknown', text: 'No such parcel.' };
        },
      },
    }),
    accounts: async () => ({ settings: {}, secrets: {} }) as never,
    wake: () => undefined,
    onTrouble: (error) => t.fail(String(error)),
  });
  const request = { accountId: account.accountId, uuid: shipment.uuid, timeoutMs: 10_000 };

  const together = await Promise.all(Array.from({ length: 20 }, () => refresh(request)));
  const afterTogether = calls;
  for (let count = 0; count < 20; count++) await refresh(request);
  const unknown = await refresh({ ...request, uuid: randomUUID() });

  t.is(afterTogether, 1);
  t.is(new Set(together).size, 1);
  t.deepEqual(await refresh(request), { kind: 'failed', text: 'No such parcel.' });
  t.true(calls >= 10 && calls <= 12, `${calls} calls`);
  t.deepEqual(unknown, { kind: 'not_asked' });
});
