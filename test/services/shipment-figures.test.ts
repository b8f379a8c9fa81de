import test from 'ava';
import { readFigures } from '../../src/db/queries/shipments/shipment-figures.js';
import { shipmentFigures } from '../../src/services/shipments/shipment-figures.js';
import { createTestDatabase } from '../support/database.js';
import { insertTestAccount, insertTestLicense, insertTestShipment } from '../support/factories.js';
import { plansOf } from '../support/plans.js';

const database = await createTestDatabase();
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

test('shipmentFigures: of all accounts they are counted together, and by account', async (t) => {
  const created = ['2027-06-09 20:59:59', '2027-06-09 21:00:00', '2027-06-10 08:00:00'];
  const most = await accountWith(...created);
  const least = await accountWith('2027-06-10 09:00:00');
  await database.db.run(
    'UPDATE shipments SET delivered_at = created_at + INTERVAL 5 HOUR WHERE account_id = ?',
    [most],
  );
  const now = Date.parse('2027-06-10T10:00:00Z');

  const all = await shipmentFigures(database, { accountId: null, days: 2 }, now);
  const own = await shipmentFigures(database, { accountId: most, days: 2 }, now);

  t.deepEqual(all.days, [
    { name: '2027-06-09', count: 1 },
    { name: '2027-06-10', count: 3 },
  ]);
  t.is(all.total, 4);
  t.deepEqual(
    all.accounts.map(({ id, count }) => [id, count]),
    [
      [most, 3],
      [least, 1],
    ],
  );
  t.deepEqual(all.cities, []);
  t.deepEqual(all.door, { delivered: 3, medianHours: 5, p90Hours: 5 });
  t.deepEqual([own.total, own.accounts], [3, []]);
});

for (const whose of ['one account', 'all accounts']) {
  test(`readFigures: every statement about shipments of ${whose} reads the key alone`, async (t) => {
    const accountId = whose === 'one account' ? await accountWith('2026-10-24 21:00:00') : null;
    const since = '2026-10-01T00:00:00.000000Z';

    const plans = await plansOf(database.db, (db) => readFigures(db, { accountId, since }));

    const ofShipments = plans.flat().filter(({ table }) => table === 's');
    t.is(ofShipments.length, 5);
    const wanted = accountId === null ? 'shipments_reserved' : 'shipments_created';
    for (const { key, Extra } of ofShipments) t.is(key, wanted, String(Extra));
    // Refusals have their words in the row, and are few.
    t.is(ofShipments.filter(({ Extra }) => /Using index(?! condition)/.test(String(Extra))).length, 4);
  });
}
