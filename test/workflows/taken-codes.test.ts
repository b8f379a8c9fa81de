import test from 'ava';
import type { CarrierAdapter, Outcome } from '../../src/carriers/contract.js';
import type { BookedParcel } from '../../src/domain/shipment.js';
import { runAdmin } from '../support/admin.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { inboundEvent, inboundUrlOf, tell, withInbound } from '../support/inbound.js';
import { decide } from '../support/runs.js';
import { type TestStack } from '../support/stack.js';

const double = carrierDouble('double');
const telling = carrierDouble('telling');
const asked = carrierDouble('asked', 'rejects');
/** Makes its codes itself, as own couriers do. */
/** The code that the look-up of `asked` finds, whatever it is asked for. */
let found = '';
const asking: CarrierAdapter = {
  ...asked.adapter,
  findByReference: async () => ({ kind: 'accepted', value: parcel(found) }),
};
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack(
    { doubles: [double.adapter, withInbound(telling.adapter), asking] },
    { createWaitMs: 20_000 },
  ));
});
test.after.always(() => stack?.close());

const create = (provider: string) => api.create(shipmentBody(stack.account, provider));
const resolve = (...args: string[]) => runAdmin(['resolve', ...args], stack.env);

test.serial('a number that another live shipment has is a question for a person', async (t) => {
  double.next.push(booked('SAME-1'), booked('SAME-1'));
  const first = await create('double');
  const calls = double.told.length;

  const second = await create('double');
  const { uuid } = second.body.data;
  const listed = JSON.parse((await runAdmin(['needs-attention', '--json'], stack.env)).out);
  const adopted = await resolve(uuid, '--adopt', 'SAME-1');
  const stillWaits = await statusOf(uuid);
  const evenSo = await resolve(uuid, '--adopt', 'SAME-1', '--even-so');

  const why = `The carrier gave the number of shipment ${first.body.data.uuid}: SAME-1.`;
  t.is(first.status, 201, first.text);
  t.is(second.status, 202, second.text);
  t.is(second.body.data.status.code, 'needs_attention');
  t.is(double.told.length, calls + 1);
  t.like(listed, [{ uuid, reason: why }]);
  t.is(adopted.code, 1);
  t.true(adopted.err.includes(why), adopted.err);
  t.is(stillWaits, 'needs_attention');
  t.is(evenSo.code, 0, evenSo.err);
  t.like((await api.get(`/shipments/${uuid}`)).body.data, { tracking_code: 'SAME-1' });
});

test.serial('a person adopts the right number instead, or books again', async (t) => {
  double.next.push(booked('SAME-2'), booked('SAME-2'), booked('SAME-2'), booked('FRESH-2'));
  await create('double');
  const [one, other] = [await create('double'), await create('double')];

  const adopted = await resolve(one.body.data.uuid, '--adopt', 'RIGHT-2');
  const retried = await resolve(other.body.data.uuid, '--retry', '--attempt', '1');

  t.deepEqual([one.status, other.status], [202, 202]);
  t.is(adopted.out, 'created with tracking code RIGHT-2\n');
  t.is(retried.out, 'created with tracking code FRESH-2\n');
  const attempts = await stack.db.select(
    'SELECT state, outcome_code FROM carrier_attempts WHERE shipment_uuid = ? ORDER BY number',
    [other.body.data.uuid],
  );
  t.deepEqual(attempts, [
    { state: 'unknown', outcome_code: 'code_taken' },
    { state: 'accepted', outcome_code: 'FRESH-2' },
  ]);
});

test.serial('a number of one that is not alive any more, or is old, is taken', async (t) => {
  double.next.push(booked('SAME-3'), booked('SAME-3'), booked('SAME-3'));
  const cancelled = await create('double');
  await stack.db.run('UPDATE shipments SET is_active = FALSE WHERE uuid = ?', [cancelled.body.data.uuid]);

  const next = await create('double');
  await stack.db.run('UPDATE shipments SET created_at = created_at - INTERVAL 61 DAY WHERE uuid = ?', [
    next.body.data.uuid,
  ]);
  const last = await create('double');

  t.deepEqual([next.status, last.status], [201, 201], next.text + last.text);
});

