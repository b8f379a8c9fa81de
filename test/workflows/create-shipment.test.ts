import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createBookActivity } from '../../activities/carrier-booking.js';
import { idempotencyOf } from '../../src/api/idempotency.js';
import { creationFingerprint } from '../../src/api/v2/shipments/sent-body.js';
import { adapterFinder } from '../../src/carriers/registry.js';
import type { BookInput, BookResult } from '../../src/contracts/create-shipment.js';
import { type BookingDecision, RESOLVE_BOOKING } from '../../src/contracts/create-shipment.js';
import { workflowIds } from '../../src/contracts/ids.js';
import { listLabelSources } from '../../src/db/queries/labels/label-sources.js';
import { ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { bookApp, bookingsOf, decode } from '../support/bookings.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually, onceBegun } from '../support/conditions.js';
import { countingClient } from '../support/counting-client.js';
import { keepHistory } from '../support/histories.js';
import { patient } from '../support/patience.js';
import { decide, detailsOf } from '../support/runs.js';
import { type TestStack } from '../support/stack.js';

const double = carrierDouble('double');
const replaying = carrierDouble('replaying', 'replays');
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack(
    { doubles: [double.adapter, replaying.adapter] },
    { createWaitMs: 20_000 },
  ));
});

test.after.always(() => stack?.close());

test.serial('a booked parcel is answered, stored and shown alike', async (t) => {
  const body = shipmentBody(stack.account, 'run');

  const created = await api.create(body, 'created');
  const read = await api.get(`/shipments/${created.body.data.uuid}`);

  t.is(created.status, 201, created.text);
  t.true(created.headers.get('location')?.endsWith(`/api/v2/shipments/${created.body.data.uuid}`));
  t.deepEqual(read.body, created.body);
  t.is(created.body.data.status.code, 'created');
  const [entry] = (await stack.sandbox.ledger()).filter((one) => one.reference === created.body.data.uuid);
  t.is(entry?.code, created.body.data.tracking_code);
  await keepHistory(await runOf(created.body.data.uuid), 'createShipment', 'created');
});

test.serial('the carrier and the label get ship_data, the record shows order.shipping', async (t) => {
  const body = shipmentBody(stack.account, 'double', {
    ship_data: { contact_name: 'Dana Levi', contact_phone: '0501234567', street: 'Herzl', city: 'Haifa' },
    order: { shipping: { first_name: 'Avi', address_1: 'Old road', city: 'Eilat', phone: '0509999999' } },
  });

  const created = await api.create(body, 'two-recipients');

  t.is(created.status, 201, created.text);
  const { uuid, recipient } = created.body.data;
  const shown = { name: 'Avi', phone: '0509999999', address: { street: 'Old road', city: 'Eilat' } };
  t.like(recipient, shown);
  const told = { name: 'Dana Levi', street: 'Herzl', city: 'Haifa', phone: '0501234567' };
  t.like(double.told.find((request) => request.reference === uuid)?.shipment.recipient, told);
  const [label] = await listLabelSources(stack.db, { accountId: stack.account.id, uuids: [uuid] });
  t.like(label?.recipient, told);
  const [row] = await stack.db.select('SELECT recipient_phone_key FROM shipments WHERE uuid = ?', [uuid]);
  t.is(row?.recipient_phone_key, '0509999999');
});

test.serial('a parcel that its booking cannot record is recorded by the workflow', async (t) => {
  const body = shipmentBody(stack.account, 'run');
  await stack.sandbox.fault({ operation: 'book', kind: 'hold' });
  const asked = api.create(body, 'recorded-later');
  const uuid = await eventually(async () => {
    const [row] = await stack.db.select(`SELECT uuid FROM shipments WHERE state = 'reserved'`);
    return row === undefined ? false : String(row.uuid);
  }, 'the reservation');
  await stack.db.run('RENAME TABLE shipment_events TO shipment_events_away');
  const bringBack = () => stack.db.run('RENAME TABLE shipment_events_away TO shipment_events');
  // Where the test has failed in between; otherwise the name is already back.
  t.teardown(() => bringBack().catch(() => undefined));
  await stack.sandbox.fault({ operation: 'book', kind: 'none' });
  const run = await runOf(uuid);
  await eventually(async () => (await bookingsOf(run)).results.length > 0, 'the end of the booking');

  await bringBack();
  const created = await asked;

  t.is(created.status, 201, created.text);
  const [booked] = (await bookingsOf(run)).results;
  t.like(booked, { kind: 'accepted', parcel: { trackingCode: created.body.data.tracking_code } });
  t.is(booked?.answer, undefined);
  t.deepEqual((await api.get(`/shipments/${uuid}`)).body, created.body);
  await keepHistory(run, 'createShipment', 'recorded-later');
});

