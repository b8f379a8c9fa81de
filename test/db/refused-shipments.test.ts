import test from 'ava';
import { openDatabase } from '../../src/db/database.js';
import { listRefused } from '../../src/db/queries/shipments/refused-shipments.js';
import { createTestDatabase } from '../support/database.js';
import {
  insertTestLicense,
  insertTestOrder,
  insertTestShipment,
  type TestLicense,
  uniqueText,
} from '../support/factories.js';
import { rowsReadBy } from '../support/plans.js';

const database = await createTestDatabase();
const one = openDatabase({ url: database.url, poolSize: 1 });
test.after.always(async () => {
  await one.close();
  await database?.drop();
});

async function newLicense(): Promise<TestLicense> {
  return await insertTestLicense(database.db);
}

/** A refused creation; returns its uuid. */
async function refused(license: TestLicense, columns: Record<string, string | number> = {}): Promise<string> {
  const state = { state: 'refused', tracking_code: null, recipient_name: 'Noa Cohen', ...columns };
  return (await insertTestShipment(database.db, license, state)).uuid;
}

test('listRefused: order id, order number, phone or a part of the name find it, in the account or in all', async (t) => {
  const license = await newLicense();
  const other = await newLicense();
  const number = uniqueText('number');
  const order = await insertTestOrder(database.db, license, { number });
  const phone = `05${String(license.licenseId).padStart(8, '7')}`;
  const name = uniqueText('Tamar');
  const uuid = await refused(license, {
    order_id: order.id,
    recipient_phone_key: phone,
    recipient_name: `${name} Levi`,
  });
  await refused(license);
  await insertTestShipment(database.db, license, { order_id: order.id, recipient_phone_key: phone });
  const find = async (accountId: number | null, text: string) =>
    (await listRefused(database.db, { accountId, text, looked: 10, limit: 10 })).map((row) => row.uuid);

  for (const text of [order.orderId, number, phone, name.toLowerCase()]) {
    t.deepEqual(await find(license.accountId, text), [uuid], text);
    t.deepEqual(await find(null, text), [uuid], text);
    t.deepEqual(await find(other.accountId, text), [], text);
  }
});

test('listRefused: a name is looked for among the newest ones only, however many there are', async (t) => {
  const license = await newLicense();
  const { accountId } = license;
  for (let index = 0; index < 60; index++)
    await refused(license, { created_at: `2026-10-01 10:00:${String(index).padStart(2, '0')}` });

  const named = await listRefused(one, { accountId, text: 'noa', looked: 20, limit: 100 });
  const rows = await rowsReadBy(one, () =>
    listRefused(one, { accountId, text: 'nobody', looked: 20, limit: 100 }),
  );

  t.is(named.length, 20);
  t.is(named[0]?.createdAt, '2026-10-01T10:00:59.000000Z');
  t.true(rows < 100, `${rows} rows`);
});

test('listRefused: pages follow one another in the order of creation, whatever the ids', async (t) => {
  const license = await newLicense();
  const { accountId } = license;
  const uuids: string[] = [];
  for (const minute of [5, 1, 3, 3, 4, 2]) {
    uuids.push(await refused(license, { created_at: `2026-10-01 10:0${minute}:00` }));
  }
  const [five, one, three, alsoThree, four, two] = uuids;
  const page = async (text: string, after?: number) =>
    await listRefused(database.db, { accountId, text, looked: 10, limit: 2, ...(after && { after }) });

  for (const text of ['', 'noa']) {
    const first = await page(text);
    const second = await page(text, first[1]?.id);
    const third = await page(text, second[1]?.id);

    const found = [first, second, third].map((rows) => rows.map(({ uuid }) => uuid));
    t.deepEqual(found, [
      [five, four],
      [alsoThree, three],
      [two, one],
    ]);
  }
});
