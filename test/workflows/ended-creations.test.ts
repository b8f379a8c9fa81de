import { Client, type WorkflowClientInterceptor } from '@temporalio/client';
import proto from '@temporalio/proto';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createUpkeepActivities } from '../../activities/upkeep.js';
import { carrierFor } from '../../src/carriers/registry.js';
import { Slots } from '../../src/lib/limits/slots.js';
import { runAdmin } from '../support/admin.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { insertOpenKey, insertTestLicense, insertTestShipment } from '../support/factories.js';
import { keepHistory } from '../support/histories.js';
import { type TestStack } from '../support/stack.js';

/** Servers before 1.30 pause no runs. */
const PAUSED = proto.temporal.api.enums.v1.WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_PAUSED;

const double = carrierDouble('double');
/** A carrier to whom a booking may be sent again without a word of the operator. */
const replaying = carrierDouble('replaying', 'replays');
const holding = carrierDouble('holding');
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack(
    { doubles: [double.adapter, replaying.adapter, holding.adapter] },
    { createWaitMs: 15_000 },
  ));
});

test.after.always(() => stack?.close());

test.serial(
  'admin resolve --adopt: a booking whose run was ended takes the parcel that is there',
  async (t) => {
    const { uuid, body } = await endedCreation('double');

    const { code, out, err } = await runAdmin(['resolve', uuid, '--adopt', 'FOUND-1'], stack.env);

    t.is(code, 0, err);
    t.is(out, 'created with tracking code FOUND-1\n');
    const read = await api.get(`/shipments/${uuid}`);
    t.like(read.body.data, {
      tracking_code: 'FOUND-1',
      status: { ...read.body.data.status, code: 'created' },
    });
    const again = await api.create(body);
    t.is(again.body.data.uuid, uuid);
    t.is(double.booked.filter((reference) => reference === uuid).length, 1);
    await keepHistory(await runOf(uuid), 'createShipment', 'resumed-adopt');
  },
);

test.serial('admin resolve --retry: a booking whose run was ended is sent again', async (t) => {
  const { uuid } = await endedCreation('double');

  const { code, err } = await runAdmin(['resolve', uuid, '--retry', '--attempt', '1'], stack.env);

  t.is(code, 0, err);
  const read = await api.get(`/shipments/${uuid}`);
  t.is(read.body.data.status.code, 'created');
  t.is(double.booked.filter((reference) => reference === uuid).length, 2);
});

for (const carrier of [double, replaying]) {
  const { provider } = carrier.adapter;
  test.serial(`admin resolve --give-up: ${provider} is not asked for what is not wanted`, async (t) => {
    const { uuid } = await endedCreation(provider);
    const calls = () => carrier.told.filter((request) => request.reference === uuid).length;
    const before = calls();
    const decision = ['--give-up', 'ordered twice', '--attempt', String(before)];

    const { code, out, err } = await runAdmin(['resolve', uuid, ...decision], stack.env);

    t.is(code, 0, err);
    t.is(out, 'given up: nothing is booked, and the caller reads the reason\n');
    t.is((await api.get(`/shipments/${uuid}`)).status, 404);
    t.is(calls(), before);
    const [left] = await stack.db.select(
      `SELECT pending_order, (SELECT COUNT(*) FROM idempotency_keys WHERE shipment_uuid = s.uuid) AS open_keys
       FROM shipments s WHERE uuid = ?`,
      [uuid],
    );
    t.deepEqual({ ...left }, { pending_order: null, open_keys: 0 });
  });
}

test.serial('a resumed creation gives an order that was known before its new snapshot', async (t) => {
  const first = shipmentBody(stack.account, 'double');
  t.is((await api.create(first)).status, 201);
  const { uuid, body } = await endedCreation('double', { order: { id: first.order.id, number: 'NEW-7' } });

  const { code, err } = await runAdmin(['resolve', uuid, '--adopt', 'FOUND-2'], stack.env);

  t.is(code, 0, err);
  const number = await eventually(async () => {
    const [row] = await stack.db.select('SELECT number FROM orders WHERE order_id = ?', [first.order.id]);
    return row?.number === 'NEW-7' && row.number;
  }, "the order's new number");
  t.is(number, 'NEW-7');
  const replay = await api.create(body);
  t.is(replay.status, 201, replay.text);
  t.is(replay.body.data.order.number, 'NEW-7');
});

for (const how of ['terminate', 'cancel'] as const) {
  test.serial(
    `POST /shipments: a caller that waits for a run that is ended (${how}) gets a pending shipment`,
    async (t) => {
      holding.hold(t);
      const body = shipmentBody(stack.account, 'holding');
      const answer = api.create(body);
      const uuid = await eventually(async () => {
        const [row] = await stack.db.select(
          `SELECT s.uuid FROM shipments s JOIN orders o ON o.id = s.order_id
         JOIN carrier_attempts a ON a.shipment_uuid = s.uuid WHERE o.order_id = ?`,
          [body.order.id],
        );
        return row !== undefined && String(row.uuid);
      }, 'the call to the carrier');
      await (await runOf(uuid))[how]();

      const { status, body: pending, headers } = await answer;

      t.is(status, 202, JSON.stringify(pending));
      t.is(pending.data.uuid, uuid);
      t.is(pending.data.status.code, 'pending');
      t.truthy(headers.get('retry-after'));
    },
  );
}

