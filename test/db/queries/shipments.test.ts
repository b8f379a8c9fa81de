import { randomUUID } from 'node:crypto';
import test from 'ava';
import { findOrder, listOrderSizes } from '../../../src/db/queries/shipments/orders.js';
import { type ListShipmentsArgs, listShipments } from '../../../src/db/queries/shipments/shipment-lists.js';
import {
  findShipment,
  listEvents,
  listOrderShipments,
  MAX_ORDER_SHIPMENTS,
} from '../../../src/db/queries/shipments/shipments.js';
import { SHIPMENT_SORTS } from '../../../src/domain/shipment-list.js';
import { createTestDatabase } from '../../support/database.js';
import {
  insertTestLicense,
  insertTestOrder,
  insertTestShipment,
  type TestLicense,
} from '../../support/factories.js';
import { insertRow } from '../../support/rows.js';

const database = await createTestDatabase();
test.after.always(() => database.drop());

async function newLicense(): Promise<TestLicense> {
  return insertTestLicense(database.db);
}

function listing(license: TestLicense, overrides: Partial<ListShipmentsArgs> = {}): ListShipmentsArgs {
  return {
    accountId: license.accountId,
    licenseIds: [license.licenseId],
    filter: {},
    sort: { column: 'created_at', descending: true },
    page: 1,
    perPage: 25,
    ...overrides,
  };
}

test('pages cover every created shipment once, in order, with the total', async (t) => {
  const { db } = database;
  const license = await newLicense();
  const uuids: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    // Two share an instant: the id decides.
    const created_at = `2026-01-0${Math.floor(index / 2) + 1} 00:00:00.000001`;
    uuids.push((await insertTestShipment(db, license, { created_at })).uuid);
  }
  await insertTestShipment(db, license, { state: 'reserved' });
  await insertTestShipment(db, license, { state: 'refused' });

  const pages = await Promise.all(
    [1, 2, 3, 4].map((page) => listShipments(db, listing(license, { page, perPage: 2 }))),
  );

  t.deepEqual(
    pages.map((page) => page.total),
    [5, 5, 5, 5],
  );
  t.deepEqual(
    pages.map((page) => page.rows.length),
    [2, 2, 1, 0],
  );
  t.deepEqual(
    pages.flatMap((page) => page.rows.map((row) => row.uuid)),
    uuids.toReversed(),
  );
  const up = await listShipments(db, listing(license, { sort: { column: 'created_at', descending: false } }));
  t.deepEqual(
    up.rows.map((row) => row.uuid),
    uuids,
  );
  t.is(up.rows[0]?.createdAt, '2026-01-01T00:00:00.000001Z');
});

test('each filter limits the list', async (t) => {
  const { db } = database;
  const license = await newLicense();
  const order = await insertTestOrder(db, license);
  const { uuid } = await insertTestShipment(db, license, {
    order_id: order.id,
    is_active: false,
    service_type: 2,
    status_code: 'cancelled',
    tracking_code: 'CaseCode',
    created_at: '2026-02-01 00:00:00.000005',
  });
  await insertTestShipment(db, license, { created_at: '2026-02-01 00:00:00.000004' });
  const filters: ListShipmentsArgs['filter'][] = [
    { active: false },
    { serviceType: 2 },
    { status: 'cancelled' },
    { orderId: order.orderId },
    { trackingCode: 'CaseCode' },
    { createdFrom: '2026-02-01T00:00:00.000005Z' },
    { createdFrom: '2026-02-01T00:00:00.000005Z', createdTo: '2026-02-01T00:00:00.000005Z', active: false },
  ];

  for (const filter of filters) {
    const { rows, total } = await listShipments(db, listing(license, { filter }));
    t.deepEqual([total, rows[0]?.uuid], [1, uuid], JSON.stringify(filter));
  }

  t.is((await listShipments(db, listing(license, { filter: { trackingCode: 'casecode' } }))).total, 0);
  t.is((await listShipments(db, listing(license, { licenseIds: [] }))).total, 0);
});

