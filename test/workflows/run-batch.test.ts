import { CancelledFailure, Client, type WorkflowClientInterceptor } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import test, { type ExecutionContext } from 'ava';
import { type BatchItemDeps, createBatchItemActivities } from '../../activities/batch-items.js';
import { readBatchItem } from '../../src/api/v2/batches/item.js';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import { type BookingDecision, RESOLVE_BOOKING } from '../../src/contracts/create-shipment.js';
import { workflowIds } from '../../src/contracts/ids.js';
import type { BatchChunk, BatchRef, ChunkResult } from '../../src/contracts/run-batch.js';
import { findByClientId } from '../../src/db/queries/accounts.js';
import { findBatchWork } from '../../src/db/queries/batches.js';
import { BATCH_CHUNK_SIZE, CANCELLED_ITEM } from '../../src/domain/batch.js';
import { Window } from '../../src/lib/window.js';
import { openTemporal } from '../../src/temporal/client.js';
import { creationIdOf } from '../../src/temporal/starters.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { keepHistory } from '../support/histories.js';
import { patient } from '../support/patience.js';
import { startStack, type TestStack } from '../support/stack.js';

const double = carrierDouble('double');
const slow = carrierDouble('slow');
/** Set while the carrier `slow` holds its answers. */
let held: Promise<void> | undefined;
const slowAdapter: CarrierAdapter = {
  ...slow.adapter,
  async book(request, context) {
    await held;
    return await slow.adapter.book(request, context);
  },
};
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  stack = await startStack({ doubles: [double.adapter, slowAdapter] });
  // So that a creation without an end does not hold a test for twenty seconds.
  Object.assign(stack.config, { createWaitMs: patient(1500) });
  await stack.startWorkers();
  api = new ApiClient(await stack.startApi(undefined, { createWaitMs: 20_000 }), stack.account);
});
test.after.always(() => stack?.close());

const bodies = (provider: string, count: number) =>
  Array.from({ length: count }, () => shipmentBody(stack.account, provider));

async function send(shipments: unknown[], licenseKey = stack.account.licenseKeys.run): Promise<string> {
  const answer = await api.post('/batches', { license_key: licenseKey, shipments });
  if (answer.status !== 202) throw new Error(answer.text);
  return answer.body.data.id;
}

async function completed(id: string) {
  return await eventually(async () => {
    const { data } = (await api.get(`/batches/${id}`)).body;
    return data.status === 'completed' && data;
  }, 'the end of the batch');
}

async function itemsOf(id: string) {
  const items = [];
  let path = `/batches/${id}/items?per_page=100`;
  for (;;) {
    const { body } = await api.get(path);
    items.push(...body.data);
    if (body.meta.next_cursor === null) return items;
    path = `/batches/${id}/items?per_page=100&cursor=${body.meta.next_cursor}`;
  }
}

const runOf = (id: string) => stack.temporal.workflow.getHandle(workflowIds.runBatch(id));
const beingBooked = async () => {
  const [row] = await stack.db.select(`SELECT COUNT(*) AS n FROM carrier_attempts WHERE state = 'sending'`);
  return Number(row?.n);
};
const booked = async () => (await stack.sandbox.ledger()).map((entry) => entry.reference);

test.serial('each item has the outcome that it would have alone', async (t) => {
  const { run, independent } = stack.account.licenseKeys;
  const alone = shipmentBody(stack.account, 'run');
  const single = await api.create(alone);
  const twice = shipmentBody(stack.account, 'run');
  const { license_key: _named, ...unnamed } = shipmentBody(stack.account, 'run');
  double.next.push({ kind: 'rejected', code: '7', text: 'No such street.' });

  const id = await send([
    alone,
    twice,
    twice,
    unnamed,
    { ...unnamed, license_key: independent },
    { ...unnamed, license_key: run },
    shipmentBody(stack.account, 'run', { ship_data: { street: '', type: 3 } }),
    shipmentBody(stack.account, 'run', { ship_data: { street: '' } }),
    { ...unnamed, license_key: 'not-ours' },
    { ...unnamed, license_key: 5 },
    5,
    shipmentBody(stack.account, 'double'),
  ]);
  const batch = await completed(id);
  const items = await itemsOf(id);

  t.deepEqual(batch.summary, { total: 12, created: 6, failed: 6, pending: 0 });
  const uuids = items.map((item) => item.shipment_id);
  t.is(uuids[0], single.body.data.uuid);
  t.is(uuids[1], uuids[2]);
  t.is(uuids[3], uuids[5]);
  t.is(new Set(uuids.slice(0, 6)).size, 4);
  t.deepEqual(
    items.slice(6).map((item) => [item.status, item.error.code, Object.keys(item.error.fields ?? {})]),
    [
      ['failed', 'validation_failed', ['ship_data.type']],
      ['failed', 'validation_failed', ['ship_data.street']],
      ['failed', 'forbidden', []],
      ['failed', 'validation_failed', ['license_key']],
      ['failed', 'validation_failed', ['body']],
      ['failed', 'carrier_rejected', []],
    ],
  );
  t.is(items[11].error.message, 'No such street.');
  const again = await api.create(twice);
  t.is(again.body.data.uuid, uuids[1]);
  t.is(again.headers.get('idempotent-replayed'), 'true');
  t.is((await booked()).filter((reference) => uuids.includes(reference)).length, 3);
  await runOf(id).result();
  await keepHistory(runOf(id), 'runBatch', 'completed');
});