test.serial(
  'a booking that runs again after its record asks no carrier and gives the first answer',
  async (t) => {
    const created = await api.create(shipmentBody(stack.account, 'replaying'), 'booked-again');
    const { uuid, tracking_code: trackingCode } = created.body.data;
    const run = await runOf(uuid);
    // The caller is answered before the booking is in the history.
    await run.result();
    const {
      inputs: [input],
      results: [first],
    } = await bookingsOf(run);
    if (input === undefined) return t.fail('no booking in the history');
    const calls = replaying.booked.length;
    const carriers = adapterFinder([replaying.adapter]);
    const book = createBookActivity(bookApp(stack, carriers));

    const again = await new MockActivityEnvironment().run<[BookInput], BookResult, typeof book>(book, input);

    t.is(created.status, 201, created.text);
    t.like(again, { kind: 'accepted', attempt: 1, parcel: { trackingCode } });
    t.deepEqual(again.answer, first?.answer);
    t.is(again.answer?.body, created.text);
    t.is(replaying.booked.length, calls);
  },
);

test.serial('a replay has the same status and bytes, and says so', async (t) => {
  const body = shipmentBody(stack.account, 'independent');
  const first = await api.create(body, 'replayed');

  const second = await api.create(body, '"replayed"');

  t.is(first.status, 201, first.text);
  t.is(second.status, 201);
  t.is(second.text, first.text);
  t.is(second.headers.get('idempotent-replayed'), 'true');
  t.is(first.headers.get('idempotent-replayed'), null);
});

test.serial('a run that meets a finished key answers from the row', async (t) => {
  const body = shipmentBody(stack.account, 'run');
  const first = await api.create(body, 'finished');
  const [row] = await stack.db.select('SELECT workflow_id FROM shipments WHERE uuid = ?', [
    first.body.data.uuid,
  ]);
  const earlier = stack.temporal.workflow.getHandle(String(row?.workflow_id));
  await earlier.result();
  const { input } = await inputOf(String(row?.workflow_id));

  const handle = await stack.temporal.workflow.start('createShipment', {
    workflowId: String(row?.workflow_id),
    taskQueue: 'shipments',
    args: [input],
  });
  const result = await handle.result();

  t.like(result, { body: first.text, status: 201, replayed: true });
  t.is((await earlier.describe()).status.name, 'COMPLETED');
  await keepHistory(handle, 'createShipment', 'replayed');
});

test.serial('over the rate limit nothing is started, whatever else is wrong with the request', async (t) => {
  const limited = new ApiClient(await stack.startApi(undefined, { rateLimitPerMinute: 0 }), stack.account);
  const body = shipmentBody(stack.account, 'independent');
  const { keyHash } = idempotencyOf(
    {
      fingerprint: creationFingerprint(body),
      headerValues: ['limited'],
    },
    stack.config,
  );

  const refused = await limited.create(body, 'limited');
  const invalid = await limited.create({}, 'limited');

  t.deepEqual([refused.status, invalid.status], [429, 429]);
  t.is(refused.headers.get('x-ratelimit-remaining'), '0');
  const workflowId = workflowIds.createShipment(stack.account.id, keyHash);
  await t.throwsAsync(stack.temporal.workflow.getHandle(workflowId).describe(), {
    name: 'WorkflowNotFoundError',
  });
  t.is((await api.create(body, 'limited')).status, 201);
  t.is((await stack.temporal.workflow.getHandle(workflowId).describe()).type, 'createShipment');
});

test.serial('a key used with another body conflicts', async (t) => {
  const first = await api.create(shipmentBody(stack.account, 'independent'), 'conflict');

  const other = await api.create(shipmentBody(stack.account, 'independent'), 'conflict');

  t.is(other.status, 409);
  t.is(other.body.error.code, 'idempotency_key_conflict');
  const { uuid } = first.body.data;
  t.is(
    other.body.error.message,
    `The Idempotency-Key was already used with another request, that of shipment ${uuid}.`,
  );
});

