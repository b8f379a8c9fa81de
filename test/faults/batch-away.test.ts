import test from 'ava';
import type { BookingDecision } from '../../src/contracts/create-shipment.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { patient } from '../support/patience.js';
import { decide } from '../support/runs.js';
import type { SandboxClient } from '../support/sandbox-client.js';
import { startStack, type TestStack } from '../support/stack.js';

const ITEMS = Number(process.env.FAULT_BATCH_ITEMS ?? 40);
/** So that the window of the license is as wide as for any carrier that works. */
const BEFORE = 30;
const HALF = ITEMS / 2;
const LIMIT_MS = 30_000 + ITEMS * 1000;
/** A carrier that can neither be asked for a parcel nor told of a repeat. */
const PROVIDER = 'cargo';

/** A shipment whose creation waits for an operator. */
interface Waiting {
  uuid: string;
  workflowId: string;
}

test('a carrier away for longer than keys live, a batch that waits, half of it resolved by hand: one parcel each', async (t) => {
  t.timeout(patient(5 * LIMIT_MS));
  const stack = await startStack();
  t.teardown(() => stack.close());
  const sandbox = stack.sandboxes.get(PROVIDER);
  if (sandbox === undefined) throw new Error(`${PROVIDER} has no sandbox`);
  const api = new ApiClient(await stack.startApi(), stack.account);
  await stack.startWorkers();
  await completed(api, await send(stack, api, BEFORE));
  await sandbox.fault({ operation: 'book', kind: 'drop_after', times: HALF });
  await sandbox.fault({ operation: 'book', kind: 'drop_before', times: 0 });

  const id = await send(stack, api, ITEMS);
  const waiting = await eventually(() => allWaiting(stack), 'all items to wait for an operator', LIMIT_MS);
  const booked = (await sandbox.ledger()).length;
  await expireKeys(stack);
  await sandbox.fault({ kind: 'none' });
  await resolve(stack, sandbox, waiting.slice(0, HALF));
  // The decided half has an answer now, whose time ends while the other half still waits.
  const half = await eventually(
    async () => {
      const { data } = (await api.get(`/batches/${id}`)).body;
      return data.summary.created === HALF && data;
    },
    'the half that was decided',
    LIMIT_MS,
  );
  const expired = await expireKeys(stack);
  await resolve(stack, sandbox, waiting.slice(HALF));
  const batch = await eventually(
    async () => {
      const { data } = (await api.get(`/batches/${id}`)).body;
      return data.status === 'completed' && data;
    },
    'the end of the batch',
    LIMIT_MS,
  );

  t.is(booked, BEFORE + HALF);
  t.deepEqual(half.summary, { total: ITEMS, created: HALF, failed: 0, pending: HALF });
  t.is(expired, HALF);
  t.deepEqual(batch.summary, { total: ITEMS, created: ITEMS, failed: 0, pending: 0 });
  const parcels = (await sandbox.ledger()).map(({ reference, code }) => `${reference} ${code}`);
  const shipments = await stack.db.select('SELECT uuid, tracking_code FROM shipments');
  t.is(parcels.length, BEFORE + ITEMS);
  t.deepEqual(shipments.map((row) => `${row.uuid} ${row.tracking_code}`).sort(), parcels.sort());
});

/** Sends a batch and gives its id. */
async function send(stack: TestStack, api: ApiClient, count: number): Promise<string> {
  const answer = await api.post('/batches', {
    license_key: stack.account.licenseKeys[PROVIDER],
    shipments: Array.from({ length: count }, () => shipmentBody(stack.account, PROVIDER)),
  });
  return answer.body.data.id;
}

async function completed(api: ApiClient, id: string) {
  const probe = async () => {
    const { data } = (await api.get(`/batches/${id}`)).body;
    return data.status === 'completed' && data;
  };
  return await eventually(probe, 'the end of the batch', LIMIT_MS);
}

async function allWaiting(stack: TestStack): Promise<Waiting[] | false> {
  const rows = await stack.db.select(
    `SELECT uuid, workflow_id FROM shipments WHERE status_code = 'needs_attention' AND state = 'reserved'`,
  );
  return (
    rows.length === ITEMS &&
    rows.map((row) => ({ uuid: String(row.uuid), workflowId: String(row.workflow_id) }))
  );
}

/** Ends the life of every key that has one, and lets housekeeping drop them; how many it dropped. */
async function expireKeys(stack: TestStack): Promise<number> {
  await stack.db.run(
    'UPDATE idempotency_keys SET expires_at = NOW(6) - INTERVAL 1 SECOND WHERE expires_at IS NOT NULL',
  );
  const { expiredKeys } = await stack.temporal.workflow.execute('housekeeping', {
    taskQueue: 'shipments',
    workflowId: `housekeeping-${Date.now()}`,
  });
  return expiredKeys;
}

/** Acts as an operator: looks in the carrier's own system, adopts the parcel that is there or sends it again. */
async function resolve(stack: TestStack, sandbox: SandboxClient, waiting: readonly Waiting[]): Promise<void> {
  const codes = new Map((await sandbox.ledger()).map(({ reference, code }) => [reference, code]));
  for (const { uuid, workflowId } of waiting) {
    const code = codes.get(uuid);
    const [newest] = await stack.db.select(
      'SELECT MAX(number) attempt FROM carrier_attempts WHERE shipment_uuid = ?',
      [uuid],
    );
    const decision: BookingDecision =
      code === undefined
        ? { action: 'retry', attempt: Number(newest?.attempt) }
        : { action: 'adopt', trackingCode: code };
    await decide(stack.temporal, workflowId, decision);
  }
}
