import test from 'ava';
import { readFigures } from '../../src/db/queries/shipments/shipment-figures.js';
import { shipmentFigures } from '../../src/services/shipments/shipment-figures.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { insertTestAccount, insertTestLicense, insertTestShipment } from '../support/factories.js';
import { plansOf } from '../support/plans.js';

let database: TestDatabase;
test.before(async () => {
  database = await createTestDatabase();
});
test.after.always(() => database.drop());

async function accountWith(...createdAt: string[]): Promise<number> {
  const { accountId } = await insertTestAccount(database.db);
  const license = await insertTestLicense(database.db, { accountId });
  for (const created_at of createdAt)
    await insertTestShipment(database.db, license, {
      created_at,
      state: 'created',
      tracking_code: created_at,
    });
  return accountId;
}

test('shipmentFigures: days are those of Israel, also where its clock changes', async (t) => {
  // Summer time ended on 25 October 2026 at 2:00, so that this day has 25 hours.
  const accountId = await accountWith(
    '2026-10-23 20:59:59',
    '2026-10-23 21:00:00',
    '2026-10-24 20:59:59',
    '2026-10-24 21:00:00',
    '2026-10-25 21:59:59',
    '2026-10-25 22:00:00',
  );
  const now = Date.parse('2026-10-26T10:00:00Z');

  const { days, total } = await shipmentFigures(database, { accountId, days: 3 }, now);

  t.deepEqual(days, [
    { name: '2026-10-24', count: 2 },
    { name: '2026-10-25', count: 2 },
    { name: '2026-10-26', count: 1 },
  ]);
  t.is(total, 5);
});

for (const [now, names] of [
  ['2026-10-26T21:30:00Z', ['2026-10-24', '2026-10-25', '2026-10-26']],
  ['2026-03-28T21:30:00Z', ['2026-03-27', '2026-03-28', '2026-03-29']],
] as const) {
  test(`shipmentFigures: no day is lost or doubled around a change of clocks, at ${now}`, async (t) => {
    const accountId = await accountWith();

    const { days } = await shipmentFigures(database, { accountId, days: 3 }, Date.parse(now));

    t.deepEqual(
      days.map(({ name }) => name),
      names,
    );
  });
}

test('readFigures: every statement about shipments reads the key alone', async (t) => {
  const accountId = await accountWith('2026-10-24 21:00:00');
  const since = '2026-10-01T00:00:00.000000Z';

  const plans = await plansOf(database.db, (db) => readFigures(db, { accountId, since }));

  const ofShipments = plans.flat().filter(({ table }) => table === 's');
  t.is(ofShipments.length, 5);
  for (const { key, Extra } of ofShipments) t.is(key, 'shipments_created', String(Extra));
  // Refusals have their words in the row, and are few.
  t.is(ofShipments.filter(({ Extra }) => /Using index(?! condition)/.test(String(Extra))).length, 4);
});