test.serial('a refusal gives the carrier’s text, books nothing and is not remembered', async (t) => {
  const body = shipmentBody(stack.account, 'run');
  await stack.sandbox.fault({ operation: 'book', kind: 'error_in_200', value: 100 });
  const before = (await stack.sandbox.ledger()).length;

  const refused = await api.create(body, 'refused');
  const again = await api.create(body, 'refused');

  t.is(refused.status, 422, refused.text);
  t.is(refused.body.error.code, 'carrier_rejected');
  t.true(refused.body.error.message.length > 0);
  t.is(again.status, 201, again.text);
  t.is((await stack.sandbox.ledger()).length, before + 1);
  const [gone] = await stack.db.select(`SELECT uuid, workflow_id FROM shipments WHERE state = 'refused'`);
  t.is((await api.get(`/shipments/${gone?.uuid}`)).status, 404);
  const closed = await runsOf(String(gone?.workflow_id));
  const failed = closed.find((run) => run.status === 'FAILED');
  const run = stack.temporal.workflow.getHandle(String(gone?.workflow_id), failed?.runId);
  t.true((await detailsOf(run)).startsWith(`Refused by Run: ${refused.body.error.message}`));
  await keepHistory(run, 'createShipment', 'refused');
});

test.serial(
  'a refused creation leaves the order as it was, and shows none that never had a shipment',
  async (t) => {
    const id = `order-${randomUUID()}`;
    const path = (orderId: string) => `/orders/${orderId}?license_key=${stack.account.licenseKeys.double}`;
    const send = (order: object) =>
      api.create(shipmentBody(stack.account, 'double', { order: { id, ...order } }));
    const refusal = { kind: 'rejected', code: '7', text: 'No such street.' } as const;
    double.next.push(refusal);

    const never = await send({ number: 'N0', total: '1.00', items: [{ name: 'Refused', quantity: 1 }] });
    const hidden = await api.get(path(id));
    const first = await send({ number: 'N1', total: '10.00', items: [{ name: 'Shirt', quantity: 1 }] });
    const before = await api.get(path(id));
    double.next.push(refusal);
    const refused = await send({ number: 'N2', total: '20.00', items: [{ name: 'Shoes', quantity: 1 }] });
    const after = await api.get(path(id));
    const itemsAfter = await itemsOf(id);
    const next = await send({ number: 'N3', total: '30.00', items: [{ name: 'Socks', quantity: 1 }] });
    const changed = await api.get(path(id));

    t.deepEqual(
      [never, first, refused, next].map((answer) => answer.status),
      [422, 201, 422, 201],
    );
    t.is(hidden.status, 404);
    t.like(before.body.data, { number: 'N1', total: '10.00' });
    t.is(after.text, before.text);
    t.deepEqual(itemsAfter, ['Shirt']);
    t.like(changed.body.data, { number: 'N3', total: '30.00' });
    t.deepEqual(await itemsOf(id), ['Socks']);
  },
);

test.serial('an order has the items of its newest shipment, though nothing else has changed', async (t) => {
  const id = `order-${randomUUID()}`;
  const send = (name: string) =>
    api.create(shipmentBody(stack.account, 'double', { order: { id, items: [{ name, quantity: 1 }] } }));

  const first = await send('Shirt');
  const second = await send('Shoes');

  t.deepEqual([first.status, second.status], [201, 201]);
  t.deepEqual(await itemsOf(id), ['Shoes']);
});

test.serial('an order has no items of a refused creation, and keeps those of an accepted one', async (t) => {
  const id = `order-${randomUUID()}`;
  const send = (order: object) =>
    api.create(shipmentBody(stack.account, 'double', { order: { id, ...order } }));
  double.next.push({ kind: 'rejected', code: '7', text: 'No such street.' });

  const refused = await send({ items: [{ name: 'Refused', quantity: 1 }] });
  const first = await send({});
  const none = await itemsOf(id);
  const second = await send({ items: [{ name: 'Shirt', quantity: 1 }] });
  const third = await send({ number: 'N3' });

  t.deepEqual(
    [refused, first, second, third].map((answer) => answer.status),
    [422, 201, 201, 201],
  );
  t.deepEqual(none, []);
  t.deepEqual(await itemsOf(id), ['Shirt']);
});

test.serial('what does not fit the carrier is reported at its field', async (t) => {
  const body = shipmentBody(stack.account, 'double', { ship_data: { contact_name: 'Too Long' } });

  const invalid = await api.create(body, 'invalid');

  t.is(invalid.status, 422, invalid.text);
  t.is(invalid.body.error.code, 'validation_failed');
  t.deepEqual(invalid.body.error.fields, { 'ship_data.contact_name': ['The name is too long.'] });
});

