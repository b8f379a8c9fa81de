import test from 'ava';
import { type ApiClient, shipmentBody, startApiStack } from '../../support/api-client.js';
import { insertCarrierLicense } from '../../support/carrier-licenses.js';
import type { HttpLicense } from '../../support/http.js';
import { type HttpAnswer, send } from '../../support/http-send.js';
import { readPdf } from '../../support/pdf.js';
import { type TestStack } from '../../support/stack.js';
import { JSON_HEADERS } from '../../support/v1.js';

let stack: TestStack;
let api: ApiClient;
/** A license of `run` whose labels the carrier makes. */
let labelled: HttpLicense;

test.before(async () => {
  ({ stack, api } = await startApiStack());
  labelled = await insertCarrierLicense(stack, {
    accountId: stack.account.id,
    provider: 'run',
    baseUrl: stack.sandbox.url,
    collectFrom: { street: 'Herzl', number: '1', city: 'Tel Aviv', company: 'Test merchant' },
    labelMethod: 'carrier',
  });
});
test.after.always(() => stack?.close());

const post = (
  action: string,
  parts: object = {},
  key = stack.account.licenseKeys.run,
  url = api.url,
): Promise<HttpAnswer> =>
  send(`${url}/api/shipping/${action}`, 'POST', {
    headers: JSON_HEADERS,
    json: { license_key: key, domain: 'shop.test', ...parts },
  });

/** The tracking code of a shipment that the carrier booked. */
async function booked(overrides: { order?: object; ship_data?: object } = {}, key?: string): Promise<string> {
  const body = shipmentBody(stack.account, 'run', overrides);
  const { status, body: answer, text } = await api.create({ ...body, ...(key && { license_key: key }) });
  if (status !== 201) throw new Error(text);
  return answer.data.tracking_code;
}

/** A plugin's body of an order. */
const orderBody = (id: string) => ({
  ship_data: { contact_name: 'דנה', contact_phone: '0501234567', street: 'הרצל', number: '1', city: 'חיפה' },
  order: { id, number: `N-${id}`, source: 'woocommerce' },
});

/** The document behind an address, fetched without credentials. */
const open = (url: string, query = '') => fetch(`${api.url}${new URL(url).pathname}${query}`);
const pagesOf = async (response: Response) => readPdf(new Uint8Array(await response.arrayBuffer()));

test.serial('get_order_details: what the carrier says now, recorded too', async (t) => {
  const code = await booked();
  await stack.sandbox.advance(code, 'in_transit');

  const { status, body } = await post('get_order_details', { shipping_id: code });
  const after = await post('get_shipping_status', { shipping_id: code });

  t.is(status, 200);
  t.true(body.data.success, JSON.stringify(body));
  t.like(body.data.data, {
    code: body.data.data.history.at(-1).carrier_code,
    tracking_code: code,
    status: 'in_transit',
  });
  t.like(body.data.data.history.at(-1), { code: 'in_transit' });
  t.truthy(body.data.data.history.at(-1).carrier_code);
  t.like(after.body.data, { code, status: 'in_transit', description: body.data.data.status_description });
});

test.serial('get_order_details: a carrier that fails is a nested failure with what was known', async (t) => {
  const code = await booked();
  await stack.sandbox.fault({ operation: 'status', kind: 'drop_before' });

  const { status, body } = await post('get_order_details', { shipping_id: code });

  t.is(status, 200);
  t.true(body.success);
  t.false(body.data.success);
  t.not(body.data.message, '');
  t.like(body.data.data, { code: '1', tracking_code: code, status: 'created' });
});

test.serial(
  'get_shipping_status: the first reading asks the carrier, a failing one leaves the record',
  async (t) => {
    const [moved, stuck] = [await booked(), await booked()];
    await stack.sandbox.advance(moved, 'delivered');
    const fresh = await post('get_shipping_status', { shipping_id: moved });
    await stack.sandbox.advance(stuck, 'delivered');
    await stack.sandbox.fault({ operation: 'status', kind: 'drop_before' });
    const stored = await post(`${stuck}/status`);

    t.like(fresh.body.data, { status: 'delivered', is_delivered: true });
    t.like(stored.body, { status: 'created', is_delivered: false });
  },
);

