import {
  ApplicationFailure,
  CancelledFailure,
  Client,
  type WorkflowClientInterceptor,
} from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import test, { type ExecutionContext } from 'ava';
import { type BatchItemApp, createBatchItemActivities } from '../../activities/batch-items.js';
import { idempotencyOf } from '../../src/api/idempotency.js';
import { creationFingerprint } from '../../src/api/v2/shipments/sent-body.js';
import { carrierFor } from '../../src/carriers/registry.js';
import type { BookingDecision } from '../../src/contracts/create-shipment.js';
import type { BatchChunk, BatchRef } from '../../src/contracts/run-batch.js';
import { CANCELLED_ITEM } from '../../src/domain/batch.js';
import { AppError } from '../../src/domain/errors.js';
import { Slots } from '../../src/lib/limits/slots.js';
import { Window } from '../../src/lib/window.js';
import { openTemporal } from '../../src/temporal/client.js';
import { creationIdOf } from '../../src/temporal/starters.js';
import { ApiClient, shipmentBody, startBatchStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { patient } from '../support/patience.js';
import { startRefusingEngine } from '../support/refusing-engine.js';
import { decide } from '../support/runs.js';

const double = carrierDouble('double');
const slow = carrierDouble('slow');
const { stack, api } = await startBatchStack([double.adapter, slow.adapter]);
test.after.always(() => stack.close());

test.serial('an item whose shipment outlived its key is not booked again', async (t) => {
  const body = shipmentBody(stack.account, 'double');
  double.next.push({ kind: 'unknown', text: 'connection reset after sending' });
  const batchUuid = await acceptWithoutEngine(t, body);

  const first = await passOver(batchUuid);
  const [waiting] = await shipmentsOf(body);
  const workflowId = String(waiting?.workflow_id);
  await decide(stack.temporal, workflowId, { action: 'adopt', trackingCode: 'ADOPTED-LATE' });
  await stack.temporal.workflow.getHandle(workflowId).result();
  await expireKeyOf(String(waiting?.uuid));
  const second = await passOver(batchUuid);

  t.is(first.resolved, 0);
  t.is(second.resolved, 1);
  t.like(await itemOf(batchUuid), { status: 'created', shipment_id: waiting?.uuid, error: null });
  t.is((await shipmentsOf(body)).length, 1);
});

test.serial('an item that never learned of its shipment finds it when its key is gone', async (t) => {
  const body = shipmentBody(stack.account, 'double');
  const batchUuid = await acceptWithoutEngine(t, body);
  // A worker that ends at once leaves behind: the item's own creation, and an item that does not know.
  const created = await api.post('/shipments', body);
  await expireKeyOf(created.body.data.uuid);
  await ageBatch(batchUuid);

  const { resolved } = await passOver(batchUuid);

  t.is(created.status, 201, created.text);
  t.is(resolved, 1);
  t.like(await itemOf(batchUuid), { status: 'created', shipment_id: created.body.data.uuid });
  t.is((await shipmentsOf(body)).length, 1);
});

test.serial('an item finds its shipment when its key is gone and its license has another', async (t) => {
  const body = shipmentBody(stack.account, 'slow');
  const batchUuid = await acceptWithoutEngine(t, body);
  await t.throwsAsync(passOver(batchUuid, { temporal: noEngine(t) }));
  const { uuid } = (await api.post('/shipments', body)).body.data;
  const [made] = await shipmentsOf(body);
  // Its run may end a moment after the answer.
  await stack.temporal.workflow.getHandle(String(made?.workflow_id)).result();
  await stack.db.run('DELETE FROM idempotency_keys WHERE shipment_uuid = ?', [uuid]);
  const { license_key = '' } = body;
  const rename = 'UPDATE licenses SET license_key = ? WHERE license_key = ?';
  await stack.db.run(rename, ['renamed', license_key]);
  t.teardown(() => stack.db.run(rename, [license_key, 'renamed']));

  const { resolved } = await passOver(batchUuid);

  t.is(resolved, 1);
  t.like(await itemOf(batchUuid), { status: 'created', shipment_id: uuid, error: null });
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
  t.not((await itemOf(batchUuid)).shipment_id, uuid);
  t.is((await shipmentsOf(body)).length, 2);
});

test.serial('an item that was claimed and never begun is stopped by a cancellation', async (t) => {
  const body = shipmentBody(stack.account, 'double');
  const batchUuid = await acceptWithoutEngine(t, body);
  await t.throwsAsync(passOver(batchUuid, { temporal: noEngine(t) }), {
    message: /cannot accept the request now/,
  });
  const cancelled = await api.post(`/batches/${batchUuid}/cancel`, {});

  const { resolved } = await passOver(batchUuid);

  t.is(cancelled.body.data.summary.pending, 1);
  t.is(resolved, 1);
  t.like(await itemOf(batchUuid), { status: 'failed', error: CANCELLED_ITEM });
  t.deepEqual(await shipmentsOf(body), []);
});

test.serial(
  'an item whose creation was ended before anything was sent is stopped by a cancellation',
  async (t) => {
    const body = shipmentBody(stack.account, 'double');
    double.next.push({ kind: 'unknown', text: 'connection reset after sending' });
    const batchUuid = await acceptWithoutEngine(t, body);
    await passOver(batchUuid);
    const [reserved] = await shipmentsOf(body);
    await stack.temporal.workflow.getHandle(String(reserved?.workflow_id)).terminate();
    await stack.db.run('DELETE FROM carrier_attempts WHERE shipment_uuid = ?', [String(reserved?.uuid)]);
    await api.post(`/batches/${batchUuid}/cancel`, {});

    const { resolved } = await passOver(batchUuid);

    t.is(resolved, 1);
    t.like(await itemOf(batchUuid), { status: 'failed', error: CANCELLED_ITEM });
    const [freed, ...others] = await shipmentsOf(body);
    t.like(freed, { uuid: reserved?.uuid, state: 'refused' });
    t.deepEqual(others, []);
  },
);

test.serial('an item whose creation runs when its batch is cancelled has its outcome', async (t) => {
  const letGo = slow.hold(t);
  const body = shipmentBody(stack.account, 'slow');
  const batchUuid = await acceptWithoutEngine(t, body);
  const first = await passOver(batchUuid);
  await api.post(`/batches/${batchUuid}/cancel`, {});
  letGo();

  const second = await passOver(batchUuid);

  t.is(first.resolved, 0);
  t.is(second.resolved, 1);
  const [shipment] = await shipmentsOf(body);
  t.like(await itemOf(batchUuid), { status: 'created', shipment_id: shipment?.uuid });
});

test.serial('a license that expires meanwhile undoes nothing that was begun', async (t) => {
  const letGo = slow.hold(t);
  const running = shipmentBody(stack.account, 'slow');
  const made = shipmentBody(stack.account, 'slow');
  const waiting = shipmentBody(stack.account, 'slow');
  const batches = await Promise.all([running, made, waiting].map((body) => acceptWithoutEngine(t, body)));
  const [ofRunning = '', ofMade = '', ofWaiting = ''] = batches;
  await passOver(ofRunning);
  for (const batch of [ofMade, ofWaiting]) await t.throwsAsync(passOver(batch, { temporal: noEngine(t) }));
  // A worker that ends at once leaves behind: the item's own creation, and an item that does not know.
  const creating = api.post('/shipments', made);
  await eventually(async () => (await shipmentsOf(made)).length > 0, 'the creation');
  await expireLicense(t, 'slow');

  const first = await passOver(ofRunning);
  letGo();
  const created = await creating;
  for (const batch of batches) await passOver(batch);

  t.is(first.resolved, 0);
  t.is(created.status, 201, created.text);
  const [shipment] = await shipmentsOf(running);
  t.like(await itemOf(ofRunning), { status: 'created', shipment_id: shipment?.uuid });
  t.like(await itemOf(ofMade), { status: 'created', shipment_id: created.body.data.uuid });
  t.like(await itemOf(ofWaiting), { status: 'failed', error: { code: 'forbidden' } });
});

test.serial(
  'an item whose creation no worker has taken up is not stopped while its run is open',
  async (t) => {
    const body = shipmentBody(stack.account, 'double');
    const batchUuid = await acceptWithoutEngine(t, body);
    await t.throwsAsync(passOver(batchUuid, { temporal: noEngine(t) }));
    const run = await stack.temporal.workflow.start('createShipment', {
      workflowId: creationIdIn(body),
      taskQueue: 'nobody',
    });
    await api.post(`/batches/${batchUuid}/cancel`, {});

    await t.throwsAsync(passOver(batchUuid), { message: /cannot accept the request now/ });
    const open = await itemOf(batchUuid);
    await run.terminate();
    const { resolved } = await passOver(batchUuid);

    t.is(open.status, 'pending');
    t.is(resolved, 1);
    t.like(await itemOf(batchUuid), { status: 'failed', error: CANCELLED_ITEM });
  },
);

for (const how of ['terminate', 'cancel'] as const) {
  test.serial(
    `an item whose creation somebody ended (${how}) waits for what becomes of its shipment`,
    async (t) => {
      const letGo = slow.hold(t);
      const body = shipmentBody(stack.account, 'slow');
      const batchUuid = await acceptWithoutEngine(t, body);
      const pass = passOver(batchUuid);
      const [waiting] = await eventually(async () => {
        const found = await shipmentsOf(body);
        return (await askedOf(found[0]?.uuid)) && found;
      }, 'the call to the carrier');
      const workflowId = String(waiting?.workflow_id);
      await stack.temporal.workflow.getHandle(workflowId)[how]();

      const first = await pass;
      const open = await itemOf(batchUuid);
      const decision: BookingDecision = { action: 'adopt', trackingCode: `ADOPTED-${how}` };
      // A pass before the run has closed joins its end, and the next one starts it again.
      await decide(stack.temporal, workflowId, decision, () => passOver(batchUuid));
      const last = await passOver(batchUuid);
      slow.next.push({ kind: 'unknown', text: 'connection reset after sending' });
      letGo();

      t.is(first.resolved, 0);
      t.like(open, { status: 'pending', error: null });
      t.is(last.resolved, 1);
      t.like(await itemOf(batchUuid), { status: 'created', shipment_id: waiting?.uuid, error: null });
    },
  );
}

/** Whether the carrier is being told of the shipment. */
async function askedOf(uuid: unknown): Promise<boolean> {
  const rows = await stack.db.select('SELECT id FROM carrier_attempts WHERE shipment_uuid = ?', [
    String(uuid),
  ]);
  return rows.length > 0;
}

test.serial('an item is stopped by a cancellation that comes while its creation is asked for', async (t) => {
  const body = shipmentBody(stack.account, 'double');
  const batchUuid = await acceptWithoutEngine(t, body);
  const start: WorkflowClientInterceptor['start'] = async (input, next) => {
    await api.post(`/batches/${batchUuid}/cancel`, {});
    return await next(input);
  };
  const temporal = new Client({ ...stack.temporal.options, interceptors: { workflow: [{ start }] } });

  const { resolved } = await passOver(batchUuid, { temporal });

  t.is(resolved, 1);
  t.like(await itemOf(batchUuid), { status: 'failed', error: CANCELLED_ITEM });
  t.deepEqual(await shipmentsOf(body), []);
});

test.serial(
  'an item whose place comes when the time of the pass is over waits for the next one',
  async (t) => {
    const body = shipmentBody(stack.account, 'double');
    const batchUuid = await acceptWithoutEngine(t, body);
    class LongLine extends Window {
      override async use<T>(work: () => Promise<T>): Promise<T> {
        const { now } = Date;
        t.teardown(() => {
          Date.now = now;
        });
        Date.now = () => now() + 300_001;
        try {
          return await work();
        } finally {
          Date.now = now;
        }
      }
    }

    const late = await passOver(batchUuid, { window: () => new LongLine(1, () => true) });
    const open = await itemOf(batchUuid);
    const made = await shipmentsOf(body);
    const next = await passOver(batchUuid);

    t.is(late.resolved, 0);
    t.like(open, { status: 'pending', error: null });
    t.deepEqual(made, []);
    t.is(next.resolved, 1);
  },
);

test.serial('a creation that is asked for after its item was stopped books nothing', async (t) => {
  const body = shipmentBody(stack.account, 'double');
  const batchUuid = await acceptWithoutEngine(t, body);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let asking = false;
  const start: WorkflowClientInterceptor['start'] = async (input, next) => {
    asking = true;
    await held;
    return await next(input);
  };
  const temporal = new Client({ ...stack.temporal.options, interceptors: { workflow: [{ start }] } });
  const standing = passOver(batchUuid, { temporal });
  await eventually(() => asking, 'the item to be asked for');
  await api.post(`/batches/${batchUuid}/cancel`, {});

  const { resolved } = await passOver(batchUuid);
  letGo();
  const late = await standing;

  t.deepEqual([resolved, late.resolved], [1, 0]);
  t.like(await itemOf(batchUuid), { status: 'failed', error: CANCELLED_ITEM });
  t.deepEqual(await shipmentsOf(body), []);
  const alone = await api.post('/shipments', body);
  t.is(alone.status, 201, alone.text);
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

test.serial('an item that an earlier pass has waited for keeps no item behind it', async (t) => {
  const letGo = slow.hold(t);
  const bodies = [shipmentBody(stack.account, 'slow'), shipmentBody(stack.account, 'double')];
  const batchUuid = await acceptWithoutEngine(t, ...bodies);
  await passOver(batchUuid);

  const config = { ...stack.config, createWaitMs: patient(60_000) };
  const pass = passOver(batchUuid, { config }, new MockActivityEnvironment(), 1);
  await eventually(async () => (await itemOf(batchUuid, 1)).status === 'created', 'the item behind');
  letGo();

  t.is((await pass).resolved, 2);
});

test.serial(
  'one account has some of the passes of a process under way, and the others come again',
  async (t) => {
    const letGo = slow.hold(t);
    const items = createBatchItemActivities({
      ...own(),
      config: { ...stack.config, createWaitMs: patient(60_000) },
      window: () => new Window(1, () => true),
      lanes: 1,
    });
    const bodies = Array.from({ length: 4 }, () => shipmentBody(stack.account, 'slow'));
    const batches = await Promise.all(bodies.map((body) => acceptWithoutEngine(t, body)));
    const further = await acceptWithoutEngine(t, shipmentBody(stack.account, 'double'));
    const passes = batches.map((batch) => passOver(batch, {}, new MockActivityEnvironment(), 0, items));
    await eventually(async () => {
      const asked = await Promise.all(
        bodies.map(async (body) => askedOf((await shipmentsOf(body))[0]?.uuid)),
      );
      return asked.every(Boolean);
    }, 'the calls to the carrier');
    const pass = () => passOver(further, {}, new MockActivityEnvironment({ attempt: 3 }), 0, items);

    const error = await t.throwsAsync(pass(), { instanceOf: ApplicationFailure });
    letGo();
    await Promise.all(passes);
    const later = await pass();

    t.is(error?.type, 'AccountHasItsShare');
    t.true(Number(error?.nextRetryDelay) >= 7500 && Number(error?.nextRetryDelay) <= 22_500);
    t.is(later.resolved, 1);
  },
);

for (const [what, code] of [
  ['does not let us in', '16'],
  ['is taken over by another cluster', '9'],
] as const) {
  test.serial(`an item waits while the engine ${what}`, async (t) => {
    const body = shipmentBody(stack.account, 'double');
    const batchUuid = await acceptWithoutEngine(t, body);
    const temporal = await closedEngine(t, code);

    await t.throwsAsync(passOver(batchUuid, { temporal }), { instanceOf: AppError });

    t.is((await itemOf(batchUuid)).status, 'pending');
    t.is((await passOver(batchUuid)).resolved, 1);
  });
}

test.serial('an item whose creation runs is not failed by what goes wrong on our side', async (t) => {
  const body = shipmentBody(stack.account, 'double');
  const batchUuid = await acceptWithoutEngine(t, body);
  const start: WorkflowClientInterceptor['start'] = async (input, next) => {
    await next(input);
    throw new Error('a reply that cannot be read');
  };
  const temporal = new Client({ ...stack.temporal.options, interceptors: { workflow: [{ start }] } });

  const first = await passOver(batchUuid, { temporal });
  const second = await passOver(batchUuid);

  t.deepEqual([first.resolved, second.resolved], [0, 1]);
  t.is((await itemOf(batchUuid)).status, 'created');
  t.is((await shipmentsOf(body)).length, 1);
});

/** A client of an engine that refuses calls with this code of gRPC. */
async function closedEngine(t: ExecutionContext, code: string): Promise<Client> {
  const temporalAddress = await startRefusingEngine(t, code);
  const client = openTemporal({ ...stack.config, temporalAddress });
  t.teardown(() => client.connection.close());
  return client;
}

/** An engine that cannot be reached. */
function noEngine(t: ExecutionContext): Client {
  const away = openTemporal({ ...stack.config, temporalAddress: '127.0.0.1:1' });
  t.teardown(() => away.connection.close());
  return away;
}

/** Id of the run that creates the item of this body, which names its license. */
function creationIdIn(body: object): string {
  const { id: accountId } = stack.account;
  const sent = { fingerprint: creationFingerprint(body), headerValues: [] };
  return creationIdOf({ accountId, licenseId: 0, idempotency: idempotencyOf(sent, stack.config) });
}

/** Stores a batch that no run takes on. */
async function acceptWithoutEngine(t: ExecutionContext, ...shipments: object[]): Promise<string> {
  const lonely = new ApiClient(await stack.startApi(undefined, {}, noEngine(t)), stack.account);
  const license_key = stack.account.licenseKeys.double;
  const accepted = await lonely.post('/batches', { license_key, shipments });
  return accepted.body.data.id;
}

type ChunkResult = Awaited<ReturnType<ReturnType<typeof createBatchItemActivities>['runItems']>>;

const none = () => undefined;
const own = () => ({ ...stack, carriers: carrierFor, wake: none, onRestored: none, lostLooks: new Slots() });

/** One pass of a worker over a batch's items up to this place. */
async function passOver(
  batchUuid: string,
  deps: Partial<BatchItemApp> = {},
  environment = new MockActivityEnvironment(),
  to = 0,
  activities = createBatchItemActivities({
    ...own(),
    window: () => new Window(1, () => true),
    lanes: 1,
    ...deps,
  }),
): Promise<ChunkResult> {
  const { runItems } = activities;
  const chunk = { accountId: stack.account.id, batchUuid, from: 0, to };
  return await environment.run<[BatchRef & BatchChunk], ChunkResult, typeof runItems>(runItems, chunk);
}

async function shipmentsOf(body: { order: { id: string } }) {
  return await stack.db.select(
    'SELECT s.uuid, s.workflow_id, s.state FROM shipments s JOIN orders o ON o.id = s.order_id WHERE o.order_id = ?',
    [body.order.id],
  );
}

async function expireKeyOf(uuid: string): Promise<void> {
  await stack.db.run(
    'UPDATE idempotency_keys SET expires_at = NOW(6) - INTERVAL 1 SECOND WHERE shipment_uuid = ?',
    [uuid],
  );
}

/** Until the test ends. */
async function expireLicense(t: ExecutionContext, provider: string): Promise<void> {
  const set = (expiresAt: string) =>
    stack.db.run(`UPDATE licenses SET expires_at = ${expiresAt} WHERE license_key = ?`, [
      stack.account.licenseKeys[provider] ?? '',
    ]);
  await set('NOW(6) - INTERVAL 1 DAY');
  t.teardown(() => set('NULL'));
}

/** As if the batch had come longer ago than the answer of a key is kept. */
async function ageBatch(uuid: string): Promise<void> {
  await stack.db.run('UPDATE batches SET created_at = created_at - INTERVAL 2 DAY WHERE uuid = ?', [uuid]);
}

async function itemOf(batchUuid: string, position = 0) {
  return (await api.get(`/batches/${batchUuid}/items`)).body.data[position];
}