for (const refusal of ['carrier', 'our checks'] as const) {
  test.serial(
    `a repeat refused by ${refusal} does not free what the first call may have booked`,
    async (t) => {
      replaying.booked.length = 0;
      replaying.refusesAfterFirst = refusal === 'our checks';
      replaying.next.push({ kind: 'unknown', text: 'reset' });
      if (refusal === 'carrier') replaying.next.push({ kind: 'rejected', code: '1', text: 'refused' });

      const pending = await api.create(shipmentBody(stack.account, 'replaying'), `repeat-${refusal.length}`);

      t.is(pending.status, 202, pending.text);
      const { uuid } = pending.body.data;
      await eventually(async () => (await statusOf(uuid)) === 'needs_attention', 'needs_attention');
      const decision: BookingDecision = { action: 'adopt', trackingCode: `FOUND-${refusal.length}` };
      await decide(stack.temporal, (await runOf(uuid)).workflowId, decision);
      await eventually(async () => (await statusOf(uuid)) === 'created', 'created');
      t.is(replaying.booked.length, 1);
    },
  );
}

for (const kind of ['drop_after', 'truncate', 'status'] as const) {
  test.serial(`a reply lost by ${kind} is adopted by our reference, never booked again`, async (t) => {
    const body = shipmentBody(stack.account, 'run');
    await stack.sandbox.fault({
      operation: 'book',
      kind,
      ...(kind === 'status' ? { value: 502, after: true } : {}),
    });

    const created = await api.create(body, `lost-${kind}`);

    t.is(created.status, 201, created.text);
    const entries = (await stack.sandbox.ledger()).filter((one) => one.reference === created.body.data.uuid);
    t.deepEqual(
      entries.map((one) => one.code),
      [created.body.data.tracking_code],
    );
    await keepHistory(await runOf(created.body.data.uuid), 'createShipment', `adopted-${kind}`);
  });
}

test.serial('a carrier that is away is asked again until it answers', async (t) => {
  await stack.sandbox.fault({ operation: 'book', kind: 'status', value: 429, times: 2 });

  const created = await api.create(shipmentBody(stack.account, 'run'), 'throttled');

  t.is(created.status, 201, created.text);
});

test.serial('an order has one active shipment of each type where the license allows one', async (t) => {
  await stack.db.run('UPDATE licenses SET multiple_shipment = FALSE WHERE account_id = ?', [
    stack.account.id,
  ]);
  t.teardown(() =>
    stack.db.run('UPDATE licenses SET multiple_shipment = TRUE WHERE account_id = ?', [stack.account.id]),
  );
  const body = shipmentBody(stack.account, 'independent');
  const first = await api.create(body, 'order-1');

  const second = await api.create(body, 'order-2');
  await stack.db.run(`UPDATE shipments SET status_code = 'delivered' WHERE uuid = ?`, [first.body.data.uuid]);
  const collection = { ...body, ship_data: { ...body.ship_data, type: 2 } };
  const back = await api.create(collection, 'order-3');
  const backAgain = await api.create(collection, 'order-4');

  t.is(first.status, 201, first.text);
  t.is(second.status, 409, second.text);
  t.is(second.body.error.code, 'duplicate_request');
  const why = 'The order already has an active shipment of this service type';
  t.is(second.body.error.message, `${why}: ${first.body.data.uuid}.`);
  t.is(back.status, 201, back.text);
  t.is(backAgain.status, 409, backAgain.text);
  t.is(backAgain.body.error.message, `${why}: ${back.body.data.uuid}.`);
});

test.serial('a creation that takes seconds is waited for by one call', async (t) => {
  const { client, calls } = await countingClient(stack);
  t.teardown(() => client.connection.close());
  const counted = new ApiClient(await stack.startApi(undefined, {}, client), stack.account);
  await stack.sandbox.fault({ operation: 'book', kind: 'latency', value: 2500 });

  const created = await counted.create(shipmentBody(stack.account, 'run'), 'seconds');

  t.is(created.status, 201, created.text);
  t.deepEqual(Object.fromEntries(calls), { startWorkflowExecution: 1, getWorkflowExecutionHistory: 1 });
});