test.serial('creations of a batch can be found by it, and give way to single ones', async (t) => {
  const id = await send(bodies('independent', 3), stack.account.licenseKeys.independent);
  await completed(id);

  const runs = await eventually(async () => {
    const found = [];
    const query = `BatchId = '${id}' AND WorkflowType = 'createShipment'`;
    for await (const run of stack.temporal.workflow.list({ query })) found.push(run);
    return found.length === 3 && found;
  }, 'the runs of the batch');

  for (const run of runs) {
    const { priority } = await stack.temporal.workflow.getHandle(run.workflowId).describe();
    t.is(priority?.priorityKey, 4);
  }
});

test.serial('several chunks are worked through, each parcel booked once', async (t) => {
  double.booked.length = 0;

  const id = await send(bodies('double', BATCH_CHUNK_SIZE + 5), stack.account.licenseKeys.double);
  const batch = await completed(id);

  t.is(batch.summary.created, BATCH_CHUNK_SIZE + 5);
  t.deepEqual((await itemsOf(id)).map((item) => item.shipment_id).sort(), [...new Set(double.booked)].sort());
  t.is(double.booked.length, BATCH_CHUNK_SIZE + 5);
});

for (const how of ['api', 'operator'] as const) {
  test.serial(`what has not been started fails when the ${how} cancels, what has been ends`, async (t) => {
    const before = (await booked()).length;
    await stack.sandbox.fault({ operation: 'book', kind: 'hold' });

    const id = await send(bodies('run', 80));
    await eventually(async () => (await beingBooked()) > 0, 'the first bookings');
    if (how === 'api') await api.post(`/batches/${id}/cancel`, {});
    else await runOf(id).cancel();
    await eventually(
      async () => (await api.get(`/batches/${id}`)).body.data.summary.failed > 0,
      'the end of what was not started',
    );
    await stack.sandbox.fault({ operation: 'book', kind: 'none' });
    const batch = await completed(id);
    await runOf(id).result();

    const items = await itemsOf(id);
    const { created, failed } = batch.summary;
    t.true(created > 0 && failed > 0);
    t.is(created + failed, 80);
    t.true(items.filter((item) => item.status === 'failed').every((item) => item.error.code === 'cancelled'));
    t.is((await booked()).length, before + created);
    await keepHistory(runOf(id), 'runBatch', `cancelled-by-${how}`);
  });
}

test.serial('failed items are tried again and asked of the carrier anew', async (t) => {
  double.next.push({ kind: 'rejected', code: '7', text: 'No such street.' });
  const id = await send(bodies('double', 1), stack.account.licenseKeys.double);
  const failed = await completed(id);
  await runOf(id).result();

  const retried = await api.post(`/batches/${id}/retry`, {});
  const batch = await completed(id);
  const [item] = await itemsOf(id);

  t.is(failed.summary.failed, 1);
  t.is(retried.body.data.summary.pending, 1);
  t.is(batch.summary.created, 1);
  t.is(item.error, null);
  t.is((await api.get(`/shipments/${item.shipment_id}`)).status, 200);
});

