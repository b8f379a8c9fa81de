import test from 'ava';
import type { CarrierAdapter, CarrierStatus, Outcome } from '../../../src/carriers/contract.js';
import { carrierFor } from '../../../src/carriers/registry.js';
import { CANCEL_REFUSED, type CancelShipmentInput } from '../../../src/contracts/cancel-shipment.js';
import { engineAway, runFailure } from '../../support/engine-double.js';
import { type HttpAccount, type HttpLicense, type HttpStack, startHttp } from '../../support/http.js';
import { insertRow } from '../../support/rows.js';
import { sendV1, userToken } from '../../support/v1.js';

let stack: HttpStack;
let account: HttpAccount;
let license: HttpLicense;
/** The carrier's word about a shipment by its uuid, and every question. */
const told = new Map<string, Outcome<CarrierStatus[]>>();
const asked: { uuid: string; timeoutMs: number }[] = [];
/** Whose cancellation the carrier does not answer. */
const silent = new Set<string>();
const cancelled: { uuid: string; reason: string | null }[] = [];
let waitedMs = 0;

test.before(async () => {
  const fetch: NonNullable<CarrierAdapter['status']>['fetch'] = async ([parcel]) => {
    const { reference: uuid = '', trackingCode = '' } = parcel ?? {};
    // A refresh waits three tenths of its time for its turn.
    asked.push({ uuid, timeoutMs: Math.round(waitedMs / 0.3) });
    return told.get(uuid) ?? { kind: 'accepted', value: [{ trackingCode, events: [] }] };
  };
  stack = await startHttp({
    app: () => ({
      carriers: (provider) => ({ ...carrierFor(provider), status: { maxBulk: 1, fetch } }),
      accounts: async () => ({}) as never,
      shares: {
        async take(_asking, withinMs) {
          waitedMs = withinMs;
          return true;
        },
      },
    }),
    runs: () => ({
      async cancelShipment({ shipmentUuid: uuid, reason }: CancelShipmentInput) {
        cancelled.push({ uuid, reason });
        throw silent.has(uuid) ? engineAway() : runFailure(CANCEL_REFUSED, 'כבר יצא לדרך');
      },
    }),
  });
  account = await stack.account();
  license = await stack.license(account.id);
});
test.after.always(() => stack?.close());

const post = (action: string, parts: object = {}, of: HttpLicense = license) =>
  sendV1(stack, 'POST', `/shipping/${action}`, {
    json: { license_key: of.key, domain: 'shop.test', ...parts },
  });

interface Seeded {
  id: number;
  uuid: string;
  code: string;
  orderId: string;
}

let codes = 0;
async function shipment(
  parts: { of?: HttpLicense; accountId?: number; orderId?: string; columns?: object; code?: string } = {},
): Promise<Seeded> {
  codes += 1;
  const { of = license, accountId = account.id, orderId, code = `C${codes}` } = parts;
  const { uuid, orderId: made } = await stack.shipment(accountId, of, {
    ...(orderId === undefined ? {} : { orderId }),
    columns: { tracking_code: code, ...parts.columns },
  });
  const [row] = await stack.db.select('SELECT id FROM shipments WHERE uuid = ?', [uuid]);
  return { id: Number(row?.id), uuid, code, orderId: made };
}

const READS = ['get_order_details', 'get_shipping_status', 'label'];
const missing = (code: string) => ({
  message:
    code === '' ? 'No query results for model [Shipment]' : `No query results for model [Shipment] ${code}`,
});

for (const action of [...READS, 'change_order_status', 'order', 'X1/status', 'order-label', 'bulk-label']) {
  test(`${action}: credentials come first, then the license, then the rest`, async (t) => {
    const inactive = await stack.license(account.id, { isActive: false });
    const expired = await stack.license(account.id, { expiresAt: '2020-01-01T00:00:00.000000Z' });

    const none = await sendV1(stack, 'POST', `/shipping/${action}`, { json: {} });
    const refused = await Promise.all([
      post(action, { license_key: 'nobody' }),
      post(action, {}, inactive),
      post(action, {}, expired),
    ]);

    t.is(none.status, 422);
    t.deepEqual(Object.keys(none.body.errors).sort(), ['domain', 'license_key']);
    for (const { status, body } of refused) {
      t.is(status, 403);
      t.deepEqual(body, { data: [], message: 'Invalid License Key', success: false, warning: '' });
    }
  });
}

