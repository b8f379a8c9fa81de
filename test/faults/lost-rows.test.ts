import test from 'ava';
import { decideBooking } from '../../src/services/creation/booking-decisions.js';
import { runAdmin } from '../support/admin.js';
import { ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { insertTestAccount } from '../support/factories.js';
import { forget, forgetRecording } from '../support/forgetting.js';
import { found } from '../support/runs.js';
import { type TestStack } from '../support/stack.js';
import { sendV1 } from '../support/v1.js';

/** A carrier without look-up: each call that goes out is a parcel. */
const double = carrierDouble('double');
const holding = carrierDouble('holding');
const PAYLOAD_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
let stack: TestStack;
let api: ApiClient;
let keys = 0;

test.before(async () => {
  ({ stack, api } = await startApiStack(
    {
      doubles: [double.adapter, holding.adapter],
      multipleShipment: false,
      env: { TEMPORAL_PAYLOAD_KEY: PAYLOAD_KEY },
    },
    { createWaitMs: 15_000 },
  ));
});
test.after.always(() => stack?.close());

const newKey = () => `lost-${process.pid}-${++keys}`;
const parcelsOf = (uuid: string) =>
  [...double.booked, ...holding.booked].filter((reference) => reference === uuid).length;
/** Has a parcel booked, and loses rows of it. */
async function lost(lose: typeof forget = forget) {
  const key = newKey();
  const body = shipmentBody(stack.account, 'double');
  const first = await api.create(body, key);
  const { uuid } = first.body.data;
  await ended(uuid);
  await lose(stack.db, uuid);
  return { key, body, first, uuid };
}
const bookings = () => double.booked.length + holding.booked.length;

test.serial('POST /shipments: a repeated key gets its first answer when the rows were lost', async (t) => {
  const { key, body, first, uuid } = await lost();
  const before = bookings();

  const answers = await Promise.all(Array.from({ length: 4 }, () => api.create(body, key)));

  for (const answer of answers) {
    t.is(answer.status, 201, answer.text);
    t.is(answer.text, first.text);
  }
  t.true(answers.some(({ headers }) => headers.get('idempotent-replayed') === 'true'));
  t.is(bookings(), before);
  t.is((await api.get(`/shipments/${uuid}`)).body.data.tracking_code, first.body.data.tracking_code);
  t.deepEqual(await rowsOf(uuid), { attempts: 1, events: 1, open_keys: 0, keys: 1, counted: 1 });
  const sameOrder = await api.create(body, newKey());
  t.is(sameOrder.status, 409, sameOrder.text);
});

test.serial(
  'POST /shipments: a repeated key gets its first answer when only its recording was lost',
  async (t) => {
    const { key, body, first, uuid } = await lost(forgetRecording);
    const before = bookings();

    const again = await api.create(body, key);

    t.is(again.text, first.text);
    t.is(bookings(), before);
    t.deepEqual(await rowsOf(uuid), { attempts: 1, events: 1, open_keys: 0, keys: 1, counted: 1 });
  },
);

test.serial(
  'GET /shipments/{uuid}: finds a shipment whose rows were lost, for its account only',
  async (t) => {
    const { first, uuid } = await lost();
    const code = first.body.data.tracking_code;
    const stranger = await strangerOf();

    const foreign = await stranger.get(`/shipments/${uuid}`);
    const own = await api.get(`/shipments/${uuid}`);

    t.is(foreign.status, 404);
    t.is(own.status, 200, own.text);
    t.is(own.body.data.tracking_code, code);
    t.is((await api.get(`/shipments/${uuid}`)).status, 200);
  },
);

test.serial('GET /shipments/{uuid}/label: prints the label of a shipment whose rows were lost', async (t) => {
  const { uuid } = await lost();
  const stranger = await strangerOf();

  const foreign = await stranger.get(`/shipments/${uuid}/label`);
  const own = await api.get(`/shipments/${uuid}/label`);

  t.is(foreign.status, 404);
  t.is(own.status, 200, own.text);
  t.is(own.body.data.source, 'builtin');
  t.true((await api.get(`/shipments/${uuid}`)).body.data.label_generated);
});

test.serial('GET /shipments/{uuid}: a shipment that was cancelled is restored as cancelled', async (t) => {
  const key = newKey();
  const body = shipmentBody(stack.account, 'run');
  const first = await api.create(body, key);
  const { uuid } = first.body.data;
  t.is((await api.post(`/shipments/${uuid}/cancel`, {})).status, 200);
  await found(stack.temporal, `WorkflowId = 'cancel/${uuid}' AND ExecutionStatus = 'Completed'`);
  await forget(stack.db, uuid);

  const repeated = await api.create(body, key);
  const read = await api.get(`/shipments/${uuid}`);

  t.is(repeated.text, first.text);
  t.is(read.body.data.status.code, 'cancelled', read.text);
  t.false(read.body.data.is_active);
});

test.serial('open_new_order: a repeated order gets its first parcel when the rows were lost', async (t) => {
  const body = {
    license_key: stack.account.licenseKeys.double,
    domain: 'shop.test',
    ship_data: { contact_name: 'Dana', street: 'Herzl', number: '5', city: 'Haifa' },
    order: { id: newKey() },
  };
  const open = () => sendV1({ url: api.url }, 'POST', '/shipping/open_new_order', { json: body });
  const first = await open();
  t.is(first.status, 200, first.text);
  const uuid = await uuidOf(body.order.id);
  await ended(uuid);
  await forget(stack.db, uuid);
  const before = bookings();

  const again = await open();

  t.is(again.status, 200, again.text);
  t.is(again.body.data.code, first.body.data.code);
  t.true(again.body.data.idempotent);
  t.is(bookings(), before);
});

test.serial('POST /batches: a batch repeated under its key books none of its items again', async (t) => {
  const key = { 'idempotency-key': newKey() };
  const batch = {
    license_key: stack.account.licenseKeys.double,
    shipments: [1, 2, 3].map(() => shipmentBody(stack.account, 'double')),
  };
  const first = await api.post('/batches', batch, key);
  const { id } = first.body.data;
  const uuids = await itemsOf(id);
  await Promise.all(uuids.map(ended));
  await found(stack.temporal, `WorkflowId = 'batch/${id}' AND ExecutionStatus = 'Completed'`);
  for (const uuid of uuids) await forget(stack.db, uuid);
  await stack.db.run('DELETE i FROM batch_items i JOIN batches b ON b.id = i.batch_id WHERE b.uuid = ?', [
    id,
  ]);
  await stack.db.run('DELETE FROM idempotency_keys WHERE shipment_uuid = ?', [id]);
  await stack.db.run('DELETE FROM batches WHERE uuid = ?', [id]);
  const before = bookings();

  const again = await api.post('/batches', batch, key);

  t.is(again.status, 202, again.text);
  t.is(again.body.data.id, id);
  t.deepEqual(await itemsOf(id), uuids);
  t.is(bookings(), before);
});

test.serial('POST /shipments: a refusal leaves nothing that could be lost, and is asked again', async (t) => {
  const key = newKey();
  const body = shipmentBody(stack.account, 'double');
  double.next.push({ kind: 'rejected', code: 'no', text: 'No such street.' });
  const refused = await api.create(body, key);
  t.is(refused.status, 422, refused.text);
  const uuid = await uuidOf(body.order.id);
  await ended(uuid);
  await forget(stack.db, uuid);

  const again = await api.create(body, key);

  t.is(again.status, 201, again.text);
  t.not(again.body.data.uuid, uuid);
});

test.serial('admin reconcile: a refusal that was lost is recorded, in the words of its run', async (t) => {
  double.next.push({ kind: 'rejected', code: 'no', text: 'No such street.' });
  const body = shipmentBody(stack.account, 'double');
  t.is((await api.create(body, newKey())).status, 422);
  const uuid = await uuidOf(body.order.id);
  await ended(uuid);
  await stack.db.run(
    "UPDATE shipments SET state = 'reserved', status_code = 'pending', status_description = '' WHERE uuid = ?",
    [uuid],
  );

  const { out, err } = await runAdmin(['reconcile', '--apply', '--json'], stack.env);

  const written = JSON.parse(out).find(({ kind }: { kind: string }) => kind.startsWith('shipment'));
  t.is(written?.count, 1, err);
  t.deepEqual(
    await stack.db.select('SELECT state, status_description AS reason FROM shipments WHERE uuid = ?', [uuid]),
    [{ state: 'refused', reason: 'No such street.' }],
  );
});

test.serial('POST /shipments: an ended run that had sent something waits for a person', async (t) => {
  const key = newKey();
  const body = shipmentBody(stack.account, 'double');
  double.next.push({ kind: 'unknown', text: 'reset' });
  const pending = await api.create(body, key);
  const { uuid } = pending.body.data;
  await (await runOf(uuid)).terminate('by a test');
  await forget(stack.db, uuid);

  const again = await api.create(body, key);

  t.is(again.status, 202, again.text);
  t.is(again.body.data.uuid, uuid);
  t.is(again.body.data.status.code, 'needs_attention');
  t.is(parcelsOf(uuid), 1);
});

test.serial('a booking under way whose rows are lost is recorded under its uuid', async (t) => {
  const letGo = holding.hold(t);
  const body = shipmentBody(stack.account, 'holding');
  const key = newKey();
  const answer = api.create(body, key);
  const uuid = await underWay(body.order.id);
  await forget(stack.db, uuid);
  letGo();

  const created = await answer;

  t.is(created.status, 201, created.text);
  t.is(created.body.data.uuid, uuid);
  t.is(parcelsOf(uuid), 1);
  t.is((await api.get(`/shipments/${uuid}`)).status, 200);
  t.is((await api.create(body, key)).text, created.text);
  t.deepEqual(await rowsOf(uuid), { attempts: 1, events: 1, open_keys: 0, keys: 1, counted: 1 });
});

test.serial('a booking under way whose order was taken meanwhile is shown to operators', async (t) => {
  const letGo = holding.hold(t);
  const body = shipmentBody(stack.account, 'holding');
  const answer = api.create(body, newKey());
  const uuid = await underWay(body.order.id);
  await forget(stack.db, uuid);
  const second = api.create(body, newKey());
  const other = await underWay(body.order.id);
  letGo();

  await answer;

  t.is((await second).status, 201);
  t.not(other, uuid);
  const row = await eventually(async () => {
    const [shown] = await stack.db.select(
      'SELECT state, status_code, status_description FROM shipments WHERE uuid = ?',
      [uuid],
    );
    return shown?.status_code === 'needs_attention' && shown;
  }, 'the parcel among those that need attention');
  t.is(row.state, 'refused');
  t.regex(String(row.status_description), /cancel it there/);
});

test.serial('a booking that waits for a person is shown again when its rows are lost', async (t) => {
  double.next.push({ kind: 'unknown', text: 'reset' });
  const pending = await api.create(shipmentBody(stack.account, 'double'), newKey());
  const { uuid } = pending.body.data;
  t.is(pending.body.data.status.code, 'needs_attention', pending.text);
  await forget(stack.db, uuid);

  const read = await api.get(`/shipments/${uuid}`);

  t.is(read.status, 200, read.text);
  t.deepEqual(
    await stack.db.select('SELECT number, state FROM carrier_attempts WHERE shipment_uuid = ?', [uuid]),
    [{ number: 1, state: 'unknown' }],
  );
});

test.serial('a booking that waits for a person is shown beside the one that took its order', async (t) => {
  const body = shipmentBody(stack.account, 'double');
  double.next.push({ kind: 'unknown', text: 'reset' });
  const pending = await api.create(body, newKey());
  const { uuid } = pending.body.data;
  t.is(pending.body.data.status.code, 'needs_attention', pending.text);
  await forget(stack.db, uuid);
  const other = await api.create(body, newKey());
  t.is(other.status, 201, other.text);

  const read = await api.get(`/shipments/${uuid}`);

  t.is(read.body.error.code, 'creation_refused', read.text);
  t.regex(read.body.error.message, /look there/);
  t.deepEqual(await stack.db.select('SELECT status_code FROM shipments WHERE uuid = ?', [uuid]), [
    { status_code: 'needs_attention' },
  ]);
});

test.serial(
  'a booking under way whose rows are lost waits for a person when its outcome is unknown',
  async (t) => {
    const letGo = holding.hold(t);
    holding.next.push({ kind: 'unknown', text: 'reset' });
    const body = shipmentBody(stack.account, 'holding');
    const answer = api.create(body, newKey());
    const uuid = await underWay(body.order.id);
    await forget(stack.db, uuid);
    letGo();

    const pending = await answer;

    t.is(pending.status, 202, pending.text);
    t.deepEqual(await stack.db.select('SELECT state, status_code FROM shipments WHERE uuid = ?', [uuid]), [
      { state: 'reserved', status_code: 'needs_attention' },
    ]);
  },
);

test.serial('a decision on a booking whose rows are lost meanwhile is carried out', async (t) => {
  double.next.push({ kind: 'unknown', text: 'reset' });
  const pending = await api.create(shipmentBody(stack.account, 'double'), newKey());
  const { uuid } = pending.body.data;
  t.is(pending.body.data.status.code, 'needs_attention', pending.text);
  const { workflowId } = await runOf(uuid);
  await forget(stack.db, uuid);

  const trackingCode = `FOUND-${keys}`;
  const decided = await decideBooking(stack.temporal, {
    workflowId,
    decision: { action: 'adopt', trackingCode },
  });

  t.is(decided.kind, 'taken');
  const { data } = (await api.get(`/shipments/${uuid}`)).body;
  t.like(data, { tracking_code: trackingCode, status: { code: 'created' } });
});

test.serial(
  'a booking whose rows are lost meanwhile is given up by the call that the person saw',
  async (t) => {
    double.next.push({ kind: 'unknown', text: 'reset' });
    const pending = await api.create(shipmentBody(stack.account, 'double'), newKey());
    const { uuid } = pending.body.data;
    t.is(pending.body.data.status.code, 'needs_attention', pending.text);
    const { workflowId } = await runOf(uuid);
    await forget(stack.db, uuid);

    const decided = await decideBooking(stack.temporal, {
      workflowId,
      decision: { action: 'give_up', attempt: 1, reason: 'Not wanted.' },
    });

    t.is(decided.kind, 'taken');
    await eventually(async () => {
      const [row] = await stack.db.select('SELECT state FROM shipments WHERE uuid = ?', [uuid]);
      return row?.state === 'refused';
    }, 'the refusal');
  },
);

/** A client of another account. */
async function strangerOf(): Promise<ApiClient> {
  const account = await insertTestAccount(stack.db, { appKeys: stack.config.appKeys });
  return new ApiClient(api.url, { ...stack.account, id: account.accountId, ...account });
}

async function runOf(uuid: string) {
  const [id = ''] = await found(stack.temporal, `ShipmentId = '${uuid}' AND WorkflowType = 'createShipment'`);
  return stack.temporal.workflow.getHandle(id);
}

async function uuidOf(orderId: string): Promise<string> {
  const [row] = await stack.db.select(
    'SELECT s.uuid FROM shipments s JOIN orders o ON o.id = s.order_id WHERE o.order_id = ?',
    [orderId],
  );
  return String(row?.uuid);
}

/** The shipments of a batch by position, once all are created. */
async function itemsOf(batch: string): Promise<string[]> {
  return await eventually(async () => {
    const { data } = (await api.get(`/batches/${batch}`)).body;
    if (data.summary.created !== data.summary.total) return false;
    const { body: items } = await api.get(`/batches/${batch}/items`);
    return items.data.map((item: { shipment_id: string }) => item.shipment_id);
  }, 'the items of the batch');
}

/** The answer goes out before the run ends. */
async function ended(uuid: string): Promise<void> {
  await found(
    stack.temporal,
    `ShipmentId = '${uuid}' AND WorkflowType = 'createShipment' AND ExecutionStatus != 'Running'`,
  );
}

/** The uuid of the order's shipment, once the carrier is being asked. */
async function underWay(orderId: string): Promise<string> {
  return await eventually(async () => {
    const [row] = await stack.db.select(
      `SELECT s.uuid FROM shipments s JOIN orders o ON o.id = s.order_id
       JOIN carrier_attempts a ON a.shipment_uuid = s.uuid WHERE o.order_id = ?`,
      [orderId],
    );
    return row !== undefined && String(row.uuid);
  }, 'the call to the carrier');
}

async function rowsOf(uuid: string) {
  const [rows] = await stack.db.select(
    `SELECT (SELECT COUNT(*) FROM carrier_attempts WHERE shipment_uuid = s.uuid AND state = 'accepted') AS attempts,
       (SELECT COUNT(*) FROM shipment_events WHERE shipment_id = s.id AND code = 'created') AS events,
       (SELECT COUNT(*) FROM idempotency_keys WHERE shipment_uuid = s.uuid AND response_status IS NULL) AS open_keys,
       (SELECT COUNT(*) FROM idempotency_keys WHERE shipment_uuid = s.uuid) AS \`keys\`,
       s.is_active AS counted
     FROM shipments s WHERE s.uuid = ?`,
    [uuid],
  );
  return { ...rows };
}