test.serial('a refusal that came late ends its item, and is asked for again by a retry alone', async (t) => {
  slow.next.push({ kind: 'rejected', code: '7', text: 'No such street.' });
  const letGo = hold();
  const id = await send(bodies('slow', 1), stack.account.licenseKeys.slow);
  await eventually(async () => {
    const rows = await stack.db.select(
      `SELECT i.id FROM batch_items i JOIN batches b ON b.id = i.batch_id
       WHERE b.uuid = ? AND i.shipment_uuid IS NOT NULL`,
      [id],
    );
    return rows.length === 1;
  }, 'the item to know of its reservation');

  letGo();
  const failed = await completed(id);
  const [item] = await itemsOf(id);
  const askedFirst = slow.told.length;
  await runOf(id).result();
  await api.post(`/batches/${id}/retry`, {});
  const batch = await completed(id);

  t.is(failed.summary.failed, 1);
  t.deepEqual(item.error, { code: 'carrier_rejected', message: 'No such street.' });
  t.is(askedFirst, 1);
  t.is(batch.summary.created, 1);
  t.is(slow.told.length, 2);
});

test.serial('a retry while the run is open is taken by it', async (t) => {
  double.next.push({ kind: 'rejected', code: '7', text: 'No such street.' });
  await stack.sandbox.fault({ operation: 'book', kind: 'hold' });
  const [refused, slow] = [shipmentBody(stack.account, 'double'), shipmentBody(stack.account, 'run')];
  const id = await send([refused, slow]);
  await eventually(
    async () => (await api.get(`/batches/${id}`)).body.data.summary.failed === 1,
    'the refusal',
  );

  const { firstExecutionRunId } = await runIdOf(id);
  await api.post(`/batches/${id}/retry`, {});
  await stack.sandbox.fault({ operation: 'book', kind: 'none' });
  const batch = await completed(id);
  await runOf(id).result();

  t.is(batch.summary.created, 2);
  t.is((await runIdOf(id)).firstExecutionRunId, firstExecutionRunId);
  await keepHistory(runOf(id), 'runBatch', 'retried-while-open');
});

test.serial('an item that waits for an operator holds up no other', async (t) => {
  double.next.push({ kind: 'unknown', text: 'connection reset after sending' });
  const id = await send([shipmentBody(stack.account, 'double'), ...bodies('independent', 12)]);
  const processing = await eventually(async () => {
    const { data } = (await api.get(`/batches/${id}`)).body;
    return data.summary.created === 12 && data;
  }, 'the other items');
  const uuid = await eventually(async () => {
    const [row] = await stack.db.select(
      `SELECT uuid, workflow_id FROM shipments WHERE status_code = 'needs_attention' AND state = 'reserved'`,
    );
    return row;
  }, 'needs_attention');

  await eventually(async () => (await eventTypesOf(id)).includes('timerStartedEventAttributes'), 'the wait');

  const decision: BookingDecision = { action: 'adopt', trackingCode: 'ADOPTED-9' };
  await stack.temporal.workflow
    .getHandle(String(uuid.workflow_id))
    .executeUpdate(RESOLVE_BOOKING, { args: [decision] });
  const batch = await completed(id);
  await runOf(id).result();

  t.is(processing.status, 'processing');
  t.is(batch.summary.created, 13);
  t.is((await itemsOf(id))[0].shipment_id, uuid.uuid);
  await keepHistory(runOf(id), 'runBatch', 'waited');
});

test.serial('an item whose shipment outlived its key is not booked again', async (t) => {
  const body = shipmentBody(stack.account, 'double');
  double.next.push({ kind: 'unknown', text: 'connection reset after sending' });
  const batchUuid = await acceptWithoutEngine(t, body);

  const first = await passOver(batchUuid);
  const [waiting] = await shipmentsOf(body);
  const handle = stack.temporal.workflow.getHandle(String(waiting?.workflow_id));
  await handle.executeUpdate(RESOLVE_BOOKING, { args: [{ action: 'adopt', trackingCode: 'ADOPTED-LATE' }] });
  await handle.result();
  await expireKeyOf(String(waiting?.uuid));
  const second = await passOver(batchUuid);

  t.is(first.resolved, 0);
  t.is(second.resolved, 1);
  t.like((await itemsOf(batchUuid))[0], { status: 'created', shipment_id: waiting?.uuid, error: null });
  t.is((await shipmentsOf(body)).length, 1);
});

test.serial('an item that never learned of its shipment finds it when its key is gone', async (t) => {
  const body = shipmentBody(stack.account, 'double');
  const batchUuid = await acceptWithoutEngine(t, body);
  // What a worker leaves behind that ends at once: the item's own creation, and an item that does not know.
  const created = await api.post('/shipments', body);
  await expireKeyOf(created.body.data.uuid);
  await ageBatch(batchUuid);

  const { resolved } = await passOver(batchUuid);

  t.is(created.status, 201, created.text);
  t.is(resolved, 1);
  t.like((await itemsOf(batchUuid))[0], { status: 'created', shipment_id: created.body.data.uuid });
  t.is((await shipmentsOf(body)).length, 1);
});

