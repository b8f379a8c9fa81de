import test from 'ava';
import type { BookingDecision } from '../../src/contracts/create-shipment.js';
import { workflowIds } from '../../src/contracts/ids.js';
import { LIMITS } from '../../src/lib/limits/values.js';
import { openTemporal } from '../../src/temporal/client.js';
import { ApiClient, shipmentBody, startBatchStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { keepHistory } from '../support/histories.js';
import { decide } from '../support/runs.js';

const double = carrierDouble('double');
const slow = carrierDouble('slow');
const { stack, api } = await startBatchStack([double.adapter, slow.adapter]);
test.after.always(() => stack.close());

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
    shipmentBody(stack.account, 'run', { order: { meta_data: { '\ud800': '\0' } } }),
  ]);
  const batch = await completed(id);
  const items = await itemsOf(id);

  t.deepEqual(batch.summary, { total: 13, created: 6, failed: 7, pending: 0 });
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
      ['failed', 'validation_failed', ['order.meta_data', 'order.meta_data.\ufffd']],
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

  const id = await send(bodies('double', LIMITS.batches.chunk + 5), stack.account.licenseKeys.double);
  const batch = await completed(id);

  t.is(batch.summary.created, LIMITS.batches.chunk + 5);
  t.deepEqual((await itemsOf(id)).map((item) => item.shipment_id).sort(), [...new Set(double.booked)].sort());
  t.is(double.booked.length, LIMITS.batches.chunk + 5);
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

test.serial('failed items are retried with the carrier', async (t) => {
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
  const letGo = slow.hold(t);
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
  await decide(stack.temporal, String(uuid.workflow_id), decision);
  const batch = await completed(id);
  await runOf(id).result();

  t.is(processing.status, 'processing');
  t.is(batch.summary.created, 13);
  t.is((await itemsOf(id))[0].shipment_id, uuid.uuid);
  await keepHistory(runOf(id), 'runBatch', 'waited');
});

test.serial('a batch that came while the engine was away is started by the sweep', async (t) => {
  const away = openTemporal({ ...stack.config, temporalAddress: '127.0.0.1:1' });
  t.teardown(() => away.connection.close());
  const lonely = new ApiClient(await stack.startApi(undefined, {}, away), stack.account);
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
