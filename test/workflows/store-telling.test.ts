import { randomInt } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { allCarriers } from '../../src/carriers/registry.js';
import { workflowIds } from '../../src/contracts/ids.js';
import { changeLicense } from '../../src/services/admin/licenses.js';
import { changeStoreSite, createStoreSite } from '../../src/services/admin/store-sites.js';
import { TEST_ACTOR } from '../support/actor.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { send } from '../support/http-send.js';
import { detailsOf } from '../support/runs.js';
import { startStack, type TestStack } from '../support/stack.js';
import { type StoreDouble, startStore } from '../support/store-double.js';
import { WEBHOOK_ENV, withOwnLicense } from '../support/webhooks.js';

let shared: TestStack;
let url: string;
let api: ApiClient;

test.before(async () => {
  shared = await startStack({ env: WEBHOOK_ENV });
  await shared.startWorkers();
  url = await shared.startApi();
  api = new ApiClient(url, shared.account);
});
test.after.always(() => shared?.close());

test('a parcel of v2: its store hears that it was made and cancelled, as by its own calls', async (t) => {
  const orderId = newId();
  const { stack, store, key } = await begin(t, orderId);

  const made = await create(stack, orderId);
  await eventually(() => store.orders.get(orderId)?.shipped.length === 1, 'the store is told');
  await api.post(`/shipments/${made.uuid}/cancel`, { license_key: key });
  await eventually(() => store.orders.get(orderId)?.cancelled.length === 1, 'the store is told of the end');

  const [told] = store.orders.get(orderId)?.shipped ?? [];
  const meta = told?.meta_data as Record<string, unknown>;
  const answer = told?.shipos_response as { success: boolean; data: Record<string, unknown> };
  t.is(told?.order_id, orderId);
  t.like(meta, {
    delivery_number: made.tracking_code,
    type: '1',
    return: '1',
    license_key: key,
    is_active: true,
  });
  t.regex(String(meta.delivery_time), /^\d\d-\d\d-\d{4} \d{1,2}-\d\d-\d\d$/);
  t.deepEqual(Object.keys(meta.company as object), ['name']);
  t.true(answer.success);
  t.like(answer.data, { code: made.tracking_code, shipping_type: 'Regular delivery' });
  t.deepEqual(answer.data.company, meta.company);
  t.deepEqual(store.orders.get(orderId)?.cancelled, [made.tracking_code]);
  t.deepEqual(
    store.calls.map(({ action, status }) => `${action} ${status}`),
    ['order_shipment_created_meta 200', 'order_shipment_cancelled_meta 200'],
  );
});

test('what a store did by calls of v1 is not told to it', async (t) => {
  const [own, other] = [newId(), newId()];
  const { stack, store, key } = await begin(t, own, other);
  const v1 = async (action: string, fields: object) => {
    const json = { license_key: key, domain: 'shop.test', ...fields };
    const headers = { accept: 'application/json' };
    const { text } = await send(`${url}/api/shipping/${action}`, 'POST', { json, headers });
    return JSON.parse(text);
  };

  const { ship_data } = shipmentBody(stack.account, 'independent');
  const opened = await v1('open_new_order', { ship_data, order: { id: String(own) } });
  const cancelled = await v1('change_order_status', { shipping_id: opened.data.code });
  await create(stack, other);
  await eventually(() => store.orders.get(other)?.shipped.length === 1, 'the store is told of the other');

  t.true(opened.success && cancelled.success, cancelled.message);
  t.is(store.calls.length, 1);
});

for (const permalinks of ['plain', 'not found'] as const) {
  test(`a store whose REST paths answer with a page (${permalinks}) hears of a parcel`, async (t) => {
    const orderId = newId();
    const { stack, store } = await begin(t, orderId);
    store.permalinks = permalinks;

    await create(stack, orderId);
    await eventually(() => store.orders.get(orderId)?.shipped.length === 1, 'the store is told');

    t.deepEqual(
      store.calls.map(({ status }) => status),
      [200],
    );
  });
}

test('a store that is down at first is notified once it is up', async (t) => {
  const orderId = newId();
  const { stack, store, subscription } = await begin(t, orderId);
  store.fail(503, 2);

  await create(stack, orderId);
  await eventually(() => store.orders.get(orderId)?.shipped.length === 1, 'the store is told');

  t.deepEqual(
    store.calls.map(({ status }) => status),
    [503, 503, 200],
  );
  const run = stack.temporal.workflow.getHandle(workflowIds.deliverWebhooks(subscription));
  await run.result();
  t.is(await detailsOf(run), '1 delivered.');
});

test('a site of the whole account hears of every license, until its keys are removed', async (t) => {
  const orderId = newId();
  const { stack } = await begin(t);
  const store = await startStore(orderId);
  t.teardown(() => store.close());
  const { siteId, subscription } = await connect(stack, store);

  const { uuid } = await create(stack, orderId);
  await eventually(() => store.orders.get(orderId)?.shipped.length === 1, 'the store is told');
  const removed = await changeStoreSite(app(), { id: siteId, removeRestKeys: true });
  await api.post(`/shipments/${uuid}/cancel`, { license_key: stack.account.licenseKeys.independent });
  const events = await stack.db.select(
    'SELECT event FROM webhook_deliveries WHERE subscription_id = ? AND shipment_id = (SELECT id FROM shipments WHERE uuid = ?)',
    [subscription, uuid],
  );

  t.is(removed.storeUrl, null);
  t.deepEqual(
    events.map(({ event }) => event),
    ['shipment.created'],
  );
});

