import test from 'ava';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import { carrierFor } from '../../src/carriers/registry.js';
import { createCarrierShares } from '../../src/services/carriers/carrier-shares.js';
import { createExpress } from '../../src/services/express/express.js';
import { createRefreshes, refreshStatus } from '../../src/services/shipments/refresh-status.js';
import { createTestDatabase } from '../support/database.js';
import { insertTestAccount, insertTestLicense, insertTestShipment } from '../support/factories.js';

/** A carrier with at most five requests a second, like GetPackage and Wolt Drive. */
function askedCarrier() {
  const asked: string[] = [];
  const fail = async (what: string) => {
    asked.push(what);
    return { kind: 'rejected', code: 'no', text: 'No.' } as const;
  };
  const adapter: CarrierAdapter = {
    ...carrierFor('run'),
    limits: { requestsPerSecond: 5, concurrency: 5, settleMs: 0 },
    shippingPromise: ({ to }) => fail(to.street),
    expressEnabled: (to) => fail(to.street),
    expressStatus: () => fail('status'),
    sameDayQuote: { settlements: () => fail('settlements'), quote: () => fail('quote') },
    status: { maxBulk: 1, fetch: () => fail('refresh') },
  };
  return { asked, carriers: () => adapter };
}

async function world(t: { teardown(end: () => Promise<void>): void }) {
  const { db, drop } = await createTestDatabase();
  t.teardown(drop);
  const { asked, carriers } = askedCarrier();
  const shares = createCarrierShares(carriers);
  const accounts = async (licenseId: number) => ({ licenseId, settings: {}, secrets: {} }) as never;
  const parts = { db, carriers, shares, accounts };
  return {
    db,
    asked,
    app: {
      ...parts,
      express: createExpress(parts),
      refreshes: createRefreshes(),
      wake: () => undefined,
      onTrouble: () => undefined,
    },
  };
}

const licenseOf = (id: number) => ({ license: { id, carrier: { provider: 'run' } } });
const to = (street: string) => ({ city: 'Haifa', street, number: null });

test("express routes: a license's requests are limited, and refused at once above the limit", async (t) => {
  const { asked, app } = await world(t);
  const at = performance.now();

  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0
        ? app.express.promiseDelivery({ ...licenseOf(1), to: to(`${index}`) })
        : app.express.reachesAddress({ ...licenseOf(1), to: to(`${index}`) }),
    ),
  );

  const seconds = (performance.now() - at) / 1000;
  const most = 2 + seconds * 5 * 0.25;
  t.true(asked.length >= 1 && asked.length <= most, `${asked.length} questions in ${seconds} s`);
  const told = outcomes.map((outcome) => (outcome.kind === 'failed' ? outcome.text : outcome.kind));
  t.is(told.filter((text) => text === 'No.').length, asked.length);
  t.is(told.filter((text) => text === '').length, 40 - asked.length);
});

test('express routes: all licenses of a carrier and refreshed statuses share one limit', async (t) => {
  const { db, asked, app } = await world(t);
  const { accountId } = await insertTestAccount(db);
  const license = await insertTestLicense(db, { accountId, provider: 'run' });
  const { uuid } = await insertTestShipment(db, license);
  const at = performance.now();
  const asking = Array.from({ length: 20 }, (_, id) =>
    app.express.reachesAddress({ ...licenseOf(1000 + id), to: to('Herzl') }),
  );
  await asking[19];

  const refreshed = await refreshStatus(app, { accountId, uuid, timeoutMs: 10_000 });
  await Promise.all(asking);

  const most = 3 + ((performance.now() - at) / 1000) * 5 * 0.5;
  t.true(asked.length <= most, `${asked.length} questions`);
  t.deepEqual(refreshed, { kind: 'failed', text: null });
  t.false(asked.includes('refresh'));
});

test('express routes: concurrent equal requests share one answer', async (t) => {
  const { db, asked, app } = await world(t);
  const { accountId } = await insertTestAccount(db);
  const license = await insertTestLicense(db, { accountId, provider: 'run' });
  const { uuid } = await insertTestShipment(db, license);
  const quote = { from: to('a'), to: to('b'), packageSize: 'SMALL' } as const;
  const times = async (ask: () => Promise<unknown>) =>
    new Set(await Promise.all(Array.from({ length: 20 }, ask))).size;

  const answers = [
    await times(() => app.express.promiseDelivery({ ...licenseOf(1), to: to('promise') })),
    await times(() => app.express.reachesAddress({ ...licenseOf(2), to: to('reach') })),
    await times(() => app.express.statusOf({ accountId, uuid })),
    await times(() => app.express.quoteSameDay({ ...licenseOf(3), ...quote })),
  ];

  t.deepEqual(answers, [1, 1, 1, 1]);
  t.deepEqual(asked, ['promise', 'reach', 'status', 'settlements']);
});