for (const action of READS) {
  test(`${action}: what names no shipment of the license is 404 in the framework's shape`, async (t) => {
    const sibling = await stack.license(account.id);
    const stranger = await stack.account();
    const foreign = await stack.license(stranger.id);
    const own = await shipment();
    const others = [
      await shipment({ of: sibling }),
      await shipment({ of: foreign, accountId: stranger.id }),
      await shipment({ columns: { state: 'reserved' } }),
      await shipment({ columns: { state: 'refused' } }),
    ];

    const wrong = [
      'nothing',
      String(own.id),
      own.uuid,
      own.code.toLowerCase(),
      ...others.map(({ code }) => code),
    ];
    const answers = await Promise.all(wrong.map((code) => post(action, { shipping_id: code })));
    const empty = await Promise.all([post(action), post(action, { shipping_id: '  ' })]);

    t.deepEqual(
      answers.map(({ status, body }) => [status, body]),
      wrong.map((code) => [404, missing(code)]),
    );
    for (const { status, body } of empty) t.deepEqual([status, body], [404, missing('')]);
    t.is((await post(action, { shipping_id: own.code })).status, 200);
  });

  test(`${action}: a shipment is the license's by its order too, and its code may come as a number`, async (t) => {
    const sibling = await stack.license(account.id);
    const order = await stack.order(account.id, license);
    const byOrder = await shipment({ of: sibling, columns: { order_id: order } });
    const digits = await shipment({ code: String(74_000_000 + codes) });

    const answers = [
      await post(action, { shipping_id: byOrder.code }),
      await post(action, { shipping_id: Number(digits.code) }),
    ];

    t.deepEqual(
      answers.map(({ status, body }) => [status, body.success]),
      [
        [200, true],
        [200, true],
      ],
    );
  });

  test(`${action}: a code that is an object is 422`, async (t) => {
    const { status, body } = await post(action, { shipping_id: { a: 1 } });

    t.is(status, 422);
    t.deepEqual(Object.keys(body.errors), ['shipping_id']);
  });
}

test('get_order_details: asks the carrier and nests the shipment, with what a store shows', async (t) => {
  const own = await shipment({ columns: { service_type: 2, return_type: 2 } });
  await insertRow(stack.db, 'shipment_events', {
    shipment_id: own.id,
    code: 'collected',
    description: 'נאסף',
    occurred_at: '2026-11-21 09:30:00.000000',
    carrier_code: '4',
    carrier_description: 'נאסף',
  });

  const { status, body } = await post('get_order_details', { shipping_id: own.code });

  t.is(status, 200);
  const { data, ...envelope } = body;
  t.deepEqual(envelope, { message: '', success: true, warning: '' });
  t.deepEqual({ ...data, data: null }, { data: null, success: true, message: '' });
  t.like(data.data, {
    code: '1',
    text: 'Created',
    receiver: 'Dana Levi',
    shipped_on: null,
    tracking_code: own.code,
    shipping_id: own.id,
    status: 'created',
    status_description: 'Created',
    is_delivered: false,
    is_active: true,
    type: 'double',
    order_id: own.orderId,
  });
  t.deepEqual(data.data.history, [
    {
      code: 'collected',
      description: 'נאסף',
      occurred_at: '2026-11-21T09:30:00.000000Z',
      carrier_code: '4',
      carrier_description: 'נאסף',
      location: null,
    },
  ]);
  t.deepEqual(
    asked.filter(({ uuid }) => uuid === own.uuid).map(({ timeoutMs }) => timeoutMs),
    [10_000],
  );
});