test.serial('change_order_status: cancelled at the carrier, and only once', async (t) => {
  const code = await booked();

  const answers = await Promise.all(
    Array.from({ length: 5 }, () => post('change_order_status', { shipping_id: code, status: 'cancel' })),
  );
  const listed = await api.get(`/shipments?filter[tracking_code]=${code}`);

  t.deepEqual(
    answers.map(({ status, body }) => [status, body.success, body.message]),
    answers.map(() => [200, true, 'The status was updated']),
  );
  t.deepEqual([listed.body.data[0].is_active, listed.body.data[0].status.code], [false, 'cancelled']);
  t.is((await stack.sandbox.ledger()).find((one) => one.code === code)?.status, 'cancelled');
});

test.serial('change_order_status: a refusal of the carrier is its text', async (t) => {
  const code = await booked();
  await stack.sandbox.fault({ operation: 'cancel', kind: 'error_in_200', value: 0 });

  const { status, body } = await post('change_order_status', { shipping_id: code });

  t.is(status, 200);
  t.like(body, { success: false, warning: '' });
  t.deepEqual(body.data, []);
  t.not(body.message, '');
});

test.serial('label: the built-in renderer by default, before and after a cancellation', async (t) => {
  const code = await booked();

  const first = await post('label', { shipping_id: code });
  await post('change_order_status', { shipping_id: code });
  const second = await post('label', { shipping_id: code });
  const document = await open(first.body.data.url);

  t.regex(first.body.data.url, /\/shipping\/label\/[0-9a-f]{8}-[0-9a-f]{4}-4/);
  t.is(second.body.data.url, first.body.data.url);
  t.is(document.headers.get('content-type'), 'application/pdf');
  t.regex(document.headers.get('content-disposition') ?? '', /^inline/);
  const [page] = await pagesOf(document);
  t.true(Math.abs((page?.widthMm ?? 0) - 74) < 0.3);
});

test.serial("label: the carrier's own where the license says so, kept under a random address", async (t) => {
  const code = await booked({}, labelled.key);

  const { status, body } = await post('label', { shipping_id: code }, labelled.key);

  t.is(status, 200, JSON.stringify(body));
  t.regex(body.data.url, /\/storage\/document\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]+\.pdf$/);
  t.is((await open(body.data.url)).headers.get('content-type'), 'application/pdf');
});

test.serial(
  'label: a carrier that refuses, or does not answer in time, is 200 with a bare error',
  async (t) => {
    const [refused, silent] = [await booked({}, labelled.key), await booked({}, labelled.key)];
    await stack.sandbox.fault({ operation: 'label', kind: 'error_in_200', value: 0 });
    const first = await post('label', { shipping_id: refused }, labelled.key);
    await stack.sandbox.fault({ operation: 'label', kind: 'status', value: 503, times: 20 });
    const impatient = await stack.startApi(undefined, { createWaitMs: 3000 });
    const second = await post('label', { shipping_id: silent }, labelled.key, impatient);

    const none = { error: 'Invalid response from shipping company' };
    t.deepEqual([first.status, first.body], [200, none]);
    t.deepEqual([second.status, second.body], [200, none]);
  },
);

test.serial('order-label: an address for each active shipment', async (t) => {
  const order = { id: `v1-${Date.now()}`, number: 'N-7' };
  const codes: string[] = [];
  for (const note of ['first', 'second', 'third']) codes.push(await booked({ order, ship_data: { note } }));
  await post('change_order_status', { shipping_id: codes[1] });

  const { status, body } = await post('order-label', { order_id: 'N-7' });

  t.is(status, 200, JSON.stringify(body));
  t.deepEqual(
    body.data.labels.map((one: { shipping_code: string }) => one.shipping_code),
    [codes[2], codes[0]],
  );
  for (const { url } of body.data.labels) t.is((await open(url)).status, 200);
});