test.serial('a look-up that finds the parcel of another shipment finds none', async (t) => {
  const first = await create('asked');
  found = first.body.data.tracking_code;
  asked.next.push({ kind: 'unknown', text: 'reset' });

  const second = await create('asked');

  t.is(second.status, 202, second.text);
  t.is(second.body.data.status.code, 'needs_attention');
  t.is(
    await reasonOf(second.body.data.uuid),
    `The carrier gave the number of shipment ${first.body.data.uuid}: ${found}.`,
  );
});

test.serial('a webhook with the number of another shipment adopts nothing', async (t) => {
  const first = await create('telling');
  telling.next.push({ kind: 'unknown', text: 'reset' });
  const { uuid } = (await create('telling')).body.data;
  const url = await inboundUrlOf(stack, api.url, 'telling');

  const trackingCode = first.body.data.tracking_code;
  await tell(url, [inboundEvent('collected', { trackingCode, reference: uuid })]);
  await eventually(async () => {
    const [row] = await stack.db.select(`SELECT id FROM inbound_events WHERE reason = 'not_booked_yet'`);
    return row;
  }, 'the event that waits');

  t.is(await statusOf(uuid), 'needs_attention');
  const adopted = await resolve(uuid, '--adopt', 'TOLD-1');
  t.is(adopted.code, 0, adopted.err);
});

test.serial('a parcel that is recorded while its refusal is written counts, for all who ask', async (t) => {
  double.next.push({ kind: 'unknown', text: 'reset' });
  const { uuid } = (await create('double')).body.data;
  const [row] = await stack.db.select('SELECT workflow_id FROM shipments WHERE uuid = ?', [uuid]);
  const workflowId = String(row?.workflow_id);

  // A late try's work, between the decision's last look and the release.
  const answer = await stack.db.transaction(async (tx) => {
    await tx.select('SELECT id FROM shipments WHERE uuid = ? FOR UPDATE', [uuid]);
    const decided = decide(stack.temporal, workflowId, { action: 'give_up', reason: 'ordered twice' });
    await eventually(() => isReleasing(), 'the release');
    await tx.run(
      `UPDATE shipments SET state = 'created', status_code = 'created', tracking_code = 'LATE-4' WHERE uuid = ?`,
      [uuid],
    );
    await tx.run(
      `UPDATE idempotency_keys SET response_status = 201, response_body = '{}', finished_at = NOW(6)
       WHERE shipment_uuid = ?`,
      [uuid],
    );
    return { decided };
  });

  t.is(await answer.decided, 'created with tracking code LATE-4');
  const run = stack.temporal.workflow.getHandle(workflowId);
  t.like(await run.result(), { shipmentUuid: uuid, status: 201 });
  t.is(await statusOf(uuid), 'created');
});

/** Whether the step that frees the key waits for the shipment's row. */
async function isReleasing(): Promise<boolean> {
  const rows = await stack.db.select(
    `SELECT id FROM information_schema.processlist
     WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info LIKE '%answered_pending AS%JSON_UNQUOTE%'`,
  );
  return rows.length > 0;
}

async function statusOf(uuid: string): Promise<string | undefined> {
  return (await api.get(`/shipments/${uuid}`)).body.data?.status.code;
}

async function reasonOf(uuid: string): Promise<string> {
  const [row] = await stack.db.select('SELECT status_description FROM shipments WHERE uuid = ?', [uuid]);
  return String(row?.status_description);
}

function parcel(trackingCode: string): BookedParcel {
  return { trackingCode, carrierReference: null, description: null };
}

function booked(trackingCode: string): Outcome<BookedParcel> {
  return { kind: 'accepted', value: parcel(trackingCode) };
}