test('get_order_details: a failed look-up is a success outside and a failure inside, with what is known', async (t) => {
  const worded = await shipment();
  const wordless = await shipment();
  const final = await shipment({ columns: { status_code: 'delivered' } });
  told.set(worded.uuid, { kind: 'rejected', code: 'no', text: 'המערכת אינה זמינה' });
  told.set(wordless.uuid, { kind: 'accepted', value: [] });

  const answers = [];
  for (const { code } of [worded, wordless, final]) {
    answers.push(await post('get_order_details', { shipping_id: code }));
  }

  t.deepEqual(
    answers.map(({ status, body }) => [status, body.success, body.data.success, body.data.message]),
    [
      [200, true, false, 'המערכת אינה זמינה'],
      [200, true, false, 'The carrier did not answer'],
      [200, true, true, ''],
    ],
  );
  t.deepEqual(
    answers.map(({ body }) => body.data.data.tracking_code),
    [worded.code, wordless.code, final.code],
  );
  t.true(answers[2]?.body.data.data.is_delivered);
});

test('get_shipping_status and /{shipment}/status: the record, with and without envelope', async (t) => {
  const own = await shipment({ columns: { status_code: 'delivered', status_description: 'נמסר' } });

  const enveloped = await post('get_shipping_status', { shipping_id: own.code });
  const bare = await post(`${own.code}/status`);

  const { updated_at: at, ...rest } = bare.body;
  t.is(bare.status, 200);
  t.deepEqual(rest, { status: 'delivered', description: 'נמסר', is_delivered: true });
  t.regex(at, /^\d{4}-\d\d-\d\dT.*\.\d{6}Z$/);
  t.deepEqual(enveloped.body, {
    data: { code: own.code, ...bare.body },
    message: '',
    success: true,
    warning: '',
  });
});

test('get_shipping_status and /{shipment}/status: the carrier is asked, briefly, when the status is not new', async (t) => {
  const never = await shipment();
  const old = await shipment({ columns: { checked_at: '2026-11-01 00:00:00.000000' } });
  const fresh = await shipment();
  await stack.db.run('UPDATE shipments SET checked_at = NOW(6) WHERE id = ?', [fresh.id]);
  told.set(old.uuid, { kind: 'rejected', code: 'no', text: 'no' });

  for (const { code } of [never, old, fresh]) {
    t.is((await post('get_shipping_status', { shipping_id: code })).status, 200);
    t.is((await post(`${code}/status`)).status, 200);
  }

  const times = (of: Seeded) => asked.filter(({ uuid }) => uuid === of.uuid).map((one) => one.timeoutMs);
  t.deepEqual([times(never), times(old), times(fresh)], [[3000], [3000, 3000], []]);
});

test('/{shipment}/status: an unknown code is 404, and the route is outside the logged group', async (t) => {
  const answer = await post('no%2Fsuch/status');
  const before = await logged('POST /api/shipping/{shipment}/status');

  t.is(answer.status, 404);
  t.deepEqual(answer.body, missing('no/such'));
  t.is(before, 0);
});

const logged = async (route: string) => {
  const rows = await stack.db.select('SELECT id FROM response_logs WHERE route = ?', [route]);
  return rows.length;
};

test('change_order_status: every failure is 200 with success false', async (t) => {
  const moving = await shipment();
  const unheard = await shipment();
  const delivered = await shipment({ columns: { status_code: 'delivered' } });
  silent.add(unheard.uuid);
  const expected: [string | undefined, string][] = [
    ['nothing', 'Shipment not found'],
    [undefined, 'Shipment not found'],
    [String(moving.id), 'Shipment not found'],
    [moving.code, 'כבר יצא לדרך'],
    [unheard.code, 'The carrier has not answered the cancellation yet'],
    [delivered.code, 'The shipment has reached its end and cannot be cancelled'],
  ];

  for (const [code, message] of expected) {
    const { status, body } = await post('change_order_status', { shipping_id: code, status: 'cancel' });

    t.is(status, 200);
    t.deepEqual(body, { data: [], message, success: false, warning: '' });
  }
  t.deepEqual(
    cancelled.map(({ uuid }) => uuid),
    [moving.uuid, unheard.uuid],
  );
});

test('change_order_status: a cancelled shipment is a success; another status than cancel is 422', async (t) => {
  const own = await shipment({ columns: { status_code: 'cancelled', is_active: false } });

  const again = await post('change_order_status', { shipping_id: own.code });
  const other = await post('change_order_status', { shipping_id: own.code, status: 'delivered' });

  t.is(again.status, 200);
  t.deepEqual(again.body, {
    data: { shipping_id: own.id },
    message: 'The status was updated',
    success: true,
    warning: '',
  });
  t.is(other.status, 422);
  t.deepEqual(Object.keys(other.body.errors), ['status']);
  t.false(cancelled.some(({ uuid }) => uuid === own.uuid));
});

