import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { carrierFor } from '../../src/carriers/registry.js';
import { createCarrierShares } from '../../src/services/carriers/carrier-shares.js';
import { createRefreshes, refreshStatus } from '../../src/services/shipments/refresh-status.js';
import { createTestDatabase } from '../support/database.js';
import { insertTestAccount, insertTestLicense, insertTestShipment } from '../support/factories.js';

async function refresher(t: ExecutionContext) {
  const { db, drop } = await createTestDatabase();
  t.teardown(drop);
  const account = await insertTestAccount(db);
  const license = await insertTestLicense(db, { accountId: account.accountId });
  const shipment = await insertTestShipment(db, license);
  const asked = { calls: 0 };
  const app: Parameters<typeof refreshStatus>[0] = {
    db,
    shares: createCarrierShares(carrierFor),
    carriers: (provider) => ({
      ...carrierFor('run'),
      provider,
      status: {
        maxBulk: 1,
        fetch: async () => {
          asked.calls += 1;
          return { kind: 'rejected', code: 'unknown', text: 'No such parcel.' };
        },
      },
    }),
    accounts: async () => ({ settings: {}, secrets: {} }) as never,
    refreshes: createRefreshes(),
    wake: () => undefined,
    onTrouble: (error) => t.fail(String(error)),
  };
  const refresh = (asking: Parameters<typeof refreshStatus>[1]) => refreshStatus(app, asking);
  const request = { accountId: account.accountId, uuid: shipment.uuid, timeoutMs: 10_000 };
  return { refresh, request, asked };
}

test.serial(
  'GET /shipments/{uuid}/status?refresh=true: frequent callers are limited to a burst, then one request per interval',
  async (t) => {
    const { refresh, request, asked } = await refresher(t);

    const together = await Promise.all(Array.from({ length: 20 }, () => refresh(request)));
    const afterTogether = asked.calls;
    for (let count = 0; count < 20; count++) await refresh(request);
    const unknown = await refresh({ ...request, uuid: randomUUID() });

    t.is(afterTogether, 1);
    t.is(new Set(together).size, 1);
    t.deepEqual(await refresh(request), { kind: 'failed', text: 'No such parcel.' });
    t.true(asked.calls >= 10 && asked.calls <= 12, `${asked.calls} calls`);
    t.deepEqual(unknown, { kind: 'not_asked' });
  },
);

test.serial(
  'GET /shipments/{uuid}/status?refresh=true: a pause of two minutes does not permit ten more requests',
  async (t) => {
    const { refresh, request, asked } = await refresher(t);
    for (let count = 0; count < 12; count++) await refresh(request);
    const before = asked.calls;
    const realNow = Date.now;
    t.teardown(() => {
      Date.now = realNow;
    });

    // Moves the clock of cached entries but not of the rate limit.
    Date.now = () => realNow() + 120_000;
    for (let count = 0; count < 12; count++) await refresh(request);

    t.true(asked.calls - before <= 2, `${asked.calls - before} calls`);
  },
);
