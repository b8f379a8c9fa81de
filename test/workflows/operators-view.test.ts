import type { WorkflowHandle } from '@temporalio/client';
import proto from '@temporalio/proto';
import test from 'ava';
import { ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { keepHistory } from '../support/histories.js';
import { attributesOf, decide, detailsOf, found, summaryOf } from '../support/runs.js';

const double = carrierDouble('double');
const AWAY = { kind: 'unavailable', text: 'The carrier cannot be reached (ECONNREFUSED).' } as const;
/** Events of a creation that meets no trouble. */
const EVENTS = 13;
/** The event by which a run's first task is done. */
const FIRST_TASK_COMPLETED = 4;
const { stack, api } = await startApiStack(
  { doubles: [double.adapter], multipleShipment: false },
  { createWaitMs: 20_000 },
);
test.after.always(() => stack.close());

test.serial(
  'a booked shipment: its run is found by every name, before and after its cancellation',
  async (t) => {
    const body = shipmentBody(stack.account, 'run');
    const { uuid, tracking_code: code } = (await api.create(body)).body.data;
    const run = await runOf(uuid);
    await run.result();

    const before = await attributesOf(run);
    await api.post(`/shipments/${uuid}/cancel`, {});
    const cancelling = stack.temporal.workflow.getHandle(`cancel/${uuid}`);

    t.like(before, { ShipmentId: uuid, OrderId: body.order.id, TrackingCode: code, BookingState: 'booked' });
    t.deepEqual(await attributesOf(run), before);
    t.is((await run.describe()).historyLength, EVENTS);
    t.is(await detailsOf(run), `Booked with Run: ${code}. \`admin show ${uuid}\` tells more.`);
    t.is(await summaryOf(run), `Create a shipment for order ${body.order.id}, Test merchant with Run`);
    t.like(await attributesOf(cancelling), {
      ShipmentId: uuid,
      OrderId: body.order.id,
      BookingState: 'cancelled',
    });
    t.is(await detailsOf(cancelling), `Cancelled with run: ${code}. \`admin show ${uuid}\` tells more.`);
    const runs = await eventually(async () => {
      const ids = await found(stack.temporal, `OrderId="${body.order.id}"`);
      return ids.length === 2 && ids;
    }, 'both runs in the list');
    t.deepEqual(runs.toSorted(), [cancelling.workflowId, run.workflowId].toSorted());
  },
);

test.serial(
  'while a carrier is away: the uuid of a 202 finds the run, which says what it waits for',
  async (t) => {
    const impatient = new ApiClient(await stack.startApi(undefined, { createWaitMs: 100 }), stack.account);
    double.next.push(...Array.from({ length: 12 }, () => AWAY));

    const body = shipmentBody(stack.account, 'double');
    const accepted = await eventually(async () => {
      const answer = await impatient.create(body, 'away');
      return answer.status === 202 && answer;
    }, 'the 202');
    const { uuid } = accepted.body.data;
    const [workflowId = ''] = await found(
      stack.temporal,
      `ShipmentId="${uuid}" AND ExecutionStatus="Running"`,
    );
    const run = stack.temporal.workflow.getHandle(workflowId);
    const waits = await eventually(async () => {
      const details = await detailsOf(run);
      return details.startsWith('**Waits for Double double.**') && details;
    }, 'the sentence');
    double.next.length = 0;
    await run.result();

    const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`;
    t.regex(
      waits,
      new RegExp(
        String.raw`ECONNREFUSED\)\. It was asked \d times since ${time}; the next try comes within a minute, the last ` +
          `at ${time}, and then a person decides`,
      ),
    );
    t.is((await attributesOf(run)).BookingState, 'booked');
    t.regex(await detailsOf(run), /^Booked with Double double: /);
    await keepHistory(run, 'createShipment', 'waited');
  },
);

test.serial('a pause that a carrier asks for is named, and an hour at most', async (t) => {
  const impatient = new ApiClient(await stack.startApi(undefined, { createWaitMs: 100 }), stack.account);
  double.next.push({
    kind: 'throttled',
    retryAfterMs: 48 * 3_600_000,
    text: 'The carrier answered HTTP 429.',
  });

  const body = shipmentBody(stack.account, 'double');
  const accepted = await eventually(async () => {
    const answer = await impatient.create(body, 'throttled');
    return answer.status === 202 && answer;
  }, 'the 202');
  const run = await runOf(accepted.body.data.uuid);
  const waits = await eventually(async () => {
    const details = await detailsOf(run);
    return details.includes('HTTP 429') && details;
  }, 'the sentence');
  const [booking] = (await run.describe()).raw.pendingActivities ?? [];
  await run.cancel();
  await t.throwsAsync(run.result());

  t.is(Number(booking?.currentRetryInterval?.seconds), 3600);
  t.regex(waits, /It was asked 1 time since .+; the next try is at \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
  t.regex(await detailsOf(run), /^Ended from outside while Double double was asked\./);
});

test.serial('what is not booked is not said to be pending', async (t) => {
  const body = shipmentBody(stack.account, 'double');
  const created = await api.create(body, 'first');
  const duplicate = await api.create(body, 'second');
  double.next.push({ kind: 'rejected', code: '7', text: 'No such street.' });
  const refused = await api.create(shipmentBody(stack.account, 'double'), 'refused');

  t.deepEqual([created.status, duplicate.status, refused.status], [201, 409, 422]);
  const [duplicateRun = ''] = await found(
    stack.temporal,
    `OrderId="${body.order.id}" AND ExecutionStatus="Failed"`,
  );
  const handle = stack.temporal.workflow.getHandle(duplicateRun);
  const attributes = await attributesOf(handle);
  t.is(attributes.BookingState, 'refused');
  t.false('ShipmentId' in attributes, 'there is no such shipment');
  t.regex(await detailsOf(handle), /^Nothing is booked, the carrier was not asked: /);
  await keepHistory(handle, 'createShipment', 'duplicate');
  const [row] = await stack.db.select(`SELECT uuid FROM shipments WHERE state = 'refused'`);
  t.like(await attributesOf(await runOf(String(row?.uuid))), {
    BookingState: 'refused',
    ShipmentId: row?.uuid,
  });
});

test.serial('a decision that was given is not waited for any more', async (t) => {
  double.next.push({ kind: 'unknown', text: 'connection reset after sending' });
  const { uuid } = (await api.create(shipmentBody(stack.account, 'double'), 'decided')).body.data;
  const run = await runOf(uuid);
  const waiting = await attributesOf(run);
  double.next.push(AWAY, AWAY);

  const decided = decide(stack.temporal, run.workflowId, { action: 'retry' });
  await eventually(async () => !('BookingState' in (await attributesOf(run))), 'the run without the state');
  await decided;
  await run.result();

  t.is(waiting.BookingState, 'needs_attention');
  t.is((await attributesOf(run)).BookingState, 'booked');
});

test.serial('a run that is reset after a refusal books under another uuid', async (t) => {
  double.next.push({ kind: 'rejected', code: '7', text: 'No such street.' });
  const body = shipmentBody(stack.account, 'double');
  await api.create(body, 'reset');
  const [workflowId = ''] = await found(stack.temporal, `OrderId="${body.order.id}"`);
  const { runId: firstRun } = await stack.temporal.workflow.getHandle(workflowId).describe();

  const { ResetWorkflowExecutionRequest } = proto.temporal.api.workflowservice.v1;
  await stack.temporal.workflowService.resetWorkflowExecution(
    ResetWorkflowExecutionRequest.fromObject({
      namespace: stack.config.temporalNamespace,
      workflowExecution: { workflowId, runId: firstRun },
      workflowTaskFinishEventId: FIRST_TASK_COMPLETED,
      requestId: 'reset',
      reason: 'test',
    }),
  );
  const again = stack.temporal.workflow.getHandle(workflowId);
  const result: { shipmentUuid: string } = await again.result();

  t.is((await api.get(`/shipments/${result.shipmentUuid}`)).body.data.status.code, 'created');
  t.is((await attributesOf(again)).ShipmentId, result.shipmentUuid);
});

async function runOf(uuid: string): Promise<WorkflowHandle> {
  const [row] = await stack.db.select('SELECT workflow_id FROM shipments WHERE uuid = ?', [uuid]);
  return stack.temporal.workflow.getHandle(String(row?.workflow_id));
}
