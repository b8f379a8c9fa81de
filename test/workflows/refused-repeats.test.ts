import test from 'ava';
import { type BookingDecision, RESOLVE_BOOKING } from '../../src/contracts/create-shipment.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { type TestStack } from '../support/stack.js';

/** A carrier that refuses references used before and cannot be asked which parcel has one. */
const double = carrierDouble('rejecting', 'rejects');
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack({ doubles: [double.adapter] }, { createWaitMs: 20_000 }));
});

test.after.always(() => stack?.close());

test.beforeEach(() => {
  double.booked.length = 0;
  double.next.length = 0;
  double.refusesAfterFirst = false;
});

const create = (key: string) => api.create(shipmentBody(stack.account, 'rejecting'), key);

test.serial(
  'an unknown outcome is settled by a repeat: accepted means that nothing was booked',
  async (t) => {
    double.next.push({ kind: 'unknown', text: 'reset' });

    const created = await create('nothing-booked');

    t.is(created.status, 201, created.text);
    t.is(created.body.data.tracking_code, 'rejecting-2');
    t.deepEqual(await attemptsOf(created.body.data.uuid), ['1 unknown', '2 accepted']);
  },
);

test.serial('an attempt whose process died is settled by a repeat as well', async (t) => {
  double.next.push({ kind: 'throttled', retryAfterMs: 1500, text: 'slow' });
  const asked = create('process-died');
  const uuid = await eventually(async () => {
    const [row] = await stack.db.select(
      `SELECT shipment_uuid FROM carrier_attempts WHERE state = 'not_sent' AND number = 1`,
    );
    return row === undefined ? false : String(row.shipment_uuid);
  }, 'the attempt that was not sent');
  await stack.db.run(`UPDATE carrier_attempts SET state = 'sending' WHERE shipment_uuid = ?`, [uuid]);

  const created = await asked;

  t.is(created.status, 201, created.text);
  t.deepEqual(await attemptsOf(uuid), ['1 unknown', '2 accepted']);
});

test.serial('a repeat refused as duplicate waits for an operator, who sees the reference', async (t) => {
  double.next.push({ kind: 'unknown', text: 'reset' }, { kind: 'duplicate', text: 'Used before' });

  const pending = await create('was-booked');
  const { uuid } = pending.body.data;

  t.is(pending.status, 202, pending.text);
  await eventually(async () => (await statusOf(uuid)) === 'needs_attention', 'needs_attention');
  t.deepEqual(await attemptsOf(uuid), ['1 unknown', '2 unknown']);
  t.is(
    await reasonOf(uuid),
    `The carrier has the parcel under the reference ${uuid} but does not show it: Used before`,
  );
  t.is(double.booked.length, 1);
  await decide(uuid, { action: 'adopt', trackingCode: 'FOUND-1' });
  await eventually(async () => (await statusOf(uuid)) === 'created', 'created');
  t.is((await api.get(`/shipments/${uuid}`)).body.data.tracking_code, 'FOUND-1');
});

test.serial('a retry of what the carrier has already waits again, without a second parcel', async (t) => {
  double.next.push({ kind: 'duplicate', text: 'Used before' }, { kind: 'duplicate', text: 'Used before' });
  const pending = await create('retried');
  const { uuid } = pending.body.data;
  await eventually(async () => (await statusOf(uuid)) === 'needs_attention', 'needs_attention');

  const answer = await decide(uuid, { action: 'retry', attempt: 1 });

  t.regex(answer, /still unknown/);
  t.is(await statusOf(uuid), 'needs_attention');
  t.deepEqual(double.booked, []);
  await decide(uuid, { action: 'give_up', attempt: 2, reason: 'Cleared with the carrier.' });
});

for (const refusal of ['the carrier', 'our checks'] as const) {
  test.serial(
    `a repeat refused by ${refusal} does not free what the first call may have booked`,
    async (t) => {
      double.refusesAfterFirst = refusal === 'our checks';
      double.next.push({ kind: 'unknown', text: 'reset' });
      if (refusal === 'the carrier') double.next.push({ kind: 'rejected', code: '1', text: 'refused' });

      const pending = await create(`refused-by-${refusal.length}`);
      const { uuid } = pending.body.data;

      t.is(pending.status, 202, pending.text);
      await eventually(async () => (await statusOf(uuid)) === 'needs_attention', 'needs_attention');
      t.is(double.booked.length, 1);
      await decide(uuid, { action: 'adopt', trackingCode: `FOUND-BY-${refusal.length}` });
      await eventually(async () => (await statusOf(uuid)) === 'created', 'created');
    },
  );
}

test.serial('a refusal of the first call, or after calls that never left, frees the key', async (t) => {
  double.next.push(
    { kind: 'unavailable', text: 'away' },
    { kind: 'rejected', code: '1', text: 'No such street' },
  );

  const refused = await create('refused');
  const again = await create('refused');

  t.is(refused.status, 422, refused.text);
  t.is(refused.body.error.message, 'No such street');
  t.is(again.status, 201, again.text);
});

async function statusOf(uuid: string): Promise<string | undefined> {
  return (await api.get(`/shipments/${uuid}`)).body.data?.status.code;
}

/** The reason of the question, as people are shown it. */
async function reasonOf(uuid: string): Promise<string> {
  const [row] = await stack.db.select('SELECT status_description FROM shipments WHERE uuid = ?', [uuid]);
  return String(row?.status_description);
}

async function attemptsOf(uuid: string): Promise<string[]> {
  const rows = await stack.db.select(
    'SELECT number, state FROM carrier_attempts WHERE shipment_uuid = ? ORDER BY number',
    [uuid],
  );
  return rows.map((row) => `${row.number} ${row.state}`);
}

async function decide(uuid: string, decision: BookingDecision): Promise<string> {
  const [row] = await stack.db.select('SELECT workflow_id FROM shipments WHERE uuid = ?', [uuid]);
  const handle = stack.temporal.workflow.getHandle(String(row?.workflow_id));
  return await handle.executeUpdate<string, [BookingDecision]>(RESOLVE_BOOKING, { args: [decision] });
}