test.serial('an item is no shipment that was made before its batch', async (t) => {
  const body = shipmentBody(stack.account, 'double');
  const earlier = await api.post('/shipments', body);
  const { uuid } = earlier.body.data;
  await expireKeyOf(uuid);
  await stack.db.run('UPDATE shipments SET created_at = created_at - INTERVAL 30 DAY WHERE uuid = ?', [uuid]);
  const batchUuid = await acceptWithoutEngine(t, body);
  await ageBatch(batchUuid);

  const { resolved } = await passOver(batchUuid);

  t.is(resolved, 1);
  t.not((await itemsOf(batchUuid))[0].shipment_id, uuid);
  t.is((await shipmentsOf(body)).length, 2);
});

test.serial('an item that was claimed and never begun is stopped by a cancellation', async (t) => {
  const body = shipmentBody(stack.account, 'double');
  const batchUuid = await acceptWithoutEngine(t, body);
  await t.throwsAsync(passOver(batchUuid, { temporal: noEngine(t) }), {
    message: /cannot take the request now/,
  });
  const cancelled = await api.post(`/batches/${batchUuid}/cancel`, {});

  const { resolved } = await passOver(batchUuid);

  t.is(cancelled.body.data.summary.pending, 1);
  t.is(resolved, 1);
  t.like((await itemsOf(batchUuid))[0], { status: 'failed', error: CANCELLED_ITEM });
  t.deepEqual(await shipmentsOf(body), []);
});

test.serial('an item whose creation runs when its batch is cancelled has its outcome', async (t) => {
  const letGo = hold();
  const body = shipmentBody(stack.account, 'slow');
  const batchUuid = await acceptWithoutEngine(t, body);
  const first = await passOver(batchUuid);
  await api.post(`/batches/${batchUuid}/cancel`, {});
  letGo();

  const second = await passOver(batchUuid);

  t.is(first.resolved, 0);
  t.is(second.resolved, 1);
  const [shipment] = await shipmentsOf(body);
  t.like((await itemsOf(batchUuid))[0], { status: 'created', shipment_id: shipment?.uuid });
});

test.serial(
  'an item whose creation no worker has taken up is not stopped while its run is open',
  async (t) => {
    const body = shipmentBody(stack.account, 'double');
    const batchUuid = await acceptWithoutEngine(t, body);
    await t.throwsAsync(passOver(batchUuid, { temporal: noEngine(t) }));
    const run = await stack.temporal.workflow.start('createShipment', {
      workflowId: await creationIdIn(batchUuid, body),
      taskQueue: 'nobody',
    });
    await api.post(`/batches/${batchUuid}/cancel`, {});

    await t.throwsAsync(passOver(batchUuid), { message: /cannot take the request now/ });
    const [open] = await itemsOf(batchUuid);
    await run.terminate();
    const { resolved } = await passOver(batchUuid);

    t.is(open.status, 'pending');
    t.is(resolved, 1);
    t.like((await itemsOf(batchUuid))[0], { status: 'failed', error: CANCELLED_ITEM });
  },
);

test.serial('a pass that stood still looks for a cancellation before it begins an item', async (t) => {
  const body = shipmentBody(stack.account, 'double');
  const batchUuid = await acceptWithoutEngine(t, body);
  class StandingStill extends Window {
    override async use<T>(work: () => Promise<T>): Promise<T> {
      await api.post(`/batches/${batchUuid}/cancel`, {});
      // Holds the thread, and with it the ticks of the pass.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);
      return await work();
    }
  }

  const { resolved } = await passOver(batchUuid, { window: () => new StandingStill(1, () => true) });

  t.is(resolved, 1);
  t.like((await itemsOf(batchUuid))[0], { status: 'failed', error: CANCELLED_ITEM });
  t.deepEqual(await shipmentsOf(body), []);
});

