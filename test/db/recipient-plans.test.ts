import test from 'ava';
import { type Database, type Executor, openDatabase } from '../../src/db/database.js';
import { findToken } from '../../src/db/queries/accounts/access-tokens.js';
import { findLicenseByKey } from '../../src/db/queries/accounts/keyed-licenses.js';
import { listSiteCallbacks, listStoreSites } from '../../src/db/queries/accounts/store-sites.js';
import {
  LOOKED_AT,
  listRecipientShipments,
  type RecipientPage,
} from '../../src/db/queries/shipments/recipient-shipments.js';
import { findRecipient } from '../../src/db/queries/shipments/recipients.js';
import { RECIPIENT_SORTS, SEARCH_FIELDS } from '../../src/domain/recipient-list.js';
import { fillShipments } from '../support/bulk.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import {
  insertTestLicense,
  insertTestOrder,
  insertTestShipment,
  type TestLicense,
} from '../support/factories.js';
import { plansOf, rowsReadBy } from '../support/plans.js';

const ROWS = 20_000;
/** Parcels of the recipient whose list is asked for. */
const OWN = 3;
const KEY = '0501234567';
/** A phone to which strangers send, and its parcels. */
const FLOODED = '0507654321';
const FLOOD = 5 * LOOKED_AT;

let database: TestDatabase;
/** Counts of rows belong to a connection. */
let one: Database;
let license: TestLicense;

test.before(async () => {
  database = await createTestDatabase();
  const { db } = database;
  license = await insertTestLicense(db);
  await fillShipments(db, license, ROWS);
  await db.run(`UPDATE shipments SET recipient_phone_key = recipient_phone`);
  await db.run(`UPDATE shipments SET recipient_phone_key = ? ORDER BY id LIMIT ?`, [FLOODED, FLOOD]);
  for (let n = 0; n < OWN; n++) await insertTestShipment(db, license, { recipient_phone_key: KEY });
  await db.select('ANALYZE TABLE shipments');
  one = openDatabase({ url: database.url, poolSize: 1 });
});
test.after.always(async () => {
  await one?.close();
  await database?.drop();
});

const page = (overrides: Partial<RecipientPage> = {}): RecipientPage => ({
  phoneKey: KEY,
  filter: { parts: [], activeOnly: false },
  order: { explicit: null, byWarehouse: 'desc' },
  page: 1,
  perPage: 100,
  ...overrides,
});

test('there are enough rows for the plans to mean something', async (t) => {
  const [row] = await database.db.select('SELECT COUNT(*) AS n FROM shipments');

  t.true(Number(row?.n) >= ROWS + OWN);
});

test('every filter and order of a recipient’s list reads their own parcels only', async (t) => {
  const everything = page({
    filter: {
      search: 'a',
      parts: SEARCH_FIELDS.map((field) => [field, 'a'] as const),
      accountId: license.accountId,
      companyId: license.companyId,
      licenseId: license.licenseId,
      flag: 0,
      type: 'regular',
      status: 'Created',
      createdFrom: '2020-01-01T00:00:00.000000Z',
      createdTo: '2030-01-01T00:00:00.000000Z',
      activeOnly: true,
      labelGenerated: false,
    },
  });
  const pages = [
    page(),
    everything,
    page({ filter: { parts: [], activeOnly: false, licenseId: license.licenseId } }),
    page({ filter: { parts: [], activeOnly: false, createdFrom: '2020-01-01T00:00:00.000000Z' } }),
    ...RECIPIENT_SORTS.map((column) =>
      page({ order: { explicit: { column, descending: false }, byWarehouse: 'desc' } }),
    ),
  ];

  for (const request of pages) {
    const plans = await plansOf(database.db, (db) => listRecipientShipments(db, request));
    for (const plan of plans) {
      for (const step of plan.filter(({ table }) => table === 's' || table === 'shipments')) {
        t.true(['shipments_recipient', 'PRIMARY'].includes(String(step.key)), JSON.stringify(plan));
        t.true(Number(step.rows) <= OWN * 2, JSON.stringify(plan));
      }
      t.true(
        // A table of a few rows is read whole rather than by key, and so are the parcels that were found.
        plan.every(({ type, rows }) => type !== 'ALL' || Number(rows) <= OWN),
        JSON.stringify(plan),
      );
    }
  }
});

const flooded = (overrides: Partial<RecipientPage> = {}) => page({ phoneKey: FLOODED, ...overrides });
const plain = { parts: [], activeOnly: false };

for (const [name, request] of [
  ['search', flooded({ filter: { ...plain, search: 'nobody' } })],
  ['a filter', flooded({ filter: { ...plain, flag: 7 } })],
  ['an order', flooded({ order: { explicit: { column: 'name', descending: false }, byWarehouse: 'desc' } })],
] as const) {
  test.serial(`${name} costs the newest parcels of a phone, however many strangers send to it`, async (t) => {
    const cost = await rowsReadBy(one, () => listRecipientShipments(one, request));

    // At most an entry of the key, and a row of each of five tables; what is sorted is read again.
    t.true(cost <= LOOKED_AT * 9, String(cost));
  });
}

