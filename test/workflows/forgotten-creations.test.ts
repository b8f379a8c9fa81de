import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createUpkeepActivities } from '../../activities/upkeep.js';
import { carrierFor } from '../../src/carriers/registry.js';
import { Slots } from '../../src/lib/limits/slots.js';
import { stateOfRun } from '../../src/temporal/run-state.js';
import { runAdmin } from '../support/admin.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { found } from '../support/runs.js';
import { startStack, type TestStack } from '../support/stack.js';

const double = carrierDouble('double');
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  stack = await startStack({ doubles: [double.adapter] });
  await stack.startWorkers();
  api = new ApiClient(await stack.startApi(undefined, { createWaitMs: 3000 }), stack.account);
});
test.after.always(() => stack?.close());

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

  const { body } = await api.get(`/shipments/${uuid}`);
  t.is(body.data.status.code, 'needs_attention');
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

/** A creation of which nothing reached the carrier, and whose run is gone. */
async function forgotten() {
  double.next.push(...Array(50).fill(away));
  const pending = await api.create(shipmentBody(stack.account, 'double'));
  const { uuid } = pending.body.data;
  const { namespace } = stack.temporal.options;
  const [workflowId = ''] = await found(stack.temporal, `ShipmentId = '${uuid}'`);
  await stack.temporal.workflow.getHandle(workflowId).terminate('by a test');
  await stack.temporal.connection.workflowService.deleteWorkflowExecution({
    namespace,
    workflowExecution: { workflowId },
  });
  await eventually(
    async () => (await stateOfRun(stack.temporal, workflowId)) === 'unknown',
    'the run to be forgotten',
  );
  double.next.length = 0;
  await stack.db.run(
    "UPDATE carrier_attempts SET state = 'not_sent', outcome_code = 'unavailable' WHERE shipment_uuid = ?",
    [uuid],
  );
  await stack.db.run('UPDATE shipments SET created_at = NOW(6) - INTERVAL 1 HOUR WHERE uuid = ?', [uuid]);
  return { uuid: String(uuid) };
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
