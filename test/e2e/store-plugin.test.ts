import { randomInt } from 'node:crypto';
import test from 'ava';
import { insertCarrierLicense } from '../support/carrier-licenses.js';
import { eventually, onceBegun } from '../support/conditions.js';
import type { HttpLicense } from '../support/http.js';
import { letPass } from '../support/kept-answers.js';
import { PluginWire, phpInt, pluginOrder, type Store } from '../support/plugin-wire.js';
import { startStack, type TestStack } from '../support/stack.js';
import { userToken } from '../support/v1.js';

const ORDERS = 100;
const AT_ONCE = 10;
const DOMAIN = 'shop.example';
const OPEN = '/shipping/open_new_order';
/** In a page, where these texts are taken as HTML, nothing of them would be read as markup. */
const NO_MARKUP = /^[^<]*$/;

let stack: TestStack;
let url: string;
let store: Store;
let plugin: PluginWire;
/** A second license of the merchant. */
let second: HttpLicense;
/** The merchant's same-day license. */
let sameDay: HttpLicense;
/** The shipment numbers that the store has recorded, by order. */
const numbers = new Map<number, string>();
const firstOrder = randomInt(1000, 100_000) * 1000;
const orderIds = Array.from({ length: ORDERS }, (_, index) => firstOrder + index);
const lostOrder = firstOrder + ORDERS;
const numberOf = (index: number) => numbers.get(firstOrder + index) ?? '';

test.before(async () => {
  stack = await startStack({ multipleShipment: false });
  await stack.startWorkers();
  url = await stack.startApi();
  const { account, sandboxes } = stack;
  const collectFrom = { street: 'אלנבי', number: '1', city: 'תל אביב-יפו', company: 'חנות' };
  const licensed = (provider: string) =>
    insertCarrierLicense(stack, {
      accountId: account.id,
      provider,
      baseUrl: sandboxes.get(provider)?.url ?? '',
      collectFrom,
    });
  second = await licensed('independent');
  sameDay = await licensed('getpackage');
  const token = await userToken(stack, account.id);
  store = { url, domain: DOMAIN, token, licenseKey: account.licenseKeys.run ?? '' };
  plugin = new PluginWire(store);
});
test.after.always(() => stack?.close());

test.serial('a store plugin activates its license twice', async (t) => {
  const fields = { license_key: store.licenseKey, domain: DOMAIN };
  const unconnected = new PluginWire({ ...store, token: '0' });

  const answers = [
    await unconnected.get('/license/activate_license', fields),
    await unconnected.get('/license/activate_license', fields),
  ];
  const wrong = await unconnected.get('/license/activate_license', {
    ...fields,
    license_key: 'lic-of-nobody-00',
  });

  for (const { status, body } of answers) {
    t.like(
      { status, ...body },
      { status: 200, success: true, license: 'valid', message: 'License key is valid' },
    );
  }
  t.like({ status: wrong.status, ...wrong.body }, { status: 200, license: 'invalid', error: 'missing' });
});

test.serial('a store plugin reads the licenses, and every hour whether its token is good', async (t) => {
  const { status, body } = await plugin.post('/licenses');
  const hourly = await plugin.checkToken();
  const forgotten = await new PluginWire({ ...store, token: '7|wrong' }).checkToken();

  t.deepEqual([status, body.success], [200, true]);
  const row = (key: string) => body.data.find((one: { key: string }) => one.key === key);
  t.deepEqual(row(store.licenseKey), {
    key: store.licenseKey,
    name: 'Run',
    company: 'Run',
    provider: { name: 'Run' },
  });
  t.deepEqual(row(sameDay.key).provider, { name: 'GetPackage' });
  t.deepEqual([hourly.status, forgotten.status, forgotten.body], [200, 401, { message: 'Unauthenticated.' }]);
});

