import test, { type ExecutionContext } from 'ava';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually, onceBegun } from '../support/conditions.js';
import { type HttpAnswer, send } from '../support/http-send.js';
import { keptFor, letPass } from '../support/kept-answers.js';
import { found } from '../support/runs.js';
import { startStack, type TestStack } from '../support/stack.js';
import { HEBREW_SHIP_DATA } from '../support/v1.js';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

const double = carrierDouble('double');
let stack: TestStack;
let hasty: string;
let patient: string;
let orders = 0;

test.before(async () => {
  stack = await startStack({ doubles: [double.adapter] });
  await stack.startWorkers();
  hasty = await stack.startApi(undefined, { createWaitMs: 300 });
  patient = await stack.startApi(undefined, { createWaitMs: 20_000 });
});
test.after.always(() => stack?.close());

function newOrder() {
  orders += 1;
  return {
    license_key: stack.account.licenseKeys.double,
    domain: 'shop.test',
    ship_data: HEBREW_SHIP_DATA,
    order: { id: `told-${orders}` },
  };
}

type Order = ReturnType<typeof newOrder>;

function open(url: string, json: Order): Promise<HttpAnswer> {
  return send(`${url}/api/shipping/open_new_order`, 'POST', {
    json,
    headers: { accept: 'application/json' },
  });
}

const parcelsOf = async ({ order }: Order) => {
  const rows = await stack.db.select(
    'SELECT s.uuid FROM shipments s JOIN orders o ON o.id = s.order_id WHERE o.order_id = ?',
    [order.id],
  );
  const uuids = rows.map((row) => String(row.uuid));
  return double.booked.filter((reference) => uuids.includes(reference)).length;
};

/** Has a parcel booked whose caller only got the advice to retry. */
async function bookedUntold(t: ExecutionContext, order: Order): Promise<void> {
  const letGo = double.hold(t);
  const silent = await onceBegun(() => open(hasty, order));
  t.is(silent.status, 500, silent.text);
  t.regex(silent.body.message, /Send the request again/);
  letGo();
  await eventually(
    async () => (await keptFor(stack.db, order.order.id)) !== null,
    'the record of the parcel',
  );
  // A request that meets the run before its end joins it, whatever its key keeps.
  await found(stack.temporal, `OrderId="${order.order.id}" AND ExecutionStatus="Completed"`);
}

test.serial(
  'open_new_order: a caller asked to retry gets the parcel, however late, and the hour begins then',
  async (t) => {
    const order = newOrder();
    await bookedUntold(t, order);
    await letPass(stack.db, 3, order.order.id);

    const told = await open(patient, order);
    await eventually(
      async () => ((await keptFor(stack.db, order.order.id)) ?? DAY_SECONDS) <= HOUR_SECONDS,
      'the hour',
    );
    const again = await open(patient, order);
    const parcels = await parcelsOf(order);
    await letPass(stack.db, 1, order.order.id);
    const later = await open(patient, order);

    t.is(told.status, 200, told.text);
    t.true(told.body.data.idempotent);
    t.deepEqual(again.body, told.body);
    t.is(parcels, 1);
    t.is(later.status, 200, later.text);
    t.is(later.body.data.idempotent, undefined);
    t.not(later.body.data.code, told.body.data.code);
    t.is(await parcelsOf(order), 2);
  },
);

test.serial('open_new_order: a caller that hung up begins no hour', async (t) => {
  const order = newOrder();
  const letGo = double.hold(t);
  const gone = new AbortController();
  const asked = fetch(`${patient}/api/shipping/open_new_order`, {
    method: 'POST',
    body: JSON.stringify(order),
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    signal: gone.signal,
  }).catch(() => 'hung up');
  await eventually(async () => {
    const [row] = await stack.db.select(
      `SELECT a.id FROM carrier_attempts a JOIN shipments s ON s.uuid = a.shipment_uuid
       JOIN orders o ON o.id = s.order_id WHERE o.order_id = ?`,
      [order.order.id],
    );
    return row;
  }, 'the call to the carrier');
  gone.abort();
  t.is(await asked, 'hung up');
  letGo();
  await eventually(
    async () => (await keptFor(stack.db, order.order.id)) !== null,
    'the record of the parcel',
  );
  // Of a request that came later the hour has begun: that of the first would have, too.
  const next = newOrder();
  t.is((await open(patient, next)).status, 200);
  await eventually(
    async () => ((await keptFor(stack.db, next.order.id)) ?? DAY_SECONDS) <= HOUR_SECONDS,
    'the hour of the next',
  );

  const kept = await keptFor(stack.db, order.order.id);
  const repeat = await open(patient, order);

  t.true(kept !== null && kept > 29 * DAY_SECONDS, `${kept} s`);
  t.like(repeat.body.data, { idempotent: true });
  await eventually(
    async () => ((await keptFor(stack.db, order.order.id)) ?? DAY_SECONDS) <= HOUR_SECONDS,
    'the hour',
  );
  t.is(await parcelsOf(order), 1);
});