test.serial('what a person decides ends the attempt of a process that died', async (t) => {
  const [adopted, unwanted] = [await endedCreation('double'), await endedCreation('double')];
  const uuids = [adopted.uuid, unwanted.uuid];
  await stack.db.run(
    `UPDATE carrier_attempts SET state = 'sending', outcome_code = NULL, outcome_text = NULL, answered_at = NULL,
       ends_at = NOW(6)
     WHERE shipment_uuid IN (?, ?)`,
    uuids,
  );

  await runAdmin(['resolve', adopted.uuid, '--adopt', 'FOUND-3'], stack.env);
  await runAdmin(['resolve', unwanted.uuid, '--give-up', 'ordered twice', '--attempt', '1'], stack.env);

  const attempts = await stack.db.select(
    'SELECT state, outcome_code FROM carrier_attempts WHERE shipment_uuid IN (?, ?) ORDER BY id',
    uuids,
  );
  t.deepEqual(attempts, [
    { state: 'accepted', outcome_code: 'FOUND-3' },
    { state: 'unknown', outcome_code: 'given_up' },
  ]);
});

test.serial('a reservation whose run an operator has paused is left alone', async (t) => {
  const uuid = await staleReservation('paused');
  await stack.temporal.workflow.start('createShipment', { workflowId: 'paused', taskQueue: 'nobody' });
  const describe: WorkflowClientInterceptor['describe'] = async (input, next) => {
    const { workflowExecutionInfo, ...others } = await next(input);
    return { ...others, workflowExecutionInfo: { ...workflowExecutionInfo, status: PAUSED } };
  };
  const temporal = new Client({ ...stack.temporal.options, interceptors: { workflow: [{ describe }] } });
  const { flagOrphans } = createUpkeepActivities({ ...own(), temporal });

  await new MockActivityEnvironment().run(flagOrphans);

  t.deepEqual(await stateOf(uuid), { state: 'reserved', status_code: 'pending' });
});

test.serial('a creation that is resumed as it is looked at is left to its run', async (t) => {
  const uuid = await staleReservation('resumed');
  let looks = 0;
  const describe: WorkflowClientInterceptor['describe'] = async (input, next) => {
    const { workflowId } = input.workflowExecution;
    if (workflowId === 'resumed') looks += 1;
    try {
      return await next(input);
    } finally {
      if (workflowId === 'resumed' && looks === 1) {
        await stack.temporal.workflow.start('createShipment', { workflowId, taskQueue: 'nobody' });
      }
    }
  };
  const temporal = new Client({ ...stack.temporal.options, interceptors: { workflow: [{ describe }] } });
  const { flagOrphans } = createUpkeepActivities({ ...own(), temporal });

  await new MockActivityEnvironment().run(flagOrphans);

  t.is(looks, 2);
  t.deepEqual(await stateOf(uuid), { state: 'reserved', status_code: 'pending' });
});

const nothing = () => undefined;
const own = () => ({
  ...stack,
  carriers: carrierFor,
  wake: nothing,
  onRestored: nothing,
  lostLooks: new Slots(),
});

/** An old reservation of which nothing was sent. */
async function staleReservation(workflowId: string): Promise<string> {
  const license = await insertTestLicense(stack.db, { accountId: stack.account.id });
  const { uuid } = await insertTestShipment(stack.db, license, {
    state: 'reserved',
    tracking_code: null,
    workflow_id: workflowId,
    status_code: 'pending',
  });
  await stack.db.run('UPDATE shipments SET created_at = NOW(6) - INTERVAL 1 HOUR WHERE uuid = ?', [uuid]);
  await insertOpenKey(stack.db, stack.account.id, uuid);
  return uuid;
}

async function stateOf(uuid: string) {
  return (await stack.db.select('SELECT state, status_code FROM shipments WHERE uuid = ?', [uuid]))[0];
}

/** A creation that something was sent for, and whose run was terminated while it waited for the answer. */
async function endedCreation(provider: string, overrides: { order?: object } = {}) {
  const carrier = provider === 'double' ? double : replaying;
  const body = shipmentBody(stack.account, provider, overrides);
  // Where it may be sent again, the carrier stays silent for as long as anybody asks.
  carrier.next.push(...Array(provider === 'double' ? 1 : 50).fill({ kind: 'unknown', text: 'reset' }));
  const pending = await api.create(body);
  const uuid: string = pending.body.data.uuid;
  await (await runOf(uuid)).terminate('by a test');
  carrier.next.length = 0;
  return { uuid, body };
}

async function runOf(uuid: string) {
  const [row] = await stack.db.select('SELECT workflow_id FROM shipments WHERE uuid = ?', [uuid]);
  return stack.temporal.workflow.getHandle(String(row?.workflow_id));
}
