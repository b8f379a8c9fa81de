import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createUpkeepActivities } from '../../activities/upkeep.js';
import { carrierFor } from '../../src/carriers/registry.js';
import { scheduleIds } from '../../src/contracts/ids.js';
import { Slots } from '../../src/lib/limits/slots.js';
import { ensureSchedules } from '../../src/temporal/schedules.js';
import { runAdmin } from '../support/admin.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { keepHistory } from '../support/histories.js';
import { detailsOf } from '../support/runs.js';
import { type TestStack } from '../support/stack.js';

let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack());
});

test.after.always(() => stack?.close());

test.serial('polling moves due shipments forward and asks again later', async (t) => {
  const moved = await createDue();
  const idle = await createDue();
  await stack.sandbox.advance(moved.code, 'out_for_delivery');

  const { handle, result } = await poll('moved');

  t.deepEqual(result, { checked: 2, changed: 1 });
  const read = await api.get(`/shipments/${moved.uuid}/status`);
  t.is(read.body.data.status.code, 'out_for_delivery');
  t.truthy(read.body.data.checked_at);
  const later = await stack.db.select(
    'SELECT uuid, TIMESTAMPDIFF(MINUTE, NOW(6), next_poll_at) AS minutes FROM shipments WHERE uuid IN (?, ?)',
    [moved.uuid, idle.uuid],
  );
  const minutes = Object.fromEntries(later.map((row) => [String(row.uuid), Number(row.minutes)]));
  t.true((minutes[moved.uuid] ?? 0) >= 8 && (minutes[moved.uuid] ?? 0) <= 10);
  t.true((minutes[idle.uuid] ?? 0) >= 118);
  await keepHistory(handle, 'pollCarrier', 'moved');
});

test.serial('a delivered shipment is never asked about again', async (t) => {
  const { uuid, code } = await createDue();
  await stack.sandbox.advance(code, 'delivered');

  await poll('delivered');
  const second = await poll('delivered-again');

  const [row] = await stack.db.select('SELECT next_poll_at, delivered_at FROM shipments WHERE uuid = ?', [
    uuid,
  ]);
  t.is(row?.next_poll_at, null);
  t.truthy(row?.delivered_at);
  t.is(second.result.checked, 0);
  await keepHistory(second.handle, 'pollCarrier', 'nothing-due');
});

test.serial('an unknown carrier status keeps the code and shows the raw text', async (t) => {
  const { uuid, code } = await createDue();
  await stack.sandbox.advance(code, '777');

  await poll('unknown-status');

  const read = await api.get(`/shipments/${uuid}/status`);
  t.is(read.body.data.status.code, 'created');
  t.is(read.body.data.history.at(-1).carrier_code, '777');
});

test.serial('a carrier that does not answer is asked again after a while, and nothing changes', async (t) => {
  const { uuid } = await createDue();
  await stack.sandbox.fault({ operation: 'status', kind: 'status', value: 500 });

  const { result } = await poll('outage');

  t.deepEqual(result, { checked: 0, changed: 0 });
  const [row] = await stack.db.select('SELECT next_poll_at > NOW(6) AS later FROM shipments WHERE uuid = ?', [
    uuid,
  ]);
  t.is(row?.later, 1);
});

test.serial('housekeeping drops expired keys, and brings orphans before the operator', async (t) => {
  const { uuid } = await createDue();
  await stack.db.run(
    'UPDATE idempotency_keys SET expires_at = NOW(6) - INTERVAL 1 DAY WHERE shipment_uuid = ?',
    [uuid],
  );
  const orphan = await createDue();
  await stack.db.run(
    `UPDATE shipments SET state = 'reserved', status_code = 'pending', workflow_id = 'shipment/0/gone',
       created_at = NOW(6) - INTERVAL 1 HOUR WHERE uuid = ?`,
    [orphan.uuid],
  );

  const handle = await stack.temporal.workflow.start('housekeeping', {
    taskQueue: 'shipments',
    workflowId: 'housekeeping-test',
  });
  const result = await handle.result();

  t.like(result, { expiredKeys: 1, orphans: 1, exports: 0, old: 0 });
  t.is(typeof result.recounted, 'number');
  const read = await api.get(`/shipments/${orphan.uuid}`);
  t.is(read.body.data.status.code, 'needs_attention');
  await keepHistory(handle, 'housekeeping', 'swept');
});

