import proto from '@temporalio/proto';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createUpkeepActivities } from '../../activities/upkeep.js';
import { carrierFor } from '../../src/carriers/registry.js';
import { Slots } from '../../src/lib/limits/slots.js';
import { stateOfRun } from '../../src/temporal/run-state.js';
import { runAdmin } from '../support/admin.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { found } from '../support/runs.js';
import { type TestStack } from '../support/stack.js';

const double = carrierDouble('double');
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack({ doubles: [double.adapter] }, { createWaitMs: 3000 }));
});
test.after.always(() => stack?.close());

const WAITS = proto.temporal.api.enums.v1.PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED;
const away = { kind: 'unavailable', text: 'The carrier is away.' } as const;

test.serial('a creation whose run the engine has lost goes on while nothing was sent', async (t) => {
  const { uuid } = await forgotten();

  await sweep();

  const { tracking_code: code } = await eventually(async () => {
    const { data } = (await api.get(`/shipments/${uuid}`)).body;
    return data?.status.code === 'created' && data;
  }, 'the parcel');
  t.truthy(code);
  t.is(double.booked.filter((reference) => reference === uuid).length, 1);
});

test.serial('a creation whose run the engine has lost asks a person once something was sent', async (t) => {
  const { uuid } = await forgotten();
  await stack.db.run("UPDATE carrier_attempts SET state = 'unknown' WHERE shipment_uuid = ?", [uuid]);

  await sweep();

  await eventually(async () => {
    const { body } = await api.get(`/shipments/${uuid}`);
    return body.data?.status.code === 'needs_attention';
  }, 'the question');
  t.is(double.booked.filter((reference) => reference === uuid).length, 0);
});

test.serial(
  'admin resolve --retry: books a creation that the engine has lost, and does not free it',
  async (t) => {
    const { uuid } = await forgotten();
    await stack.db.run('DELETE FROM carrier_attempts WHERE shipment_uuid = ?', [uuid]);

    const { code, out, err } = await runAdmin(['resolve', uuid, '--retry', '--attempt', '0'], stack.env);

    t.is(code, 0, err);
    t.regex(out, /^created with tracking code/);
  },
);

test.serial(
  'admin reconcile: a creation goes on whose key has only an earlier run, and not one that was ended by hand',
  async (t) => {
    const ended = await endedByHand();
    const restored = await endedByHand();
    // As in an engine of an earlier day, where the key had been used before.
    await stack.db.run('UPDATE shipments SET created_at = NOW(6) WHERE uuid = ?', [restored.uuid]);

    const preview = await runAdmin(['reconcile', '--json'], stack.env);
    const { out, err } = await runAdmin(['reconcile', '--apply', '--json'], stack.env);

    const counted = (text: string) =>
      JSON.parse(text).find(({ kind }: { kind: string }) => kind === 'creation without a run')?.count;
    t.is(preview.code, 1, preview.err);
    t.is(counted(preview.out), 1, preview.out);
    t.is(counted(out), 1, err);
    await eventually(async () => {
      const { data } = (await api.get(`/shipments/${restored.uuid}`)).body;
      return data?.status.code === 'created';
    }, 'the parcel');
    t.is((await api.get(`/shipments/${ended.uuid}`)).body.data.status.code, 'pending');
  },
);

/**
 * A creation of which nothing reached the carrier, and whose run was terminated between two tries: one under way would go on
 * in its worker, and book.
 */
async function endedByHand() {
  double.next.push(...Array(50).fill(away));
  const pending = await api.create(shipmentBody(stack.account, 'double'));
  const uuid = String(pending.body.data.uuid);
  const [workflowId = ''] = await found(stack.temporal, `ShipmentId = '${uuid}'`);
  const run = stack.temporal.workflow.getHandle(workflowId);
  await eventually(async () => {
    const [booking] = (await run.describe()).raw.pendingActivities ?? [];
    return booking?.state === WAITS && Number(booking.attempt) > 1;
  }, 'the pause before the next try');
  await run.terminate('by a test');
  double.next.length = 0;
  await stack.db.run(
    "UPDATE carrier_attempts SET state = 'not_sent', outcome_code = 'unavailable' WHERE shipment_uuid = ?",
    [uuid],
  );
  return { uuid, workflowId };
}

/** A creation of which nothing reached the carrier, and whose run is gone. */
async function forgotten() {
  const { uuid, workflowId } = await endedByHand();
  const { namespace } = stack.temporal.options;
  await stack.temporal.connection.workflowService.deleteWorkflowExecution({
    namespace,
    workflowExecution: { workflowId },
  });
  await eventually(
    async () => (await stateOfRun(stack.temporal, workflowId)) === 'unknown',
    'the run to be forgotten',
  );
  await stack.db.run('UPDATE shipments SET created_at = NOW(6) - INTERVAL 1 HOUR WHERE uuid = ?', [uuid]);
  return { uuid };
}

const nothing = () => undefined;

async function sweep(): Promise<void> {
  const { flagOrphans } = createUpkeepActivities({
    ...stack,
    carriers: carrierFor,
    wake: nothing,
    onRestored: nothing,
    lostLooks: new Slots(),
  });
  await new MockActivityEnvironment().run(flagOrphans);
}
