import proto from '@temporalio/proto';
import test from 'ava';
import { idempotencyOf } from '../../src/api/idempotency.js';
import { creationFingerprint } from '../../src/api/v2/shipments/sent-body.js';
import type { CreateShipmentResult } from '../../src/contracts/create-shipment.js';
import { workflowIds } from '../../src/contracts/ids.js';
import { shipmentBody, startApiStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { insertTestShipment } from '../support/factories.js';
import { send } from '../support/http-send.js';

/** Where a run that is reset goes on: before it has done anything. */
const FIRST_TASK_COMPLETED = 4;

const double = carrierDouble('double');
const other = carrierDouble('other');
const doubles = [double.adapter, other.adapter];
const { stack, api } = await startApiStack({ doubles }, { createWaitMs: 20_000 });
test.after.always(() => stack.close());

for (const version of ['v1', 'v2'] as const) {
  for (const how of ['reset', 'started again'] as const) {
    test.serial(
      `${version}: a creation that is ${how} after its key's life meets its shipment, and books nothing`,
      async (t) => {
        const created = await create(version);
        await stack.db.run('DELETE FROM idempotency_keys WHERE shipment_uuid = ?', [created.uuid]);
        const calls = double.told.length;

        const result = await (how === 'reset' ? reset(created.workflowId) : startAgain(created.workflowId));

        t.is(result.shipmentUuid, created.uuid);
        t.is(result.body, created.stored);
        t.is(double.told.length, calls);
      },
    );
  }
}

test.serial(
  'a creation that is reset meets its shipment also where the order may have but one',
  async (t) => {
    await stack.db.run('UPDATE licenses SET multiple_shipment = FALSE');
    t.teardown(() => stack.db.run('UPDATE licenses SET multiple_shipment = TRUE'));
    const created = await create('v2');
    await stack.db.run('DELETE FROM idempotency_keys WHERE shipment_uuid = ?', [created.uuid]);

    const result = await reset(created.workflowId);

    t.is(result.body, created.stored);
  },
);

test.serial('a creation that is reset meets its reservation, and books that', async (t) => {
  const letGo = double.hold(t);
  const body = shipmentBody(stack.account, 'double');
  const asked = api.create(body);
  const { uuid, workflowId } = await eventually(async () => {
    const [row] = await stack.db.select(
      `SELECT s.uuid, s.workflow_id FROM shipments s JOIN orders o ON o.id = s.order_id
       JOIN carrier_attempts a ON a.shipment_uuid = s.uuid WHERE o.order_id = ?`,
      [body.order.id],
    );
    return row !== undefined && { uuid: String(row.uuid), workflowId: String(row.workflow_id) };
  }, 'the call to the carrier');
  await stack.temporal.workflow.getHandle(workflowId).terminate('test');
  letGo();
  await asked;
  await eventually(async () => {
    const [row] = await stack.db.select(`SELECT id FROM shipments WHERE uuid = ? AND state = 'created'`, [
      uuid,
    ]);
    return row;
  }, 'the end of the call');
  // As after a restore that has lost key and booking.
  await stack.db.run('DELETE FROM idempotency_keys WHERE shipment_uuid = ?', [uuid]);
  await stack.db.run('DELETE FROM carrier_attempts WHERE shipment_uuid = ?', [uuid]);
  await stack.db.run(`UPDATE shipments SET state = 'reserved', tracking_code = NULL WHERE uuid = ?`, [uuid]);

  const result = await reset(workflowId);

  t.is(result.shipmentUuid, uuid);
  t.is((await api.get(`/shipments/${uuid}`)).body.data.status.code, 'created');
});

test.serial(
  'a reservation is booked with its own license, though the same body has another by now',
  async (t) => {
    const { license_key: _, ...body } = shipmentBody(stack.account, 'double');
    const [first, second] = [await licenseOf('double'), await licenseOf('other')];
    const { keyHash, fingerprint } = idempotencyOf(
      {
        fingerprint: creationFingerprint(body),
        headerValues: [],
      },
      stack.config,
    );
    const accountId = stack.account.id;
    const { uuid } = await insertTestShipment(
      stack.db,
      { accountId, licenseId: first.id, carrierId: first.carrierId },
      {
        state: 'reserved',
        tracking_code: null,
        status_code: 'pending',
        workflow_id: workflowIds.createShipment(accountId, keyHash),
      },
    );
    await stack.db.run(
      `INSERT INTO idempotency_keys (account_id, api, key_hash, fingerprint, shipment_uuid, expires_at)
     VALUES (?, 'v2', ?, ?, ?, NOW(6) + INTERVAL 1 DAY)`,
      [accountId, Buffer.from(keyHash, 'hex'), Buffer.from(fingerprint, 'hex'), uuid],
    );
    await stack.db.run('UPDATE licenses SET is_active = (id = ?)', [second.id]);
    t.teardown(() => stack.db.run('UPDATE licenses SET is_active = TRUE'));

    const created = await api.create(body);

    t.is(created.status, 201, created.text);
    t.is(created.body.data.uuid, uuid);
    const [row] = await stack.db.select('SELECT license_id, state FROM shipments WHERE uuid = ?', [uuid]);
    t.deepEqual({ ...row, license_id: Number(row?.license_id) }, { license_id: first.id, state: 'created' });
    t.true(double.booked.includes(uuid));
    t.false(other.booked.includes(uuid));
  },
);

/** A shipment that was created, and the answer that its key had. */
async function create(version: 'v1' | 'v2') {
  const body = shipmentBody(stack.account, 'double');
  const answer = await (version === 'v2'
    ? api.create(body)
    : send(`${api.url}/api/shipping/open_new_order`, 'POST', {
        json: { ...body, domain: 'shop.test' },
        headers: { accept: 'application/json' },
      }));
  if (answer.status >= 300) throw new Error(answer.text);
  const [row] = await stack.db.select(
    `SELECT s.uuid, s.workflow_id, k.response_body FROM shipments s JOIN orders o ON o.id = s.order_id
     JOIN idempotency_keys k ON k.shipment_uuid = s.uuid WHERE o.order_id = ?`,
    [body.order.id],
  );
  const workflowId = String(row?.workflow_id);
  await stack.temporal.workflow.getHandle(workflowId).result();
  return { uuid: String(row?.uuid), workflowId, stored: String(row?.response_body) };
}

async function reset(workflowId: string): Promise<CreateShipmentResult> {
  const { runId } = await stack.temporal.workflow.getHandle(workflowId).describe();
  const { ResetWorkflowExecutionRequest } = proto.temporal.api.workflowservice.v1;
  await stack.temporal.workflowService.resetWorkflowExecution(
    ResetWorkflowExecutionRequest.fromObject({
      namespace: stack.config.temporalNamespace,
      workflowExecution: { workflowId, runId },
      workflowTaskFinishEventId: FIRST_TASK_COMPLETED,
      requestId: `reset/${runId}`,
      reason: 'test',
    }),
  );
  return await stack.temporal.workflow.getHandle(workflowId).result();
}

/** Starts a run as "Start Workflow Like This One" does. */
async function startAgain(workflowId: string): Promise<CreateShipmentResult> {
  const { events } = await stack.temporal.workflow.getHandle(workflowId).fetchHistory();
  const input = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  const args = input.map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()));
  const run = await stack.temporal.workflow.start('createShipment', {
    workflowId,
    taskQueue: 'shipments',
    args,
  });
  return await run.result();
}

async function licenseOf(provider: string): Promise<{ id: number; carrierId: number }> {
  const [row] = await stack.db.select(
    'SELECT l.id, c.carrier_id FROM licenses l JOIN companies c ON c.id = l.company_id WHERE l.license_key = ?',
    [stack.account.licenseKeys[provider] ?? ''],
  );
  return { id: Number(row?.id), carrierId: Number(row?.carrier_id) };
}