test.serial('a store plugin opens a hundred orders with double clicks, and each is one parcel', async (t) => {
  t.timeout(300_000);
  const waiting = [...orderIds];
  const lane = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const order = pluginOrder(id, { billingOnly: id % 3 === 0 });
      const clicks = await Promise.all([plugin.post(OPEN, order), plugin.post(OPEN, order, '1.0')]);
      for (const { status, body, text } of clicks) {
        t.deepEqual([status, body.success, body.message], [200, true, ''], text);
        t.deepEqual(body.data.company, { name: 'Run' });
      }
      const codes = new Set(clicks.map(({ body }) => String(body.data.code)));
      t.is(codes.size, 1);
      numbers.set(id, [...codes][0] ?? '');
    }
  };

  await Promise.all(Array.from({ length: AT_ONCE }, lane));

  const ledger = await stack.sandbox.ledger();
  t.is(ledger.length, ORDERS);
  t.deepEqual(ledger.map(({ code }) => code).toSorted(), [...numbers.values()].toSorted());
  const told = ledger.map(({ request }) => JSON.stringify(request));
  t.true(told.every((text) => text.includes('דנה לוי-כהן') && /050-?123-?4567/.test(text)));
  t.is(told.filter((text) => text.includes('דיזנגוף')).length, orderIds.filter((id) => id % 3 === 0).length);
});

test.serial(
  'a store plugin finds the parcel of a click whose answer was lost, and clicks again',
  async (t) => {
    const order = pluginOrder(lostOrder);
    const unknown = await plugin.post('/shipping/order', { ids: [lostOrder] });

    await plugin.lose(OPEN, order);
    const list = () => plugin.post('/shipping/order', { ids: [lostOrder] });
    await eventually(async () => (await list()).body.length > 0, 'the parcel in the list');
    const { status, body } = await list();
    const again = await plugin.post(OPEN, order);

    t.deepEqual([unknown.status, unknown.text], [200, '[]']);
    t.is(status, 200);
    t.is(body.length, 1);
    const [row] = body;
    t.like(row, { company: { name: 'Run' }, type: '1', return: '1', license_key: store.licenseKey });
    t.regex(row.delivery_time, /^\d\d-\d\d-\d{4} \d{1,2}-\d\d-\d\d$/);
    t.is(again.body.data.code, row.delivery_number);
    const parcels = (await stack.sandbox.ledger()).map(({ code }) => code);
    t.is(parcels.length, ORDERS + 1);
    t.true(parcels.includes(row.delivery_number));
  },
);

test.serial('a store plugin shows the status of a parcel', async (t) => {
  const number = numberOf(0);
  const look = () => plugin.post('/shipping/get_order_details', { shipping_id: phpInt(number) });

  const before = await look();
  await stack.sandbox.advance(number, 'delivered');
  const after = await look();

  t.deepEqual([before.status, before.body.success, before.body.data.success], [200, true, true]);
  t.like(before.body.data.data, { receiver: 'דנה לוי-כהן', shipped_on: null, tracking_code: number });
  const { text, receiver, shipped_on: day, code } = after.body.data.data;
  t.deepEqual([text, receiver, code], ['נמסר ליעדו', 'דנה לוי-כהן', '40']);
  t.regex(day, /^\d\d-\d\d-\d{4}$/);
  for (const shown of [text, receiver, day, before.body.data.data.text]) t.regex(shown, NO_MARKUP);
});

test.serial('a store plugin shows a parcel of the merchant’s own couriers by its whole number', async (t) => {
  const own = new PluginWire({ ...store, licenseKey: second.key });
  const opened = await own.post(OPEN, pluginOrder(lostOrder + 1));
  const number: string = opened.body.data.code;

  // The store asks with its default license; the token has the others searched too.
  const { body } = await plugin.post('/shipping/get_order_details', { shipping_id: phpInt(number) });
  const label = await plugin.post('/shipping/label', { shipping_id: number });
  const row = await plugin.post('/shipping/order', { ids: [lostOrder + 1] });

  t.is(phpInt(number), number);
  t.like(body.data.data, { tracking_code: number, text: 'Created', code: '1' });
  t.is(label.status, 200, label.text);
  t.deepEqual(
    row.body.map((one: Record<string, string>) => [one.delivery_number, one.license_key]),
    [[number, second.key]],
  );
});

test.serial('a store plugin opens the label of one parcel, and of many', async (t) => {
  t.timeout(300_000);
  const all = [...numbers.values()];

  const one = await plugin.post('/shipping/label', { shipping_id: numberOf(1) });
  const many = await plugin.post('/shipping/bulk-label', { shipping_codes: all });

  t.is(all.length, 100);
  for (const { status, body, text } of [one, many]) {
    t.is(status, 200, text);
    const pdf = await fetch(`${url}${new URL(body.data.url).pathname}`);
    t.true((await pdf.text()).startsWith('%PDF-'));
  }
});

