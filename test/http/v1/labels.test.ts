import test from 'ava';
import type { RenderLabelsInput } from '../../../src/contracts/render-labels.js';
import { findLabelSet } from '../../../src/db/queries/labels/labels.js';
import { type HttpAccount, type HttpLicense, type HttpStack, startHttp } from '../../support/http.js';
import { recipientToken, sendV1, userToken } from '../../support/v1.js';

let stack: HttpStack;
let account: HttpAccount;
let license: HttpLicense;
/** Printing jobs of the engine, oldest first. */
const printed: RenderLabelsInput[] = [];

test.before(async () => {
  stack = await startHttp({ onPrint: (input) => void printed.push(input) });
  account = await stack.account();
  license = await stack.license(account.id);
});
test.after.always(() => stack?.close());

const post = (action: string, parts: object, of: HttpLicense = license) =>
  sendV1(stack, 'POST', `/shipping/${action}`, {
    json: { license_key: of.key, domain: 'shop.test', ...parts },
  });

let codes = 0;
async function shipment(
  columns: Record<string, string | number | boolean | null> = {},
  {
    orderId,
    of = license,
    accountId = account.id,
  }: { orderId?: string; of?: HttpLicense; accountId?: number } = {},
): Promise<{ code: string; uuid: string; orderId: string }> {
  codes += 1;
  const code = `L${codes}`;
  const seeded = await stack.shipment(accountId, of, {
    ...(orderId === undefined ? {} : { orderId }),
    columns: { tracking_code: code, ...columns },
  });
  return { ...seeded, code: String(columns.tracking_code ?? code) };
}

/** Uuids of the shipments of a set, in its order. */
async function shipmentsOf(set = ''): Promise<unknown[]> {
  const { shipmentIds = [] } = (await findLabelSet(stack.db, set)) ?? {};
  const rows = await stack.db.select(
    `SELECT uuid FROM shipments WHERE id IN (?, ?, ?) ORDER BY FIELD(id, ?, ?, ?)`,
    [...shipmentIds, ...shipmentIds],
  );
  return rows.map((row) => row.uuid);
}

test('label: an address, of a cancelled shipment too', async (t) => {
  const inactive = await shipment({ is_active: false, status_code: 'cancelled' });

  const { status, body } = await post('label', { shipping_id: inactive.code });

  t.is(status, 200);
  t.deepEqual(Object.keys(body.data), ['url']);
  t.regex(body.data.url, /^https:\/\/api\.parcels\.test\/shipping\/label\/[0-9a-f-]{36}$/);
  t.deepEqual([body.message, body.success, body.warning], ['', true, '']);
});

test('label: a carrier that gives none is 200 with a bare error', async (t) => {
  const refused = await shipment({ tracking_code: 'carrier_rejected', holds_code: null });

  const { status, body } = await post('label', { shipping_id: refused.code });

  t.is(status, 200);
  t.deepEqual(body, { error: 'Invalid response from shipping company' });
});

test('label: an engine that is away is 503', async (t) => {
  const unlucky = await shipment({ tracking_code: 'service_unavailable' });

  const { status, headers } = await post('label', { shipping_id: unlucky.code });

  t.is(status, 503);
  t.truthy(headers.get('retry-after'));
});

test("label: a user's token widens the look-up to their whole account, no other token does", async (t) => {
  const sibling = await stack.license(account.id);
  const stranger = await stack.account();
  const foreign = await stack.license(stranger.id);
  const onSibling = await shipment({}, { of: sibling });
  const onForeign = await shipment({}, { of: foreign, accountId: stranger.id });
  const tokens = {
    own: await userToken(stack, account.id),
    foreign: await userToken(stack, stranger.id),
    recipient: (await recipientToken(stack)).token,
    wrong: '1|0000000000000000000000000000000000000000',
  };

  const found: Record<string, number[]> = {};
  for (const [name, token] of Object.entries(tokens)) {
    const [one, other] = [
      await post('label', { shipping_id: onSibling.code, token }),
      await post('label', { shipping_id: onForeign.code, token }),
    ];
    found[name] = [one.status, other.status];
  }

  t.deepEqual(found, { own: [200, 404], foreign: [404, 200], recipient: [404, 404], wrong: [404, 404] });
});

test('order-label: by id or number, active shipments alone, newest first', async (t) => {
  const orderId = `order-${codes}`;
  const first = await shipment({}, { orderId });
  await shipment({ is_active: false }, { orderId });
  await shipment({ tracking_code: null, state: 'reserved' }, { orderId });
  const last = await shipment({}, { orderId });

  const byId = await post('order-label', { order_id: orderId });
  const byNumber = await post('order-label', { order_id: `#${orderId}` });

  t.is(byId.status, 200);
  t.deepEqual(
    byId.body.data.labels.map((one: { shipping_code: string }) => one.shipping_code),
    [last.code, first.code],
  );
  t.deepEqual(Object.keys(byId.body.data.labels[0]), ['shipping_code', 'url']);
  t.deepEqual(byNumber.body, byId.body);
  t.deepEqual([byId.body.success, byId.body.warning], [true, '']);
});