test('search, filters and orders look at the newest parcels of a phone', async (t) => {
  const newest = flooded({ filter: { ...plain, search: 'Dana' }, perPage: 500, page: 4 });
  const ordered = flooded({ order: { explicit: { column: 'id', descending: false }, byWarehouse: 'desc' } });

  const found = await listRecipientShipments(one, newest);
  const sorted = await listRecipientShipments(one, ordered);

  t.deepEqual([found.total, found.rows.length, sorted.total], [LOOKED_AT, 500, LOOKED_AT]);
  const first = await nthNewest(LOOKED_AT);
  t.deepEqual([found.rows.at(-1)?.shipment.id, sorted.rows[0]?.shipment.id], [first, first]);
});

test.serial('by warehouse, the newest parcels of a phone are sorted', async (t) => {
  const located = [await nthNewest(LOOKED_AT), await nthNewest(LOOKED_AT + 1)];
  await one.run('UPDATE accounts SET enable_sort_by_warehouse = TRUE WHERE id = ?', [license.accountId]);
  t.teardown(() =>
    one.run('UPDATE accounts SET enable_sort_by_warehouse = FALSE WHERE id = ?', [license.accountId]),
  );
  for (const id of located) await locate(id, 'A-1');
  t.teardown(async () => {
    for (const id of located) await locate(id, null);
  });

  const { rows, total } = await listRecipientShipments(one, flooded());

  t.is(total, LOOKED_AT);
  t.deepEqual(
    rows.slice(0, 2).map(({ shipment }) => shipment.id),
    [located[0], await nthNewest(1)],
  );
});

test('a list that is only paged holds every parcel of a phone, read along the key alone', async (t) => {
  const last = flooded({ page: FLOOD / 100 });

  const { rows, total } = await listRecipientShipments(one, last);
  const plans = await plansOf(one, (db) => listRecipientShipments(db, last));

  t.deepEqual([rows.length, total], [100, FLOOD]);
  t.is(rows.at(-1)?.shipment.id, await nthNewest(FLOOD));
  for (const [step] of plans.slice(1, 3)) {
    t.is(step?.key, 'shipments_recipient');
    t.regex(String(step?.Extra), /Using index/);
    t.notRegex(String(step?.Extra), /filesort/);
  }
});

test('search looks into billing addresses as stores send them, and into none that is far longer', async (t) => {
  const KEY_OF_BOTH = '0509999999';
  const named = async (billing: object) => {
    const order = await insertTestOrder(database.db, license, { billing: JSON.stringify(billing) });
    const columns = { recipient_phone_key: KEY_OF_BOTH, order_id: order.id };
    return (await insertTestShipment(database.db, license, columns)).id;
  };
  const usual = await named({ first_name: 'Ruth', last_name: 'Cohen', note: 'n'.repeat(2000) });
  await named({ first_name: 'Ruth', last_name: 'Cohen', note: 'n'.repeat(60_000) });
  const search = page({ phoneKey: KEY_OF_BOTH, filter: { ...plain, search: 'ruth cohen' } });

  const { rows } = await listRecipientShipments(database.db, search);

  t.deepEqual(
    rows.map(({ shipment }) => shipment.id),
    [usual],
  );
});

async function nthNewest(n: number): Promise<number> {
  const [row] = await one.select(
    'SELECT id FROM shipments WHERE recipient_phone_key = ? ORDER BY id DESC LIMIT 1 OFFSET ?',
    [FLOODED, n - 1],
  );
  return Number(row?.id);
}

async function locate(shipmentId: number, location: string | null): Promise<void> {
  await one.run(
    'UPDATE orders o JOIN shipments s ON s.order_id = o.id SET o.warehouse_location = ? WHERE s.id = ?',
    [location, shipmentId],
  );
}

test('the list holds the recipient’s parcels and no other', async (t) => {
  const { rows, total } = await listRecipientShipments(database.db, page());

  t.deepEqual([rows.length, total], [OWN, OWN]);
});

test('look-ups of v1 read by key, and each is one statement', async (t) => {
  const owner = { id: license.licenseId, accountId: license.accountId };
  const lookups: ((db: Executor) => Promise<unknown>)[] = [
    (db) => findLicenseByKey(db, license.key),
    (db) => findToken(db, 1),
    (db) => findRecipient(db, { phone: KEY }),
    (db) => listSiteCallbacks(db, owner),
    (db) => listStoreSites(db, { license: owner, platform: 'shopify' }),
  ];

  for (const lookup of lookups) {
    const plans = await plansOf(database.db, lookup);
    t.is(plans.length, 1);
    t.false(
      plans[0]?.some((step) => step.type === 'ALL'),
      JSON.stringify(plans),
    );
  }
});