test.serial('a slow carrier is answered 202, and the creation ends by itself', async (t) => {
  const body = shipmentBody(stack.account, 'run');
  await stack.sandbox.fault({ operation: 'book', kind: 'hold' });
  const slow = new ApiClient(await stack.startApi(undefined, { createWaitMs: 500 }), stack.account);

  const accepted = await onceBegun(() => slow.create(body, 'slow'));
  await stack.sandbox.fault({ operation: 'book', kind: 'none' });
  const ended = await eventually(async () => {
    const read = await api.get(`/shipments/${accepted.body.data.uuid}`);
    return read.body.data?.status.code === 'created' && read;
  }, 'the end of the slow creation');
  const replay = await api.create(body, 'slow');

  t.is(accepted.status, 202, accepted.text);
  t.is(accepted.body.data.status.code, 'pending');
  t.is(accepted.body.data.tracking_code, null);
  t.truthy(accepted.headers.get('retry-after'));
  t.is(replay.status, 201);
  t.is(replay.body.data.uuid, ended.body.data.uuid);
});

for (const [name, decision, expected] of [
  ['adopt', { action: 'adopt', trackingCode: 'ADOPTED-1' }, 'created'],
  ['retry', { action: 'retry' }, 'created'],
  ['give_up', { action: 'give_up', reason: 'The merchant sent it with somebody else.' }, 'refused'],
] as const) {
  test.serial(`an unknown outcome without look-up waits for the operator: ${name}`, async (t) => {
    double.next.push({ kind: 'unknown', text: 'connection reset after sending' });
    const waits = new ApiClient(await stack.startApi(undefined, { createWaitMs: 25_000 }), stack.account);
    const body = shipmentBody(stack.account, 'double');
    const asked = Date.now();
    const accepted = await waits.create(body, `attention-${name}`);
    const waitedMs = Date.now() - asked;
    const uuid: string = accepted.body.data.uuid;
    const bookedBefore = double.booked.length;
    const handle = await runOf(uuid);
    const asks = await detailsOf(handle);

    const bad = await t.throwsAsync(handle.executeUpdate(RESOLVE_BOOKING, { args: [{ action: 'guess' }] }));
    const answer = await decide(stack.temporal, handle.workflowId, decision);

    t.is(accepted.status, 202, accepted.text);
    t.is(accepted.body.data.status.code, 'needs_attention');
    t.true(waitedMs < patient(15_000), 'nobody waits for an operator');
    t.is(bad?.name, 'WorkflowUpdateFailedError');
    t.true(asks.split('\n').length <= 8, asks);
    for (const told of ['connection reset', '--adopt', '--retry', '--give-up', `admin show ${uuid}`]) {
      t.true(asks.includes(told), asks);
    }
    t.regex(answer, new RegExp(expected));
    const read = await api.get(`/shipments/${uuid}`);
    if (expected === 'refused') t.is(read.status, 404);
    else t.is(read.body.data.status.code, 'created');
    const ended = await detailsOf(handle);
    if (expected === 'refused')
      t.true(ended.startsWith('Nothing is booked: The merchant sent it with somebody else.'), ended);
    else {
      const how = name === 'adopt' ? 'Adopted' : 'Booked';
      t.true(ended.startsWith(`${how} with Double double: ${read.body.data.tracking_code}.`), ended);
    }
    if (name === 'adopt') t.is(read.body.data.tracking_code, 'ADOPTED-1');
    t.is(double.booked.length, bookedBefore + (name === 'retry' ? 1 : 0));
    await keepHistory(handle, 'createShipment', `attention-${name}`);
  });
}

async function statusOf(uuid: string): Promise<string | undefined> {
  return (await api.get(`/shipments/${uuid}`)).body.data?.status.code;
}

async function itemsOf(orderId: string) {
  const sql =
    'SELECT i.name FROM order_items i JOIN orders o ON o.id = i.order_id WHERE o.order_id = ? ORDER BY i.position';
  return (await stack.db.select(sql, [orderId])).map((row) => row.name);
}

async function runOf(uuid: string) {
  const [row] = await stack.db.select('SELECT workflow_id FROM shipments WHERE uuid = ?', [uuid]);
  return stack.temporal.workflow.getHandle(String(row?.workflow_id));
}

async function runsOf(workflowId: string) {
  return await eventually(async () => {
    const runs: { runId: string; status: string }[] = [];
    for await (const run of stack.temporal.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
      runs.push({ runId: run.runId, status: run.status.name });
    }
    return runs.some((run) => run.status === 'FAILED') && runs;
  }, 'the failed run in the list');
}

async function inputOf(workflowId: string): Promise<{ input: unknown }> {
  const history = await stack.temporal.workflow.getHandle(workflowId).fetchHistory();
  const [input] = decode<unknown>(history.events?.[0]?.workflowExecutionStartedEventAttributes?.input);
  return { input };
}
