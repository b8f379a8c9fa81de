import test from 'ava';
import { carrierDouble } from '../support/carrier-double.js';
import { insertCarrierLicense } from '../support/carrier-licenses.js';
import { eventually } from '../support/conditions.js';
import { type HttpAnswer, send } from '../support/http-send.js';
import { startStack, type TestStack } from '../support/stack.js';
import { HEBREW_SHIP_DATA } from '../support/v1.js';

const AT_ONCE = 50;

const double = carrierDouble('double');
let stack: TestStack;
let urls: string[];
let orders = 0;

test.before(async () => {
  stack = await startStack({ doubles: [double.adapter], multipleShipment: false });
  await stack.startWorkers();
  urls = [await stack.startApi(), await stack.startApi()];
});
test.after.always(() => stack?.close());

const orderOf = (provider: string, ship: object = {}) => ({
  license_key: stack.account.licenseKeys[provider],
  domain: 'shop.test',
  ship_data: { ...HEBREW_SHIP_DATA, ...ship },
  order: { id: `${provider}-${++orders}` },
});

function open(json: object, api = 0): Promise<HttpAnswer> {
  const url = `${urls[api % urls.length]}/api/shipping/open_new_order`;
  return send(url, 'POST', { json, headers: { accept: 'application/json' } });
}

const parcelsOf = async (codes: readonly string[]) =>
  (await stack.sandbox.ledger()).filter(({ code }) => codes.includes(code));

test.serial('open_new_order: a parcel is booked, and found by its code', async (t) => {
  const { status, body } = await open(orderOf('run'));

  t.is(status, 200);
  t.true(body.success);
  const [row] = await stack.db.select(
    'SELECT id, state, recipient_city FROM shipments WHERE tracking_code = ?',
    [body.data.code],
  );
  t.deepEqual(row && { ...row, id: Number(row.id) }, {
    id: body.data.shipping_id,
    state: 'created',
    recipient_city: 'חיפה',
  });
  t.is((await parcelsOf([body.data.code])).length, 1);
});

test.serial('open_new_order: the carrier gets an address line that is longer than its column', async (t) => {
  const line = 'דירה 12, קומה 3, כניסה ב, להשאיר אצל השכן ממול';
  const order = orderOf('run', { number: null, floor: `${line} (floor)` });

  const { status, body, text } = await open({
    ...order,
    order: { ...order.order, billing: { address_2: line } },
  });

  t.is(status, 200, text);
  const [row] = await stack.db.select(
    `SELECT recipient_number, recipient_floor, JSON_VALUE(details, '$.recipient.number') AS told,
       JSON_VALUE(details, '$.recipient.floor') AS floor
     FROM shipments WHERE tracking_code = ?`,
    [body.data.code],
  );
  t.deepEqual(
    { ...row },
    {
      recipient_number: line.slice(0, 32),
      recipient_floor: line.slice(0, 32),
      told: line,
      floor: `${line} (floor)`,
    },
  );
});

test.serial('open_new_order: what is stored of an order has as many levels as MariaDB takes', async (t) => {
  const nested = (levels: number): unknown => (levels === 1 ? [] : [nested(levels - 1)]);
  const of = (levels: number) => {
    const order = orderOf('run');
    const documents = { billing: { a: nested(levels - 1) }, meta_data: nested(levels) };
    return open({ ...order, order: { ...order.order, ...documents } });
  };

  const taken = await of(31);
  const refused = await of(32);

  t.is(taken.status, 200, taken.text);
  t.deepEqual(
    [refused.status, Object.keys(refused.body.errors ?? {})],
    [422, ['order.billing', 'order.meta_data']],
  );
});

test.serial('open_new_order: a phone may be absent', async (t) => {
  const absent = await open(orderOf('run', { contact_phone: null }));
  const blank = await open(orderOf('run', { contact_phone: ' ' }));
  const none = await open(orderOf('run', { contact_phone: 'none' }));

  t.deepEqual([absent.status, blank.status], [200, 200], absent.text);
  t.deepEqual([none.status, Object.keys(none.body.errors ?? {})], [422, ['ship_data.contact_phone']]);
});

test.serial('open_new_order: the largest quantity is stored, a larger one refused', async (t) => {
  const of = (quantity: number) =>
    open({ ...orderOf('run'), order_items: [{ name: 'Bead', quantity, total: 1 }] });

  const largest = await of(4_294_967_295);
  const larger = await of(4_294_967_296);

  t.is(largest.status, 200, largest.text);
  t.deepEqual([larger.status, Object.keys(larger.body.errors ?? {})], [422, ['order_items.0.quantity']]);
});

test.serial(
  `open_new_order: ${AT_ONCE} at once for one order are one shipment, the others idempotent`,
  async (t) => {
    const order = orderOf('run');

    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => open(order, index)));

    t.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    t.is(answers.filter(({ body }) => body.data.idempotent === true).length, AT_ONCE - 1);
    const codes = [...new Set(answers.map(({ body }) => String(body.data.code)))];
    t.is(codes.length, 1);
    const [parcel] = await parcelsOf(codes);
    t.is(parcel?.requests, 1);
  },
);