test.serial('a store plugin cancels a parcel, and the status says so in words', async (t) => {
  const number = numberOf(2);

  const { status, body } = await plugin.post('/shipping/change_order_status', { shipping_id: number });
  const again = await plugin.post('/shipping/change_order_status', { shipping_id: number });
  const shown = await plugin.post('/shipping/get_order_details', { shipping_id: phpInt(number) });
  const nothing = await plugin.post('/shipping/change_order_status', { shipping_id: '1' });

  t.deepEqual([status, body.success, body.message], [200, true, 'The status was updated']);
  t.true(again.body.success);
  t.like(shown.body.data.data, { text: 'Cancelled', code: '8', status: 'cancelled' });
  t.deepEqual(
    [nothing.status, nothing.body.success, nothing.body.message],
    [200, false, 'Shipment not found'],
  );
  t.is((await stack.sandbox.ledger()).find(({ code }) => code === number)?.status, 'cancelled');
});

test.serial('a store plugin fills its chooser of pickup points', async (t) => {
  const { status, body, text } = await plugin.post('/shipping/pickup_locations');

  t.is(status, 200, text.slice(0, 300));
  const spots = body.data.locations.spots.spot_detail;
  t.true(spots.length > 0);
  for (const { city, name, street, street_code, house, remarks, n_code, latitude, longitude } of spots) {
    const texts = [city, name, street, street_code, house, remarks, n_code];
    t.true(texts.every((one) => typeof one === 'string'));
    t.false(Number.isNaN(Number(latitude) + Number(longitude) + Number(n_code)));
  }
});

test.serial('a store plugin offers the same-day delivery at the check-out', async (t) => {
  const { status, body, text } = await plugin.get('/shipping/same_day_delivery_quote', {
    license_key: sameDay.key,
    domain: DOMAIN,
    token: store.token,
    version: '2.1.1',
    city: 'רמת גן',
    street: 'ביאליק',
    street_number: '12',
    name: 'דנה',
    phone: '050-123 4567',
    date: new Date().toISOString().slice(0, 10),
    package_size: 'MEDIUM',
  });

  t.is(status, 200, text);
  const { totalRate, taxRate } = body.data;
  t.true(totalRate > 0 && taxRate > 0 && totalRate + taxRate <= 40, text);
});

test.serial(
  'a store plugin clicks while the carrier is away for two hours, again three hours later: one parcel',
  async (t) => {
    const id = lostOrder + 2;
    const order = pluginOrder(id);
    const hasty = new PluginWire({ ...store, url: await stack.startApi(undefined, { createWaitMs: 300 }) });
    const booked = (await stack.sandbox.ledger()).length;
    await stack.sandbox.fault({ operation: 'book', kind: 'status', value: 503, times: 0 });

    const silent = await onceBegun(() => hasty.post(OPEN, order, '1.0'));
    await letPass(stack.db, 2, String(id));
    const away = (await stack.sandbox.ledger()).length;
    await stack.sandbox.fault({ operation: 'book', kind: 'none' });
    await endOfCreation(id);
    await letPass(stack.db, 3, String(id));
    const again = await plugin.post(OPEN, order, '1.0');
    const listed = await plugin.post('/shipping/order', { ids: [id] });

    t.deepEqual([silent.status, silent.body.success], [500, false], silent.text);
    t.regex(silent.body.message, /Send the request again/);
    t.is(away, booked);
    t.deepEqual(
      [again.status, again.body.success, again.body.data.idempotent],
      [200, true, true],
      again.text,
    );
    const parcels = (await stack.sandbox.ledger()).slice(booked).map(({ code }) => code);
    t.deepEqual(parcels, [again.body.data.code]);
    t.deepEqual(
      listed.body.map((row: { delivery_number: string }) => row.delivery_number),
      parcels,
    );
  },
);

/** While its run is open a repeat joins it, however old its key is. */
async function endOfCreation(orderId: number): Promise<void> {
  const [row] = await stack.db.select(
    'SELECT s.workflow_id FROM shipments s JOIN orders o ON o.id = s.order_id WHERE o.order_id = ?',
    [String(orderId)],
  );
  await stack.temporal.workflow.getHandle(String(row?.workflow_id)).result();
}