test.serial("bulk-label: one document by the built-in renderer, whatever the license's method", async (t) => {
  const codes = [await booked({}, labelled.key), await booked({}, labelled.key)];

  const { status, body } = await post('bulk-label', { shipping_codes: codes, position: 8 }, labelled.key);

  t.is(status, 200, JSON.stringify(body));
  t.regex(body.data.url, /\/shipping\/label\//);
  const pages = await pagesOf(await open(body.data.url));
  const printed = await Promise.all(pages.map((page) => page.codes()));
  t.deepEqual(
    printed.map((found) => codes.find((code) => found.some(({ text }) => text === code))),
    codes,
  );
  t.regex(await (await open(body.data.url, '?output=html')).text(), /^<!doctype html>/);
});

test.serial("pickup_locations: the carrier's points as texts; 400 for one without a network", async (t) => {
  const { status, body } = await post('pickup_locations');
  const unsupported = await post('pickup_locations', {}, stack.account.licenseKeys.independent);

  t.is(status, 200, JSON.stringify(body));
  const spots = body.data.locations.spots.spot_detail;
  const kiosk = spots.find((one: { n_code: string }) => one.n_code === '1002');
  t.like(kiosk, { name: 'Kiosk & Co "24/7"', city: 'חיפה', street: 'הרצל', house: '12' });
  t.true(Object.values(kiosk).every((value) => typeof value === 'string'));
  t.is(kiosk.street_code, '');
  t.deepEqual([kiosk.latitude, kiosk.longitude].map(Number), [32.811, 34.999]);
  t.deepEqual(
    [unsupported.status, unsupported.body],
    [400, { data: [], message: 'Not supported for this provider', success: false, warning: '' }],
  );
});

test.serial(
  'open_new_order: the code leads through every other route, the number through none',
  async (t) => {
    const id = `life-${Date.now()}`;
    const opened = await post('open_new_order', orderBody(id));
    const { code, shipping_id: number } = opened.body.data;
    const listed = async () => (await post('order', { orders: [id] })).body[id];

    const before = await listed();
    const labels = await post('order-label', { order_id: `N-${id}` });
    const byNumber = [
      await post('get_order_details', { shipping_id: number }),
      await post('get_shipping_status', { shipping_id: String(number) }),
      await post('label', { shipping_id: number }),
    ];
    const cancelled = await post('change_order_status', { shipping_id: code });
    const after = await listed();
    const [single, many, none] = [
      await post('label', { shipping_id: code }),
      await post('bulk-label', { shipping_codes: [code] }),
      await post('order-label', { order_id: id }),
    ];

    t.is(opened.status, 200, opened.text);
    t.like(before[0], { shipping_id: number, code, type: 'regular', is_active: true });
    t.is(labels.body.data.labels[0].shipping_code, code);
    for (const { status, body } of byNumber) {
      t.deepEqual([status, body], [404, { message: `No query results for model [Shipment] ${number}` }]);
    }
    t.true(cancelled.body.success);
    t.like(after[0], { code, is_active: false, status: 'cancelled' });
    t.deepEqual([single.status, many.status, none.status], [200, 200, 404]);
    const [row] = await stack.db.select('SELECT source FROM orders WHERE order_id = ?', [id]);
    t.is(row?.source, 'woocommerce');
  },
);

test.serial('label: the account says how labels are made where the license does not', async (t) => {
  const code = await booked();
  // An earlier test left a fault over.
  await stack.sandbox.fault({ operation: 'label', kind: 'none' });
  const own = stack.account.licenseKeys.run ?? '';
  const methodOf = async () =>
    new URL((await post('label', { shipping_id: code }, own)).body.data.url).pathname;
  const set = (method: string) =>
    stack.db.run('UPDATE accounts SET label_method = ? WHERE id = ?', [method, stack.account.id]);
  await set('carrier');
  t.teardown(() => set('builtin'));

  const carriers = await methodOf();

  t.regex(carriers, /^\/storage\/document\//);
});