test('what a store refuses is not sent again, and turns nothing off', async (t) => {
  const orderId = newId();
  const { stack, store, siteId, subscription } = await begin(t, orderId);
  const failed = (count: number) =>
    eventually(async () => (await endedOf(subscription)).failed === count, 'failed');

  await create(stack, newId());
  await failed(1);
  // Where it is still open, it delivers what comes next and counts both.
  const run = () => stack.temporal.workflow.getHandle(workflowIds.deliverWebhooks(subscription));
  await run().result();
  await changeStoreSite(app(), { id: siteId, ...store.keys, consumerSecret: 'cs_old' });
  await create(stack, orderId);
  await failed(2);

  t.deepEqual(
    store.calls.map(({ status }) => status),
    [200, 401],
  );
  const [row] = await stack.db.select('SELECT is_active FROM webhook_subscriptions WHERE id = ?', [
    subscription,
  ]);
  t.is(row?.is_active, 1);
  await run().result();
  t.is(
    await detailsOf(run()),
    '1 delivery failed for good. The store refused the REST keys. The store is not told of these again.',
  );
  const webhooks = await api.get(`/webhooks?license_key=${stack.account.licenseKeys.independent}`);
  t.deepEqual(webhooks.body.data, []);
});

test('an order goes to the site that v1 noted, and one that is no WooCommerce order to none', async (t) => {
  const orderId = newId();
  const { stack, store, siteId, key } = await begin(t, orderId);
  const other = await startStore(orderId);
  t.teardown(() => other.close());
  await connect(stack, other, key);

  const first = await create(stack, orderId);
  await eventually(() => store.calls.length + other.calls.length === 2, 'both are asked');
  await stack.db.run('UPDATE orders SET store_site_id = ? WHERE order_id = ?', [siteId, String(orderId)]);
  await api.post(`/shipments/${first.uuid}/cancel`, { license_key: key });
  await create(stack, `${orderId}-b`);
  await eventually(() => store.orders.get(orderId)?.cancelled.length === 1, 'its own store is told');
  const last = newId();
  await create(stack, last);
  await eventually(() => other.calls.length === 2, 'the other store is asked again');

  t.deepEqual(
    other.calls.map(({ body }) => body.order_id),
    [orderId, last],
  );
  t.deepEqual(store.calls.map(({ body }) => body.order_id).slice(0, 2), [orderId, orderId]);
});

test('a change and an activation of a license: its stores read their licenses again', async (t) => {
  const { store, key, subscription } = await begin(t);

  await changeLicense(app(), { license: key, active: false });
  await changeLicense(app(), { license: key, active: true });
  const waiting = await endedOf(subscription);
  await send(`${url}/api/license/activate_license?license_key=${key}&domain=shop.test`, 'GET', {
    headers: { accept: 'application/json' },
  });
  await eventually(async () => (await endedOf(subscription)).succeeded === 1, 'the store is told');

  t.is(waiting.pending, 1);
  t.deepEqual(store.calls, [{ action: 'shipos_license_update', body: {}, status: 200 }]);
  t.is((await endedOf(subscription)).pending, 0);
});

/** A license of the test's own, and a store that is connected to it and has these orders. */
async function begin(t: ExecutionContext, ...orderIds: number[]) {
  const stack = await withOwnLicense(shared);
  const store = await startStore(...orderIds);
  t.teardown(() => store.close());
  const key = stack.account.licenseKeys.independent ?? '';
  return { stack, store, key, ...(await connect(stack, store, key)) };
}

async function connect(stack: TestStack, store: StoreDouble, license?: string) {
  const { id: siteId } = await createStoreSite(app(), {
    account: stack.account.id,
    ...(license === undefined ? {} : { license }),
    platform: 'woocommerce',
    domain: `shop-${newId()}.test`,
    storeUrl: store.url,
    ...store.keys,
  });
  const [row] = await stack.db.select('SELECT id FROM webhook_subscriptions WHERE store_site_id = ?', [
    siteId,
  ]);
  return { siteId, subscription: String(row?.id) };
}

function app() {
  return { db: shared.db, config: shared.config, adapters: allCarriers(), actor: TEST_ACTOR };
}

async function create(stack: TestStack, orderId: number | string) {
  const { order } = shipmentBody(stack.account, 'independent');
  const body = shipmentBody(stack.account, 'independent', { order: { ...order, id: String(orderId) } });
  const { body: made, text } = await api.create(body);
  if (made.data === undefined) throw new Error(text);
  return made.data as { uuid: string; tracking_code: string };
}

/** How many deliveries of the subscription there are by their status. */
async function endedOf(subscription: string): Promise<Record<string, number>> {
  const rows = await shared.db.select(
    'SELECT status, COUNT(*) AS number FROM webhook_deliveries WHERE subscription_id = ? GROUP BY status',
    [subscription],
  );
  const counts = rows.map(({ status, number }): [string, number] => [String(status), Number(number)]);
  return { pending: 0, succeeded: 0, failed: 0, ...Object.fromEntries(counts) };
}

function newId(): number {
  return randomInt(1, 2 ** 40);
}