test.serial('a pass that is cancelled leaves nothing to be started', async (t) => {
  const body = shipmentBody(stack.account, 'double');
  const batchUuid = await acceptWithoutEngine(t, body);
  const environment = new MockActivityEnvironment();
  let started = false;
  const start: WorkflowClientInterceptor['start'] = async (input, next) => {
    environment.cancel();
    const runId = await next(input);
    started = true;
    return runId;
  };
  const temporal = new Client({ ...stack.temporal.options, interceptors: { workflow: [{ start }] } });

  await t.throwsAsync(passOver(batchUuid, { temporal }, environment), { instanceOf: CancelledFailure });

  t.true(started);
  t.is((await passOver(batchUuid)).resolved, 1);
});

/** An engine that cannot be reached. */
function noEngine(t: ExecutionContext): Client {
  const away = openTemporal({ ...stack.config, temporalAddress: '127.0.0.1:1' });
  t.teardown(() => away.connection.close());
  return away;
}

/** Makes the carrier `slow` hold its answers until the function returned is called. */
function hold(): () => void {
  let letGo = () => {};
  held = new Promise((resolve) => {
    letGo = resolve;
  });
  return () => letGo();
}

/** Id of the run that creates the item of a batch. */
async function creationIdIn(batchUuid: string, body: object): Promise<string> {
  const batch = await findBatchWork(stack.db, { accountId: stack.account.id, uuid: batchUuid });
  const account = await findByClientId(stack.db, stack.account.clientId);
  if (batch === null || account === null) throw new Error('no batch');
  const context = { ...batch, batchUuid, licenses: account.licenses };
  return creationIdOf(readBatchItem(JSON.stringify(body), context, stack.config).creation);
}

/** Stores a batch of one item that no run takes on. */
async function acceptWithoutEngine(t: ExecutionContext, body: object): Promise<string> {
  const lonely = new ApiClient(await stack.startApi(undefined, {}, noEngine(t)), stack.account);
  const license_key = stack.account.licenseKeys.double;
  const accepted = await lonely.post('/batches', { license_key, shipments: [body] });
  return accepted.body.data.id;
}

/** One pass of a worker over a batch's only item. */
async function passOver(
  batchUuid: string,
  deps: Partial<BatchItemDeps> = {},
  environment = new MockActivityEnvironment(),
): Promise<ChunkResult> {
  const { runItems } = createBatchItemActivities({
    db: stack.db,
    temporal: stack.temporal,
    config: stack.config,
    window: () => new Window(1, () => true),
    lanes: 1,
    ...deps,
  });
  const chunk = { accountId: stack.account.id, batchUuid, from: 0, to: 0 };
  return await environment.run<[BatchRef & BatchChunk], ChunkResult, typeof runItems>(runItems, chunk);
}

async function shipmentsOf(body: { order: { id: string } }) {
  return await stack.db.select(
    'SELECT s.uuid, s.workflow_id FROM shipments s JOIN orders o ON o.id = s.order_id WHERE o.order_id = ?',
    [body.order.id],
  );
}

async function expireKeyOf(uuid: string): Promise<void> {
  await stack.db.run(
    'UPDATE idempotency_keys SET expires_at = NOW(6) - INTERVAL 1 SECOND WHERE shipment_uuid = ?',
    [uuid],
  );
}

/** As if the batch had come longer ago than the answer of a key is kept. */
async function ageBatch(uuid: string): Promise<void> {
  await stack.db.run('UPDATE batches SET created_at = created_at - INTERVAL 2 DAY WHERE uuid = ?', [uuid]);
}

test.serial('a batch that came while the engine was away is started by the sweep', async (t) => {
  const lonely = new ApiClient(await stack.startApi(undefined, {}, noEngine(t)), stack.account);
  const shipments = bodies('independent', 2);

  const accepted = await lonely.post('/batches', {
    license_key: stack.account.licenseKeys.independent,
    shipments,
  });
  const sweep = await stack.temporal.workflow.start('resumeBatches', {
    workflowId: `resume-${accepted.body.data.id}`,
    taskQueue: 'shipments',
  });
  const started = await sweep.result();
  const batch = await completed(accepted.body.data.id);

  t.is(accepted.status, 202, accepted.text);
  t.is(started, 1);
  t.is(batch.summary.created, 2);
  await keepHistory(sweep, 'resumeBatches', 'started');
});

async function eventTypesOf(id: string): Promise<string[]> {
  const { events } = await runOf(id).fetchHistory();
  return (events ?? []).map((event) => String(event.attributes));
}

async function runIdOf(id: string): Promise<{ firstExecutionRunId: string }> {
  const { raw } = await runOf(id).describe();
  return { firstExecutionRunId: String(raw.workflowExecutionInfo?.firstRunId) };
}
