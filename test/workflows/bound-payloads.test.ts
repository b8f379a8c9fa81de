import { randomBytes, randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import {
  decodeOptionalFailureToOptionalError,
  loadDataConverter,
} from '@temporalio/common/lib/internal-non-workflow/index.js';
import proto from '@temporalio/proto';
import test from 'ava';
import { RESOLVE_BOOKING } from '../../src/contracts/create-shipment.js';
import { scheduleIds, taskQueues, workflowIds } from '../../src/contracts/ids.js';
import { dataConverterOf } from '../../src/temporal/data-converter.js';
import { EncryptingCodec } from '../../src/temporal/payload-codec.js';
import { ensureSchedules } from '../../src/temporal/schedules.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { decide, detailsOf, found } from '../support/runs.js';
import { type TestStack } from '../support/stack.js';

const { UpdateWorkflowExecutionLifecycleStage: Stage } = proto.temporal.api.enums.v1;
const GIVE_UP = { action: 'give_up', attempt: 1, reason: 'the test is over' } as const;

const double = carrierDouble('double');
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack(
    {
      doubles: [double.adapter],
      env: { TEMPORAL_PAYLOAD_KEY: `k7:${randomBytes(32).toString('base64')}` },
    },
    { createWaitMs: 1000 },
  ));
});
test.after.always(() => stack?.close());

test.serial('resolveBooking in clear is refused, and the run waits for the right decision', async (t) => {
  const run = await waiting();

  const refusal = await update(run, defaultPayloadConverter.toPayload(GIVE_UP));

  t.regex(refusal ?? '', /^This input is not encrypted.*Decide with "admin resolve"/);
  t.is(await decide(stack.temporal, run.workflowId, GIVE_UP), 'refused');
  t.is(await failedTasks(run), 0);
});

test.serial("a decision that was copied from another run's history is refused", async (t) => {
  const [one, other] = [await waiting(), await waiting()];
  await decide(stack.temporal, one.workflowId, GIVE_UP);
  const { events } = await one.fetchHistory();
  const [recorded] = (events ?? []).flatMap(
    (event) =>
      event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.args?.payloads ?? [],
  );

  const refusal = await update(other, recorded ?? {});

  t.is(refusal, 'This payload belongs to another run.');
  t.is(await decide(stack.temporal, other.workflowId, GIVE_UP), 'refused');
});

test.serial('a decision that a person encrypted at the codec endpoint is taken', async (t) => {
  const run = await waiting();
  const codec = new EncryptingCodec(encryption());
  const [decision] = codec.encodeForAnyRun([defaultPayloadConverter.toPayload(GIVE_UP)]);

  const refusal = await eventually(async () => {
    const told = await update(run, decision ?? {});
    return told === undefined ? 'none' : told !== 'This shipment does not wait for a decision.' && told;
  }, 'the run to wait');

  t.is(refusal, 'none');
});

test.serial("a run that was started with another run's input does nothing", async (t) => {
  const created = await api.create(shipmentBody(stack.account, 'double'));
  const { events } = await (await creationOf(created.body.data.uuid)).fetchHistory();
  const started = events?.[0]?.workflowExecutionStartedEventAttributes;
  const booked = double.booked.length;
  const workflowId = workflowIds.createShipment(stack.account.id, randomBytes(16).toString('hex'));

  await stack.temporal.connection.workflowService.startWorkflowExecution({
    namespace: stack.temporal.options.namespace,
    workflowId,
    requestId: randomUUID(),
    workflowType: started?.workflowType ?? null,
    taskQueue: started?.taskQueue ?? null,
    input: started?.input ?? null,
  });

  const run = stack.temporal.workflow.getHandle(workflowId);
  await eventually(async () => (await failedTasks(run)) > 0, 'the failed workflow task');
  const kinds = ((await run.fetchHistory()).events ?? []).map(
    ({ attributes }: { attributes?: string }) => attributes,
  );
  t.false(kinds.some((kind) => kind?.startsWith('activityTask') || kind?.startsWith('marker')));
  t.is(double.booked.length, booked);
  await run.terminate('tested');
});

test.serial("a Schedule's runs read its input, and migrate what is there", async (t) => {
  for (const _ of ['first', 'second']) {
    await ensureSchedules(stack.temporal, { providers: [], pollIntervalSeconds: 60 });
  }

  await stack.temporal.schedule.getHandle(scheduleIds.resumeBatches).trigger();

  const query = `TemporalScheduledById="${scheduleIds.resumeBatches}"`;
  const [id = ''] = await found(stack.temporal, query);
  const run = stack.temporal.workflow.getHandle(id);
  t.regex(id, /Z$/);
  await eventually(async () => /round/.test(await detailsOf(run)), 'a round');
  t.is(await failedTasks(run), 0);
  await run.terminate('tested');
});

test.serial(
  'a run of a Schedule reads the result of the run before, whose id has another time',
  async (t) => {
    const [before, workflowId] = ['2026-11-26T09:47:00Z', '2026-11-26T09:48:00Z'].map((at) => `sweep-${at}`);
    const { namespace } = stack.temporal.options;
    const payloads = await new EncryptingCodec(encryption()).encode([defaultPayloadConverter.toPayload(3)], {
      type: 'workflow',
      namespace,
      workflowId: `${before}`,
    });

    await stack.temporal.connection.workflowService.startWorkflowExecution({
      namespace,
      workflowId: `${workflowId}`,
      requestId: randomUUID(),
      workflowType: { name: 'housekeeping' },
      taskQueue: { name: taskQueues.shipments },
      lastCompletionResult: { payloads },
    });

    const run = stack.temporal.workflow.getHandle(`${workflowId}`);
    await t.notThrowsAsync(run.result());
    t.is(await failedTasks(run), 0);
  },
);

/** A creation whose outcome nobody knows. */
async function waiting(): Promise<WorkflowHandle> {
  double.next.push({ kind: 'unknown', text: 'no reply' });
  const pending = await api.create(shipmentBody(stack.account, 'double'));
  return await creationOf(pending.body.data.uuid);
}

async function creationOf(uuid: string): Promise<WorkflowHandle> {
  const [row] = await stack.db.select('SELECT workflow_id FROM shipments WHERE uuid = ?', [uuid]);
  return stack.temporal.workflow.getHandle(String(row?.workflow_id));
}

/** Sends a decision as it is; returns why it was refused. */
async function update(run: WorkflowHandle, decision: Payload): Promise<string | undefined> {
  const { namespace } = stack.temporal.options;
  const { workflowId } = run;
  const { outcome } = await stack.temporal.connection.workflowService.updateWorkflowExecution({
    namespace,
    workflowExecution: { workflowId },
    waitPolicy: { lifecycleStage: Stage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_COMPLETED },
    request: {
      meta: { updateId: randomUUID(), identity: 'a person' },
      input: { name: RESOLVE_BOOKING, args: { payloads: [decision] } },
    },
  });
  const error = await decodeOptionalFailureToOptionalError(
    loadDataConverter(dataConverterOf(stack.config)),
    outcome?.failure,
    { type: 'workflow', namespace, workflowId },
  );
  return error?.message;
}

async function failedTasks(run: WorkflowHandle): Promise<number> {
  const { events } = await run.fetchHistory();
  return (events ?? []).filter((event) => event.workflowTaskFailedEventAttributes != null).length;
}

function encryption() {
  const { payloadEncryption } = stack.config;
  if (payloadEncryption === null) throw new Error('the stack does not encrypt');
  return payloadEncryption;
}
