import test from 'ava';
import { type Executor, openDatabase, type Row } from '../../src/db/database.js';
import {
  findByClientId,
  listCredentials,
  listLicenseSummaries,
} from '../../src/db/queries/accounts/credentials.js';
import { listDueShipments } from '../../src/db/queries/carriers/polling.js';
import { findKey } from '../../src/db/queries/creation/idempotency.js';
import { countOpenShipments, countOpenWork } from '../../src/db/queries/open-work.js';
import {
  findOrderByIdOrNumber,
  listShipmentsOfOrders,
  mapShipmentsByCode,
} from '../../src/db/queries/shipments/coded-shipments.js';
import { findOrder, listOrderSizes } from '../../src/db/queries/shipments/orders.js';
import { searchShipments } from '../../src/db/queries/shipments/shipment-search.js';
import { findShipment, listEvents, listOrderShipments } from '../../src/db/queries/shipments/shipments.js';
import { findByTrackingCode, findTrackedParcel } from '../../src/db/queries/shipments/tracking.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import {
  insertTestCredentials,
  insertTestShipment,
  TEST_APP_KEYS,
  type TestLicense,
} from '../support/factories.js';
import { plansOf, rowsReadBy, threeLicenses } from '../support/plans.js';

const ROWS = 20_000;
/** A table of so few rows may be read whole. */
const FEW = 10;
let database: TestDatabase;
let license: TestLicense;
let second: TestLicense;

/** Fills orders and shipments: three licenses of two accounts, in the server, so that it takes a second. */
test.before(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const three = await threeLicenses(db);
  const { foreign } = three;
  ({ license, second } = three);
  await insertTestShipment(db, license);
  const owner = `CASE seq.n % 3 WHEN 0 THEN ? WHEN 1 THEN ? ELSE ? END`;
  const digits =
    'SELECT 0 d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9';
  const seq = `(SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d AS n
    FROM (${digits}) a, (${digits}) b, (${digits}) c, (${digits}) e, (SELECT 0 d UNION ALL SELECT 1) f) seq`;
  const accounts = [license.accountId, second.accountId, foreign.accountId];
  const licenses = [license.licenseId, second.licenseId, foreign.licenseId];
  await db.run(
    `INSERT INTO orders (account_id, license_id, order_id, number, currency, billing, shipping)
     SELECT ${owner}, ${owner}, CONCAT('o', seq.n), seq.n, 'ILS', '{}', '{}' FROM ${seq}`,
    [...accounts, ...licenses],
  );
  await db.run(
    `INSERT INTO shipments (uuid, account_id, license_id, carrier_id, order_id, state, workflow_id, tracking_code,
       short_tracking_code, service_type, return_type, recipient_name, recipient_phone, recipient_country, details,
       status_code, next_poll_at, ready_at, collected_at, created_at, updated_at)
     SELECT UUID(), o.account_id, o.license_id, c.carrier_id, o.id, 'created', o.id, CONCAT('T', o.id),
       LPAD(o.id, 10, '0'), 1, 1, 'Dana', '050', 'IL', '{}', IF(o.id % 4 = 0, 'delivered', 'created'),
       NOW(6) + INTERVAL o.id SECOND, NOW(6), NOW(6), NOW(6) - INTERVAL o.id SECOND, NOW(6) - INTERVAL o.id SECOND
     FROM orders o JOIN licenses l ON l.id = o.license_id JOIN companies c ON c.id = l.company_id
     WHERE o.order_id LIKE 'o%' AND o.order_id NOT LIKE 'order%'`,
  );
  for (const table of ['orders', 'shipments', 'accounts', 'licenses'])
    await db.select(`ANALYZE TABLE ${table}`);
});
test.after.always(() => database.drop());

const usesFilesort = (step: Row | undefined) => String(step?.Extra).includes('filesort');

test('there are enough rows for the plans to mean something', async (t) => {
  const [row] = await database.db.select('SELECT COUNT(*) AS n FROM shipments');

  t.is(row?.n, ROWS + 1);
});

test('orders are found along the key of accepted shipments from either end', async (t) => {
  const { accountId, licenseId } = license;
  for (const licenseIds of [[licenseId], [licenseId, second.licenseId]]) {
    for (const position of [{}, { after: 10_000 }, { before: 10_000 }]) {
      const [plan] = await plansOf(database.db, (db) =>
        listOrderSizes(db, { accountId, licenseIds, limit: 25, ...position }),
      );

      const step = (table: string) => plan?.filter((one) => one.table === table) ?? [];
      t.deepEqual(
        step('shipments').map(({ key }) => key),
        licenseIds.map(() => 'shipments_accepted'),
      );
      t.false(step('shipments').some(usesFilesort), JSON.stringify(plan));
      t.is(step('orders')[0]?.key, 'PRIMARY', JSON.stringify(plan));
    }
  }
});