test('a code of more digits than JavaScript holds names its own shipment, also as a number', async (t) => {
  const other = await shipment({ code: '12345678901234568' });
  const raw = JSON.stringify({ license_key: license.key, domain: 'shop.test', note: '"12345678901234567' });
  const ask = (action: string) =>
    sendV1(stack, 'POST', `/shipping/${action}`, {
      raw: raw.replace(/}$/, ',"shipping_id":12345678901234567}'),
    });

  const unknown = await ask('change_order_status');
  const own = await shipment({ code: '12345678901234567' });
  const found = await ask('get_shipping_status');

  t.deepEqual([unknown.body.success, unknown.body.message], [false, 'Shipment not found']);
  t.false(cancelled.some(({ uuid }) => uuid === other.uuid));
  t.is(found.body.data?.code, own.code, found.text);
});

test('order: each id with its created shipments, newest first, without envelope', async (t) => {
  const orderId = `two-${codes}`;
  const first = await shipment({ orderId, columns: { is_active: false, status_code: 'cancelled' } });
  const second = await shipment({ orderId, columns: { service_type: 2 } });
  await shipment({ orderId, columns: { state: 'reserved', tracking_code: null } });
  const numeric = await shipment({ orderId: '900100' });
  const sibling = await stack.license(account.id);
  const foreign = await shipment({ of: sibling });

  const { status, body } = await post('order', {
    orders: [orderId, 900_100, 'data', 'code', foreign.orderId, orderId],
  });

  t.is(status, 200);
  t.deepEqual(Object.keys(body).sort(), [orderId, '900100', 'data', 'code', foreign.orderId].sort());
  t.deepEqual(
    body[orderId].map(({ created_at: at, ...rest }: { created_at: string }) => [typeof at, rest]),
    [
      [
        'string',
        { shipping_id: second.id, code: second.code, type: 'collecting', status: 'created', is_active: true },
      ],
      [
        'string',
        { shipping_id: first.id, code: first.code, type: 'regular', status: 'cancelled', is_active: false },
      ],
    ],
  );
  t.deepEqual([body[900_100][0].shipping_id, body.data, body[foreign.orderId]], [numeric.id, [], []]);
});

test('order: takes 1 to 100 ids, each a text or a whole number', async (t) => {
  const ids = (count: number) => Array.from({ length: count }, (_, n) => n);

  const statuses = await Promise.all(
    [ids(100), ids(101), [], 'x', [{}], [['a']], undefined].map(async (orders) => {
      const { status } = await post('order', { orders });
      return status;
    }),
  );

  t.deepEqual(statuses, [200, 422, 422, 422, 422, 422, 422]);
});

test('a user’s token widens every look-up by code to their account, in the body or as the bearer', async (t) => {
  const sibling = await stack.license(account.id);
  const own = await shipment({ of: sibling });
  const token = await userToken(stack, account.id);

  const found = async (parts: object, headers: Record<string, string> = {}) => {
    const statuses = [];
    for (const action of ['label', 'get_order_details', 'get_shipping_status']) {
      const json = { license_key: license.key, domain: 'x', shipping_id: own.code, ...parts };
      statuses.push((await sendV1(stack, 'POST', `/shipping/${action}`, { json, headers })).status);
    }
    return statuses;
  };

  const [none, field, bearer] = [
    await found({}),
    await found({ token }),
    await found({ token: '0' }, { authorization: `Bearer ${token}` }),
  ];
  const kept = await post('change_order_status', { shipping_id: own.code, status: 'cancel' });
  const cancelledByUser = await post('change_order_status', {
    shipping_id: own.code,
    status: 'cancel',
    token,
  });

  t.deepEqual(
    [none, field, bearer],
    [
      [404, 404, 404],
      [200, 200, 200],
      [200, 200, 200],
    ],
  );
  t.deepEqual([kept.body.message, cancelledByUser.body.message], ['Shipment not found', 'כבר יצא לדרך']);
});