test.serial(
  'a creation that was ended before anything was sent is freed at once, beyond live ones',
  async (t) => {
    const live = await createDue();
    const unsent = await createDue();
    const sent = await createDue();
    const running = await stack.temporal.workflow.start('createShipment', {
      taskQueue: 'nobody-listens',
      workflowId: 'shipment/0/live',
    });
    t.teardown(() => running.terminate());
    await reserveAgain(live.uuid, 'shipment/0/live', 3);
    await reserveAgain(unsent.uuid, 'shipment/0/unsent', 2);
    await reserveAgain(sent.uuid, 'shipment/0/sent', 1);
    await stack.db.run('DELETE FROM carrier_attempts WHERE shipment_uuid IN (?, ?)', [
      live.uuid,
      unsent.uuid,
    ]);
    const { flagOrphans } = createUpkeepActivities({
      ...stack,
      carriers: carrierFor,
      wake: () => undefined,
      onRestored: () => undefined,
      lostLooks: new Slots(),
      pageSize: 1,
    });

    const flagged = await new MockActivityEnvironment().run(flagOrphans);

    t.is(flagged, 1);
    t.deepEqual(await stateOf(live.uuid), { state: 'reserved', status_code: 'pending', open_keys: 1 });
    t.deepEqual(await stateOf(unsent.uuid), { state: 'refused', status_code: 'pending', open_keys: 0 });
    t.deepEqual(await stateOf(sent.uuid), {
      state: 'reserved',
      status_code: 'needs_attention',
      open_keys: 1,
    });
  },
);

test.serial('the operator frees what was never sent, and learns what to do about the rest', async (t) => {
  const unsent = await createDue();
  const sent = await createDue();
  await reserveAgain(unsent.uuid, 'shipment/0/unsent-too', 1);
  await reserveAgain(sent.uuid, 'shipment/0/sent-too', 1);
  await stack.db.run('DELETE FROM carrier_attempts WHERE shipment_uuid = ?', [unsent.uuid]);

  const freed = await runAdmin(['resolve', unsent.uuid, '--retry', '--attempt', '0'], stack.env);
  const told = await runAdmin(['resolve', sent.uuid, '--retry', '--attempt', '1'], stack.env);

  t.is(freed.code, 0, freed.err);
  t.regex(freed.out, /freed: nothing was sent/);
  t.is((await stateOf(unsent.uuid)).state, 'refused');
  t.is(told.code, 1);
  t.regex(told.err, new RegExp(`reference ${sent.uuid}`));
  t.is((await stateOf(sent.uuid)).state, 'reserved');
});

test.serial('the Schedules run their workflows, once each, and can be ensured twice', async (t) => {
  await ensureSchedules(stack.temporal, { providers: ['run'], pollIntervalSeconds: 60 });
  await ensureSchedules(stack.temporal, { providers: ['run'], pollIntervalSeconds: 120 });
  const schedule = stack.temporal.schedule.getHandle(scheduleIds.pollCarrier('run'));

  await schedule.trigger();
  const ran = await eventually(async () => {
    const { info } = await schedule.describe();
    return info.recentActions.length > 0 && info;
  }, 'a run of the Schedule');

  const { spec, policies } = await schedule.describe();
  t.is(ran.recentActions.length, 1);
  t.is(Number(spec.intervals?.[0]?.every), 120_000);
  t.is(policies.overlap, 'SKIP');
  t.is(Number(policies.catchupWindow), 60_000);
  const [action] = ran.recentActions;
  const run = stack.temporal.workflow.getHandle(action?.action.workflow.workflowId ?? '');
  const told = await eventually(async () => {
    const details = await detailsOf(run).catch(() => '');
    return details.startsWith('Goes round') && details;
  }, 'a round');
  await keepHistory(run, 'pollCarrier', 'goes-round');
  t.regex(
    told,
    /^Goes round every 120 s until .+ UTC: 1 rounds, 0 failed; \d+ parcels asked for, \d+ changed\.$/,
  );
});

/** The rows of a creation that was ended from outside `hours` ago. */
async function reserveAgain(uuid: string, workflowId: string, hours: number): Promise<void> {
  await stack.db.run(
    `UPDATE shipments s JOIN idempotency_keys k ON k.shipment_uuid = s.uuid
     SET s.state = 'reserved', s.status_code = 'pending', s.workflow_id = ?,
       s.created_at = NOW(6) - INTERVAL ? HOUR, k.response_status = NULL, k.response_body = NULL
     WHERE s.uuid = ?`,
    [workflowId, hours, uuid],
  );
}

async function stateOf(uuid: string) {
  const [row] = await stack.db.select(
    `SELECT state, status_code, (SELECT COUNT(*) FROM idempotency_keys WHERE shipment_uuid = s.uuid) AS open_keys
     FROM shipments s WHERE uuid = ?`,
    [uuid],
  );
  return { ...row };
}

async function createDue(): Promise<{ uuid: string; code: string }> {
  const { body } = await api.create(shipmentBody(stack.account, 'run'));
  await stack.db.run('UPDATE shipments SET next_poll_at = NOW(6) WHERE uuid = ?', [body.data.uuid]);
  return { uuid: body.data.uuid, code: body.data.tracking_code };
}

async function poll(name: string) {
  const handle = await stack.temporal.workflow.start('pollCarrier', {
    taskQueue: 'shipments',
    workflowId: `poll-test-${name}`,
    args: [{ provider: 'run' }],
  });
  return { handle, result: (await handle.result()) as { checked: number; changed: number } };
}