test.serial('open_new_order: after an hour of the database the order is shipped once more', async (t) => {
  const order = orderOf('run');
  const first = await open(order);
  const again = await open({ ...order, ship_data: { ...order.ship_data, type: 2 } });
  const keyOf = 'shipment_uuid = (SELECT uuid FROM shipments WHERE tracking_code = ?)';
  const kept = await eventually(async () => {
    const [row] = await stack.db.select(
      `SELECT TIMESTAMPDIFF(SECOND, NOW(6), expires_at) AS seconds FROM idempotency_keys WHERE ${keyOf}`,
      [first.body.data.code],
    );
    return Number(row?.seconds) <= 3600 && row;
  }, 'the hour');

  // As by the clock: the key's hour is over.
  await stack.db.run(
    `UPDATE idempotency_keys SET expires_at = expires_at - INTERVAL 3600 SECOND WHERE ${keyOf}`,
    [first.body.data.code],
  );
  const later = await open(order);

  t.true(Number(kept.seconds) > 3000, String(kept.seconds));
  t.deepEqual(again.body.data, { ...first.body.data, idempotent: true });
  t.is(later.status, 200, later.text);
  t.not(later.body.data.code, first.body.data.code);
  t.is(later.body.data.idempotent, undefined);
  t.is((await parcelsOf([first.body.data.code, later.body.data.code])).length, 2);
});

test.serial('open_new_order: a repeat within the hour of a cancelled parcel says so', async (t) => {
  const order = orderOf('run');
  const first = await open(order);
  const before = await open(order);
  await stack.db.run(
    "UPDATE shipments SET status_code = 'cancelled', is_active = FALSE WHERE tracking_code = ?",
    [first.body.data.code],
  );

  const again = await open(order);

  t.is(before.body.warning, '');
  t.deepEqual(again.body.data, { ...first.body.data, idempotent: true });
  t.regex(again.body.warning, /^This parcel is cancelled: .* after \d\d:\d\d\.$/);
});

test.serial(
  'open_new_order: a repeat as a collection is answered too where nobody says whither',
  async (t) => {
    const nowhere = { street: '', number: '', city: '', company: '' };
    const { key } = await insertCarrierLicense(stack, {
      accountId: stack.account.id,
      provider: 'run',
      baseUrl: stack.sandbox.url,
      collectFrom: nowhere,
    });
    const order = { ...orderOf('run'), license_key: key };
    const collection = { ...order, ship_data: { ...order.ship_data, type: 2 } };

    const before = await open(collection);
    const first = await open(order);
    const again = await open(collection);

    t.is(before.status, 500);
    t.is(first.status, 200, first.text);
    t.is(again.status, 200, again.text);
    t.deepEqual(again.body.data, { ...first.body.data, idempotent: true });
  },
);

test.serial(
  'open_new_order: a repeat is answered too where the order now has a status that is blocked',
  async (t) => {
    const { id: licenseId, key } = await insertCarrierLicense(stack, {
      accountId: stack.account.id,
      provider: 'run',
      baseUrl: stack.sandbox.url,
    });
    const order = { ...orderOf('run'), license_key: key };
    const first = await open(order);
    await stack.db.run(`UPDATE licenses SET blocked_statuses = '["on-hold"]' WHERE id = ?`, [licenseId]);

    const again = await open({ ...order, order: { ...order.order, status: 'on-hold' } });
    const another = { ...order, order: { id: `${order.order.id}-2`, status: 'on-hold' } };
    const begun = await open(another);

    t.is(again.status, 200, again.text);
    t.deepEqual(again.body.data, { ...first.body.data, idempotent: true });
    t.is(begun.status, 400, begun.text);
  },
);

test.serial('open_new_order: a refusal is not remembered', async (t) => {
  const order = orderOf('run');
  await stack.sandbox.fault({ operation: 'book', kind: 'error_in_200', value: 200 });

  const refused = await open(order);
  const accepted = await open(order);

  t.is(refused.status, 500);
  t.like(refused.body, { data: [], success: false, warning: '' });
  t.not(refused.body.message, '');
  t.is(accepted.status, 200, accepted.text);
  t.is(accepted.body.data.idempotent, undefined);
});

test.serial(
  "open_new_order: what the carrier cannot take is refused like the carrier's own refusal",
  async (t) => {
    const answer = await open(orderOf('double', { contact_name: 'Too Long' }));

    t.is(answer.status, 500);
    t.deepEqual(answer.body, { data: [], message: 'The name is too long.', success: false, warning: '' });
  },
);

test.serial('open_new_order: an unreadable reply is never booked again, and a person decides', async (t) => {
  const order = orderOf('double');
  double.next.push({ kind: 'unknown', text: 'no readable answer' });
  const before = double.booked.length;

  const asked = await open(order);
  const again = await open(order);

  t.is(asked.status, 500);
  t.is(again.status, 500);
  t.is(double.booked.length, before + 1);
  const waiting = await eventually(async () => {
    const [row] = await stack.db.select(
      `SELECT workflow_id FROM shipments WHERE uuid = ? AND status_code = 'needs_attention'`,
      [double.booked.at(-1) ?? ''],
    );
    return row ?? false;
  }, 'the flag');
  await stack.temporal.workflow
    .getHandle(String(waiting.workflow_id))
    .executeUpdate('resolveBooking', { args: [{ action: 'adopt', trackingCode: 'FOUND-1' }] });
  const adopted = await open(order);

  t.like(adopted.body.data, { code: 'FOUND-1', idempotent: true });
});
