import test from 'ava';
import {
  findOrderByIdOrNumber,
  listShipmentsOfOrders,
  mapShipmentsByCode,
} from '../../../src/db/queries/shipments/coded-shipments.js';
import { MAX_ORDER_SHIPMENTS } from '../../../src/db/queries/shipments/shipments.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import {
  insertTestAccount,
  insertTestLicense,
  insertTestOrder,
  insertTestShipment,
  type TestLicense,
  uniqueText,
} from '../../support/factories.js';
import { insertRow } from '../../support/rows.js';

let database: TestDatabase;
let own: TestLicense;
let sibling: TestLicense;
let foreign: TestLicense;

test.before(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const { accountId } = await insertTestAccount(db);
  const stranger = await insertTestAccount(db);
  own = await insertTestLicense(db, { accountId });
  sibling = await insertTestLicense(db, { accountId });
  foreign = await insertTestLicense(db, { accountId: stranger.accountId });
});
test.after.always(() => database?.drop());

const ship = (license: TestLicense, tracking_code: string, columns: object = {}) =>
  insertTestShipment(database.db, license, { tracking_code, ...columns });
const look = async (codes: string[], widenedTo: number | null = null) => {
  const { accountId, licenseId } = own;
  const found = await mapShipmentsByCode(database.db, { accountId, licenseId, widenedTo }, codes);
  return Object.fromEntries([...found].map(([code, { id }]) => [code, id]));
};

test("mapShipmentsByCode: the license's own go before its order's and its account's, then the newest", async (t) => {
  const code = uniqueText('same');
  await ship(own, code, { holds_code: null });
  const newest = await ship(own, code);
  const order = await insertTestOrder(database.db, own);
  await ship(sibling, code, { order_id: order.id });
  await ship(foreign, code);

  const found = await look([code], foreign.accountId);

  t.deepEqual(found, { [code]: newest.id });
});

test('mapShipmentsByCode: what belongs to others, is not created or only looks alike is left out', async (t) => {
  const [of, byOrder, others] = [uniqueText('own'), uniqueText('order'), uniqueText('sibling')];
  const ofStranger = uniqueText('foreign');
  const mine = await ship(own, of);
  const order = await insertTestOrder(database.db, own);
  const viaOrder = await ship(sibling, byOrder, { order_id: order.id });
  const onSibling = await ship(sibling, others);
  const strange = await ship(foreign, ofStranger);
  const open = uniqueText('open');
  await ship(own, open, { state: 'reserved' });
  const wanted = [of, byOrder, others, ofStranger, open, of.toUpperCase(), `${of} `];

  const plain = await look(wanted);
  const widened = await look(wanted, own.accountId);
  const elsewhere = await look(wanted, foreign.accountId);

  t.deepEqual(plain, { [of]: mine.id, [byOrder]: viaOrder.id });
  t.deepEqual(widened, { ...plain, [others]: onSibling.id });
  t.deepEqual(elsewhere, { ...plain, [ofStranger]: strange.id });
  t.deepEqual(await look([]), {});
});

test('findOrderByIdOrNumber: the newest shipped one that fits either, of the license alone', async (t) => {
  const text = uniqueText('text');
  const shipped = async (license: TestLicense, fields: { order_id?: string; number?: string }) => {
    const order = await insertTestOrder(database.db, license, fields);
    await ship(license, uniqueText('T'), { order_id: order.id });
    return order;
  };
  const byId = await shipped(own, { order_id: text });
  const find = () => findOrderByIdOrNumber(database.db, { licenseId: own.licenseId, idOrNumber: text });

  const first = await find();
  const byNumber = await shipped(own, { number: text });
  await shipped(sibling, { number: text });
  const refused = await insertTestOrder(database.db, own, { number: text });
  await ship(own, uniqueText('T'), { order_id: refused.id, state: 'refused' });
  const second = await find();
  const none = await findOrderByIdOrNumber(database.db, { licenseId: foreign.licenseId, idOrNumber: text });

  t.deepEqual([first, second, none], [byId.id, byNumber.id, null]);
});

test("listShipmentsOfOrders: the license's orders alone, newest shipment first", async (t) => {
  const [one, other] = [await insertTestOrder(database.db, own), await insertTestOrder(database.db, own)];
  const twin = await insertTestOrder(database.db, sibling, { order_id: one.orderId });
  const ids = [];
  for (const order of [one, other, one]) {
    ids.push((await ship(own, uniqueText('T'), { order_id: order.id })).id);
  }
  await ship(sibling, uniqueText('T'), { order_id: twin.id });
  await ship(own, uniqueText('T'), { order_id: one.id, state: 'refused' });

  const { licenseId } = own;
  const listed = await listShipmentsOfOrders(database.db, { licenseId, widenedTo: null }, [
    one.orderId,
    other.orderId,
    'nothing',
  ]);

  t.deepEqual(
    listed.map(({ id }) => id),
    ids.toReversed(),
  );
});

test('listShipmentsOfOrders: of an order with very many the newest, beside those of the others', async (t) => {
  const [many, one] = [await insertTestOrder(database.db, own), await insertTestOrder(database.db, own)];
  const { id: other } = await ship(own, uniqueText('T'), { order_id: one.id });
  const ids: number[] = [];
  for (let count = 0; count < MAX_ORDER_SHIPMENTS + 2; count += 1) {
    ids.push((await ship(own, uniqueText('T'), { order_id: many.id })).id);
  }

  const { licenseId } = own;
  const listed = await listShipmentsOfOrders(database.db, { licenseId, widenedTo: null }, [
    many.orderId,
    one.orderId,
  ]);

  t.deepEqual(
    listed.map(({ id }) => id),
    [...ids.slice(2).toReversed(), other],
  );
});

test('listShipmentsOfOrders: widened to an account, but for orders of its other stores', async (t) => {
  const orderId = uniqueText('order');
  const site = (domain: string) =>
    insertRow(database.db, 'store_sites', { account_id: own.accountId, platform: 'woocommerce', domain });
  const [here, elsewhere] = [await site(`${orderId}.here`), await site(`${orderId}.elsewhere`)];
  const on = async (license: TestLicense, store_site_id: number | null) => {
    const order = await insertTestOrder(database.db, license, { order_id: orderId, store_site_id });
    return (await ship(license, uniqueText('T'), { order_id: order.id })).id;
  };
  const [third, fourth] = [
    await insertTestLicense(database.db, { accountId: own.accountId }),
    await insertTestLicense(database.db, { accountId: own.accountId }),
  ];
  const ofOwn = await on(own, elsewhere);
  const sameStore = await on(sibling, here);
  const noStore = await on(third, null);
  await on(fourth, elsewhere);
  await on(foreign, null);
  const { licenseId, accountId } = own;
  const listFor = async (storeSiteId: number | null) => {
    const widenedTo = { accountId, storeSiteId };
    const found = await listShipmentsOfOrders(database.db, { licenseId, widenedTo }, [orderId]);
    return found.map(({ id }) => id);
  };

  const [known, unknown] = [await listFor(here), await listFor(null)];

  t.deepEqual(known, [noStore, sameStore, ofOwn]);
  t.deepEqual(unknown, [noStore, ofOwn]);
});