test('a list that is counted to a limit ends there and says so', async (t) => {
  const { db } = database;
  const license = await newLicense();
  const uuids: string[] = [];
  for (const second of [1, 2, 3, 4, 5]) {
    uuids.push((await insertTestShipment(db, license, { created_at: `2026-02-01 00:00:0${second}` })).uuid);
  }
  const filter = { createdFrom: '2026-01-01T00:00:00.000000Z' };
  const pagesOf = (counted: number) =>
    Promise.all(
      [1, 2, 3].map((page) => listShipments(db, listing(license, { filter, counted, page, perPage: 2 }))),
    );

  const [short, whole] = [await pagesOf(3), await pagesOf(5)];

  for (const [pages, total, hasMore] of [
    [short, 3, true],
    [whole, 5, false],
  ] as const) {
    t.deepEqual(
      pages.map((page) => [page.total, page.hasMore]),
      pages.map(() => [total, hasMore]),
    );
    t.deepEqual(
      pages.flatMap(({ rows }) => rows.map(({ uuid }) => uuid)),
      uuids.toReversed().slice(0, total),
    );
  }
});

test('every sort column orders both ways, empty values included', async (t) => {
  const { db } = database;
  const license = await newLicense();
  await insertTestShipment(db, license, {
    ready_at: '2026-01-01 00:00:00',
    collected_at: '2026-01-01 00:00:00',
  });
  await insertTestShipment(db, license);

  for (const column of SHIPMENT_SORTS) {
    const [up, down] = await Promise.all(
      [false, true].map((descending) =>
        listShipments(db, listing(license, { sort: { column, descending } })),
      ),
    );
    t.deepEqual(
      up?.rows.map((row) => row.id),
      down?.rows.map((row) => row.id).reverse(),
      column,
    );
    t.is(up?.total, 2);
  }
});

test('another account sees nothing of it', async (t) => {
  const { db } = database;
  const license = await newLicense();
  const other = await newLicense();
  const order = await insertTestOrder(db, license);
  const { uuid } = await insertTestShipment(db, license, { order_id: order.id });

  t.is((await listShipments(db, listing(license, { accountId: other.accountId }))).total, 0);
  t.is(await findShipment(db, { accountId: other.accountId, uuid }), null);
  t.deepEqual(await listOrderShipments(db, { accountId: other.accountId, orderRowId: order.id }), []);
  t.is(await findOrder(db, { licenseId: other.licenseId, orderId: order.orderId }), null);
  const orders = { accountId: other.accountId, licenseIds: [license.licenseId], limit: 5 };
  t.deepEqual(await listOrderSizes(db, orders), []);
});

test('a shipment is found while reserved or created, with everything it holds', async (t) => {
  const { db } = database;
  const license = await newLicense();
  const created = await insertTestShipment(db, license, {
    cod_amount: '120.00',
    cod_currency: 'ILS',
    recipient_city: 'חיפה',
    status_at: '2026-01-01 00:00:00.123456',
  });
  const reserved = await insertTestShipment(db, license, { state: 'reserved', tracking_code: null });
  const refused = await insertTestShipment(db, license, { state: 'refused' });
  const find = (uuid: string) => findShipment(db, { accountId: license.accountId, uuid });

  const found = await find(created.uuid);

  t.like(found, {
    id: created.id,
    state: 'created',
    cod: { amount: '120.00', currency: 'ILS' },
    packages: 1,
  });
  t.is(found?.recipient.city, 'חיפה');
  t.is(found?.status.at, '2026-01-01T00:00:00.123456Z');
  t.like(await find(reserved.uuid), { state: 'reserved', trackingCode: null, cod: null });
  t.is(await find(refused.uuid), null);
  t.is(await find(randomUUID()), null);
});