test('order-label: the newest of the orders that fit by id or by number', async (t) => {
  const older = await shipment({}, { orderId: 'shared-1' });
  const newer = await shipment({}, { orderId: 'shared-2' });
  await stack.db.run('UPDATE orders SET number = ? WHERE license_id = ? AND order_id = ?', [
    'shared-1',
    license.id,
    'shared-2',
  ]);

  const { body } = await post('order-label', { order_id: 'shared-1' });

  t.deepEqual(
    body.data.labels.map((one: { shipping_code: string }) => one.shipping_code),
    [newer.code],
  );
  t.not(newer.code, older.code);
});

test('order-label: labels that the carrier does not give are left out in silence', async (t) => {
  const orderId = `order-${codes}`;
  const good = await shipment({}, { orderId });
  await shipment({ tracking_code: 'carrier_rejected', holds_code: null }, { orderId });
  const none = await shipment({ tracking_code: 'carrier_rejected', holds_code: null });

  const some = await post('order-label', { order_id: orderId });
  const empty = await post('order-label', { order_id: none.orderId });

  t.deepEqual(
    some.body.data.labels.map((one: { shipping_code: string }) => one.shipping_code),
    [good.code],
  );
  t.deepEqual(
    [empty.status, empty.body],
    [200, { data: { labels: [] }, message: '', success: true, warning: '' }],
  );
});

test('order-label: an unknown or foreign order, and one without active shipments, are 404; a token changes nothing', async (t) => {
  const sibling = await stack.license(account.id);
  const stranger = await stack.account();
  const foreign = await stack.license(stranger.id);
  const token = await userToken(stack, account.id);
  const onSibling = await shipment({}, { of: sibling });
  const onForeign = await shipment({}, { of: foreign, accountId: stranger.id });
  const idle = await shipment({ is_active: false });

  const answers = [];
  for (const order_id of ['nothing', onSibling.orderId, onForeign.orderId, idle.orderId]) {
    answers.push(await post('order-label', { order_id, token }));
  }

  t.deepEqual(
    answers.map(({ status, body }) => [status, body]),
    ['Order not found', 'Order not found', 'Order not found', 'No active shippings found for this order'].map(
      (message) => [404, { data: [], message, success: false, warning: '' }],
    ),
  );
  t.is((await post('order-label', {})).status, 422);
});

test.serial(
  'bulk-label: one address for all, in the order named, each once, cancelled ones too',
  async (t) => {
    const codesOf = [
      await shipment(),
      await shipment({ is_active: false, status_code: 'cancelled' }),
      await shipment({ tracking_code: '880001' }),
    ];
    printed.length = 0;

    const { status, body } = await post('bulk-label', {
      shipping_codes: [codesOf[1]?.code, 880_001, codesOf[0]?.code, codesOf[1]?.code],
      position: '3',
    });

    t.is(status, 200);
    t.deepEqual(Object.keys(body.data), ['url']);
    t.deepEqual(
      printed.map(({ options }) => options),
      [{ labelType: null, position: 3, sort: undefined }],
    );
    t.deepEqual(await shipmentsOf(printed[0]?.labelSetUuid), [
      codesOf[1]?.uuid,
      codesOf[2]?.uuid,
      codesOf[0]?.uuid,
    ]);
  },
);

test('bulk-label: codes that name nothing are 404 and named; a token adds those of its account', async (t) => {
  const sibling = await stack.license(account.id);
  const own = await shipment();
  const other = await shipment({}, { of: sibling });
  const token = await userToken(stack, account.id);

  const { status, body } = await post('bulk-label', {
    shipping_codes: [own.code, 'nothing', other.code],
  });
  const widened = await post('bulk-label', { shipping_codes: [own.code, other.code], token });

  t.is(widened.status, 200, widened.text);
  t.is(status, 404);
  t.deepEqual(body, {
    data: [],
    message: `No shipments found: nothing, ${other.code}`,
    success: false,
    warning: '',
  });
});

test('bulk-label: shipments of more than 500 packages are 422 at their field', async (t) => {
  const many = [];
  for (let count = 0; count < 6; count += 1) many.push(await shipment({ packages: 99 }));

  const { status, body } = await post('bulk-label', { shipping_codes: many.map(({ code }) => code) });

  const message = 'The shipping_codes field must not have more than 500 packages in all; these have 594.';
  t.deepEqual([status, body], [422, { message, errors: { shipping_codes: [message] } }]);
});

test('bulk-label: takes 1 to 100 codes and a position from 1 to 8', async (t) => {
  const own = await shipment();
  const wrong: [object, string][] = [
    [{}, 'shipping_codes'],
    [{ shipping_codes: [] }, 'shipping_codes'],
    [{ shipping_codes: Array.from({ length: 101 }, () => own.code) }, 'shipping_codes'],
    [{ shipping_codes: [null] }, 'shipping_codes.0'],
    [{ shipping_codes: [own.code], position: 0 }, 'position'],
    [{ shipping_codes: [own.code], position: 9 }, 'position'],
    [{ shipping_codes: [own.code], position: 'first' }, 'position'],
  ];

  for (const [parts, field] of wrong) {
    const { status, body } = await post('bulk-label', parts);
    t.deepEqual([status, Object.keys(body.errors)], [422, [field]], field);
  }
  const full = await post('bulk-label', { shipping_codes: Array.from({ length: 100 }, () => own.code) });
  t.is(full.status, 200);
});