test('due shipments are read along the polling key', async (t) => {
  const [plan] = await plansOf(database.db, (db) => listDueShipments(db, { provider: 'run', limit: 100 }));

  const step = plan?.find((one) => one.table === 'shipments');
  t.is(step?.key, 'shipments_poll', JSON.stringify(plan));
  t.false(usesFilesort(step), JSON.stringify(plan));
});

test('look-ups read by key, and each is one statement', async (t) => {
  const { accountId, licenseId } = license;
  const { clientId } = await insertTestCredentials(database.db, accountId, TEST_APP_KEYS);
  const lookups: ((db: Executor) => Promise<unknown>)[] = [
    (db) => findByClientId(db, clientId),
    (db) => listLicenseSummaries(db, accountId),
    (db) => listCredentials(db, accountId),
    (db) => findKey(db, { accountId, api: 'v2', keyHash: '00'.repeat(32) }),
    (db) => findShipment(db, { accountId, uuid: 'none' }),
    (db) => findOrder(db, { licenseId, orderId: 'o9' }),
    (db) => listOrderShipments(db, { accountId, orderRowId: 30 }),
    (db) => listEvents(db, 30),
    (db) => findOrderByIdOrNumber(db, { licenseId, idOrNumber: '12' }),
    (db) => findByTrackingCode(db, { accountId, trackingCode: 'T9' }),
    (db) => findTrackedParcel(db, '0000000009'),
  ];

  for (const lookup of lookups) {
    const plans = await plansOf(database.db, lookup);
    t.is(plans.length, 1);
    t.false(
      // MySQL reads the few carriers of all rather than look up two.
      plans[0]?.some((step) => step.type === 'ALL' && Number(step.rows) > FEW),
      JSON.stringify(plans),
    );
  }
});

test('a search for what begins with a text reads no whole license', async (t) => {
  const { accountId, licenseId } = license;
  const search = { accountId, licenseIds: [licenseId, second.licenseId], filter: {}, page: 1, perPage: 25 };
  const one = openDatabase({ url: database.url, poolSize: 1 });
  t.teardown(() => one.close());
  const searched = (text: string) => () => searchShipments(one, { ...search, text, looked: 50 });

  const nothing = await rowsReadBy(one, searched('nobody'));
  const some = await rowsReadBy(one, searched('T1'));

  t.true(nothing < 400, `${nothing} rows`);
  t.true(some < 1500, `${some} rows`);
});

test('shipments by their codes, or by the orders of a license, read few rows', async (t) => {
  const { accountId, licenseId } = license;
  const lookups: ((db: Executor) => Promise<unknown>)[] = [
    (db) => listShipmentsOfOrders(db, { licenseId, widenedTo: null }, ['o9', 'o12']),
    (db) =>
      listShipmentsOfOrders(db, { licenseId, widenedTo: { accountId, storeSiteId: null } }, ['o9', 'o12']),
    (db) => mapShipmentsByCode(db, { accountId, licenseId, widenedTo: null }, ['T30', 'T33']),
    (db) => mapShipmentsByCode(db, { accountId, licenseId, widenedTo: accountId + 1 }, ['T30']),
  ];

  for (const lookup of lookups) {
    const [plan, ...others] = await plansOf(database.db, lookup);
    const large = plan?.filter(({ table }) => table === 's' || table === 'o') ?? [];
    t.is(others.length, 0);
    t.is(large.length, 2);
    t.true(
      large.every((step) => step.type !== 'ALL' && Number(step.rows) < 100),
      JSON.stringify(plan),
    );
  }
});

test('the figures of the whole service are read without reading what is finished', async (t) => {
  const one = openDatabase({ url: database.url, poolSize: 1 });
  t.teardown(() => one.close());
  for (let count = 0; count < 3; count += 1) {
    const { uuid } = await insertTestShipment(database.db, license);
    await database.db.run(
      `UPDATE shipments SET state = 'reserved', status_code = 'needs_attention' WHERE uuid = ?`,
      [uuid],
    );
  }

  const cost = await rowsReadBy(one, () => Promise.all([countOpenShipments(one), countOpenWork(one)]));

  t.true(cost < 1000, `${cost} rows`);
});