test('of an order with very many shipments the newest are read, of those that are wanted', async (t) => {
  const { db } = database;
  const license = await newLicense();
  const { id: order_id } = await insertTestOrder(db, license);
  const active = await insertTestShipment(db, license, { order_id });
  const ended: number[] = [];
  for (let count = 0; count < MAX_ORDER_SHIPMENTS; count += 1) {
    ended.push((await insertTestShipment(db, license, { order_id, is_active: false })).id);
  }
  const of = { accountId: license.accountId, orderRowId: order_id };

  const newest = await listOrderShipments(db, of);
  const wanted = await listOrderShipments(db, { ...of, activeOnly: true });

  t.deepEqual(
    newest.map(({ id }) => id),
    ended.toReversed(),
  );
  t.deepEqual(
    wanted.map(({ id }) => id),
    [active.id],
  );
});

test("an order's shipments come newest first, its events oldest first", async (t) => {
  const { db } = database;
  const license = await newLicense();
  const order = await insertTestOrder(db, license);
  const first = await insertTestShipment(db, license, { order_id: order.id });
  const second = await insertTestShipment(db, license, { order_id: order.id });
  await insertTestShipment(db, license, { order_id: order.id, state: 'refused' });
  for (const [code, at] of [
    ['in_transit', '03'],
    ['created', '01'],
    ['collected', '02'],
  ] as const) {
    const occurred_at = `2026-01-${at} 00:00:00.000001`;
    await insertRow(db, 'shipment_events', { shipment_id: first.id, code, description: code, occurred_at });
  }

  const shipments = await listOrderShipments(db, { accountId: license.accountId, orderRowId: order.id });
  const events = await listEvents(db, first.id);

  t.deepEqual(
    shipments.map((shipment) => shipment.id),
    [second.id, first.id],
  );
  t.deepEqual(
    events.map((event) => event.code),
    ['created', 'collected', 'in_transit'],
  );
  t.deepEqual(events[0], {
    code: 'created',
    description: 'created',
    occurredAt: '2026-01-01T00:00:00.000001Z',
    carrierCode: null,
    carrierDescription: null,
    location: null,
  });
});

test('orders page by their id in both directions and tell whether more exist', async (t) => {
  const { db } = database;
  const license = await newLicense();
  const second = await insertTestLicense(db, { accountId: license.accountId });
  const ids: number[] = [];
  for (let index = 0; index < 5; index += 1) {
    const owner = index === 2 ? second : license;
    const { id } = await insertTestOrder(db, owner);
    await insertTestShipment(db, owner, { order_id: id });
    ids.unshift(id);
  }
  const both = { accountId: license.accountId, licenseIds: [license.licenseId, second.licenseId], limit: 2 };
  const idsOf = async (args: Partial<typeof both> & { after?: number; before?: number }) =>
    (await listOrderSizes(db, { ...both, ...args })).map((order) => order.id);

  t.deepEqual(await idsOf({}), ids.slice(0, 3));
  t.deepEqual(await idsOf({ after: ids[1] ?? 0 }), ids.slice(2, 5));
  t.deepEqual(await idsOf({ after: ids[3] ?? 0 }), ids.slice(4));
  t.deepEqual(await idsOf({ before: ids[4] ?? 0 }), ids.slice(1, 4));
  t.deepEqual(await idsOf({ before: ids[2] ?? 0 }), ids.slice(0, 2));
  t.deepEqual(await idsOf({ licenseIds: [second.licenseId] }), [ids[2]]);
  t.deepEqual(await idsOf({ licenseIds: [] }), []);
});

test("an order is found by the store's id, case-sensitively", async (t) => {
  const { db } = database;
  const license = await newLicense();
  const order = await insertTestOrder(db, license, {
    order_id: 'Ab',
    billing: '{"city":"חיפה"}',
    total: '0.10',
  });
  await insertTestShipment(db, license, { order_id: order.id });

  const found = await findOrder(db, { licenseId: license.licenseId, orderId: 'Ab' });

  t.like(found, { orderId: 'Ab', total: '0.10', currency: 'ILS' });
  t.deepEqual(JSON.parse(found?.billing ?? ''), { city: 'חיפה' });
  t.is(await findOrder(db, { licenseId: license.licenseId, orderId: 'ab' }), null);
});
