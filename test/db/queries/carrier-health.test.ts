import test from 'ava';
import type { Executor } from '../../../src/db/database.js';
import { listCarrierHealth } from '../../../src/db/queries/carriers/carrier-health.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import {
  insertTestAccount,
  insertTestLicense,
  insertTestShipment,
  type TestLicense,
} from '../../support/factories.js';
import { plansOf, rowsReadBy } from '../../support/plans.js';

let database: TestDatabase;
test.beforeEach(async () => {
  database = await createTestDatabase();
});
test.afterEach.always(() => database?.drop());

/** An attempt that was sent some minutes ago and answered after some milliseconds. */
async function attempt(
  db: Executor,
  license: TestLicense,
  { state, minutes, ms }: { state: string; minutes: number; ms?: number },
): Promise<void> {
  const { uuid } = await insertTestShipment(db, license);
  await db.run(
    `INSERT INTO carrier_attempts (shipment_uuid, operation, number, state, sent_at, answered_at)
     VALUES (?, 'book', 1, ?, NOW(6) - INTERVAL ? MINUTE,
       NOW(6) - INTERVAL ? MINUTE + INTERVAL ? MICROSECOND)`,
    [uuid, state, minutes, minutes, ms === undefined ? null : ms * 1000],
  );
}

test.serial(
  'bookings of the last hour and day are counted by outcome, with the usual time of an answer',
  async (t) => {
    const { db } = database;
    const { accountId } = await insertTestAccount(db);
    const run = await insertTestLicense(db, { accountId, provider: 'run' });
    const second = await insertTestLicense(db, { accountId, provider: 'run' });
    const own = await insertTestLicense(db, { accountId });
    const attempts: Parameters<typeof attempt>[2][] = [
      { state: 'accepted', minutes: 5, ms: 100 },
      { state: 'accepted', minutes: 10, ms: 300 },
      { state: 'rejected', minutes: 20, ms: 500 },
      { state: 'unknown', minutes: 30 },
      { state: 'sending', minutes: 1 },
      { state: 'accepted', minutes: 600, ms: 3_600_000 },
      { state: 'accepted', minutes: 3000, ms: 10 },
    ];
    for (const each of attempts) await attempt(db, run, each);
    await attempt(db, second, { state: 'not_sent', minutes: 120 });
    await attempt(db, own, { state: 'accepted', minutes: 120, ms: 7 });

    const found = await listCarrierHealth(db, { limit: 100 });

    t.deepEqual(
      found.map((one) => [one.provider, one.licenseId, one.typicalMs]),
      [
        ['independent', own.licenseId, 7],
        ['run', run.licenseId, 300],
        ['run', second.licenseId, null],
      ],
    );
    const [, first, other] = found;
    t.deepEqual(first?.hour, { asked: 5, accepted: 2, rejected: 1, notSent: 0, unknown: 1, sending: 1 });
    t.deepEqual(first?.day, { asked: 6, accepted: 3, rejected: 1, notSent: 0, unknown: 1, sending: 1 });
    t.deepEqual(other?.day, { asked: 1, accepted: 0, rejected: 0, notSent: 1, unknown: 0, sending: 0 });
    t.is(other?.lastSuccessAt, null);
    t.true((first?.lastSuccessAt ?? '') > (first?.firstAt ?? ''));
    const newest = await listCarrierHealth(db, { limit: 2 });
    t.deepEqual(
      newest.map(({ day }) => day.asked),
      [2],
    );
  },
);

test.serial('the health of carriers reads no more than it counts', async (t) => {
  const { db } = database;
  const license = await insertTestLicense(db, { accountId: (await insertTestAccount(db)).accountId });
  for (let n = 0; n < 60; n += 1) await attempt(db, license, { state: 'accepted', minutes: n, ms: 5 });
  // Attempts of shipments that are gone count nowhere, but are read.
  await db.run(
    `INSERT INTO carrier_attempts (shipment_uuid, operation, number, state, sent_at)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
     SELECT UUID(), 'book', 1, 'accepted', NOW(6) - INTERVAL i HOUR FROM n`,
  );
  await db.select('ANALYZE TABLE carrier_attempts');
  await db.select('ANALYZE TABLE shipments');

  const [plan = []] = await plansOf(db, (one) => listCarrierHealth(one, { limit: 20 }));
  const read = await db.transaction((one) => rowsReadBy(one, () => listCarrierHealth(one, { limit: 20 })));

  const attempts = plan.find(({ table }) => table === 'carrier_attempts');
  t.is(attempts?.key, 'carrier_attempts_sent', JSON.stringify(plan));
  t.true(read < 400, String(read));
});
