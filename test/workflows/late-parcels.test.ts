import test from 'ava';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import { tellParcel } from '../../src/services/shipments/parcel-story.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { type CarrierDouble, carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { patient as onThisMachine } from '../support/patience.js';
import { detailsOf } from '../support/runs.js';
import { type TestStack } from '../support/stack.js';

/** So long that a busy machine asks at least twice within it. */
const SETTLE_MS = Math.ceil(onThisMachine(2000));

/** A carrier that can be asked, and shows a parcel only to a question after its last answer. */
interface LateCarrier {
  double: CarrierDouble;
  adapter: CarrierAdapter;
  /** Look-ups after the second call that find nothing. */
  hiddenFor: number;
}

function lateCarrier(provider: string, duplicates: CarrierAdapter['duplicates']): LateCarrier {
  const double = carrierDouble(provider, duplicates);
  let asked = 0;
  const adapter: CarrierAdapter = {
    ...double.adapter,
    limits: { ...double.adapter.limits, settleMs: SETTLE_MS },
    async findByReference(reference) {
      const calls = double.told.filter((request) => request.reference === reference).length;
      if (calls < 2) asked = 0;
      else asked += 1;
      const isShown = calls >= 2 && asked > late.hiddenFor;
      const parcel = { trackingCode: `LATE-${reference}`, carrierReference: null, description: null };
      return { kind: 'accepted', value: isShown ? parcel : null };
    },
  };
  const late: LateCarrier = { double, adapter, hiddenFor: 1 };
  return late;
}

const rejecting = lateCarrier('late-rejecting', 'rejects');
const replaying = lateCarrier('late-replaying', 'replays');
const patient = lateCarrier('late-patient', 'rejects');
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack(
    { doubles: [rejecting.adapter, replaying.adapter, patient.adapter] },
    { createWaitMs: 20_000 },
  ));
});

test.after.always(() => stack?.close());

const REFUSALS = [
  { kind: 'rejected', code: '7', text: 'Under maintenance.' },
  { kind: 'unauthorized', text: 'Gateway says no.' },
] as const;

for (const carrier of [rejecting, replaying]) {
  const { provider } = carrier.adapter;
  for (const refusal of REFUSALS) {
    test.serial(
      `${provider}: a parcel that shows after a repeat was ${refusal.kind} is adopted`,
      async (t) => {
        carrier.hiddenFor = 1;
        carrier.double.next.push({ kind: 'unknown', text: 'reset' }, refusal);

        const created = await api.create(shipmentBody(stack.account, provider));

        t.is(created.status, 201, created.text);
        t.is(created.body.data.tracking_code, `LATE-${created.body.data.uuid}`);
        t.deepEqual(await attemptsOf(created.body.data.uuid), ['1 accepted', '2 rejected']);
      },
    );
  }

  test.serial(
    `${provider}: a refusal by our own checks waits for what the first call may have booked`,
    async (t) => {
      const body = shipmentBody(stack.account, provider);
      carrier.double.next.push({ kind: 'unknown', text: 'reset' });
      carrier.double.booked.length = 0;
      carrier.double.refusesAfterFirst = true;
      t.teardown(() => {
        carrier.double.refusesAfterFirst = false;
      });
      const asked = Date.now();

      const refused = await api.create(body);

      t.is(refused.status, 422, refused.text);
      t.true(Date.now() - asked >= SETTLE_MS);
    },
  );
}

test.serial(
  'a refusal is final once the carrier shows no parcel for long enough, and is not asked for again',
  async (t) => {
    rejecting.hiddenFor = Number.POSITIVE_INFINITY;
    const sent = rejecting.double.told.length;
    rejecting.double.next.push({ kind: 'unknown', text: 'reset' }, REFUSALS[0]);
    const body = shipmentBody(stack.account, 'late-rejecting');
    const asked = Date.now();

    const refused = await api.create(body);

    const tookMs = Date.now() - asked;
    t.is(refused.status, 422, refused.text);
    t.is(refused.body.error.message, 'Under maintenance.');
    t.true(tookMs >= SETTLE_MS, `${tookMs} ms`);
    t.is(rejecting.double.told.length, sent + 2);
  },
);

test.serial(
  'while a refusal waits for what an earlier call may have booked, operators read so',
  async (t) => {
    rejecting.hiddenFor = Number.POSITIVE_INFINITY;
    rejecting.double.next.push({ kind: 'unknown', text: 'reset' }, REFUSALS[0]);
    const body = shipmentBody(stack.account, 'late-rejecting');
    const answer = api.create(body);
    const deps = { db: stack.db, temporalUi: { url: null, namespace: '' }, trackingPage: String };

    const story = await eventually(async () => {
      const told = await tellParcel(deps, body.order.id);
      return told?.kind === 'one' && told.story.status.startsWith('Refused; ') && told.story;
    }, 'the refusal');
    const details = await eventually(async () => {
      const told = await detailsOf(stack.temporal.workflow.getHandle(story.workflowId));
      return told.includes('The carrier refused') && told;
    }, 'the refusal under Current Details');
    await answer;

    t.is(story.status, 'Refused; being asked for a minute whether an earlier call was booked');
    t.regex(
      details,
      /The carrier refused, but may still be booking an earlier call\. It was asked \d times since /,
    );
  },
);

test.serial('a duplicate whose parcel shows late is adopted, without an operator', async (t) => {
  rejecting.hiddenFor = 2;
  rejecting.double.next.push({ kind: 'unknown', text: 'reset' }, { kind: 'duplicate', text: 'Used before' });

  const created = await api.create(shipmentBody(stack.account, 'late-rejecting'));

  t.is(created.status, 201, created.text);
  t.is(created.body.data.tracking_code, `LATE-${created.body.data.uuid}`);
});

test.serial('a duplicate that never shows waits for an operator, with the carrier’s words', async (t) => {
  rejecting.hiddenFor = Number.POSITIVE_INFINITY;
  rejecting.double.next.push({ kind: 'unknown', text: 'reset' }, { kind: 'duplicate', text: 'Used before' });
  const asked = Date.now();

  const pending = await api.create(shipmentBody(stack.account, 'late-rejecting'));

  const { uuid } = pending.body.data;
  const reason = await eventually(async () => {
    const [row] = await stack.db.select(
      'SELECT status_code, status_description FROM shipments WHERE uuid = ?',
      [uuid],
    );
    return row?.status_code === 'needs_attention' && row.status_description;
  }, 'needs_attention');
  const { status } = (await api.get(`/shipments/${uuid}`)).body.data;
  const { history } = (await api.get(`/shipments/${uuid}/status`)).body.data;
  t.true(Date.now() - asked >= SETTLE_MS);
  t.deepEqual([status.description, history.at(-1).description], ['Needs attention', 'Needs attention']);
  t.is(reason, `The carrier has the parcel under the reference ${uuid} but does not show it: Used before`);
});

test.serial(
  'a license that waits longer for replies waits as much longer for a parcel to show',
  async (t) => {
    await stack.db.run(
      `UPDATE license_settings s JOIN licenses l ON l.id = s.license_id SET s.settings = ? WHERE l.license_key = ?`,
      [JSON.stringify({ timeout_ms: 17_000 }), stack.account.licenseKeys['late-patient'] ?? ''],
    );
    patient.hiddenFor = Number.POSITIVE_INFINITY;
    patient.double.next.push({ kind: 'unknown', text: 'reset' }, REFUSALS[0]);
    const asked = Date.now();

    const refused = await api.create(shipmentBody(stack.account, 'late-patient'));

    const tookMs = Date.now() - asked;
    t.is(refused.status, 422, refused.text);
    t.true(tookMs >= SETTLE_MS + 2000, `${tookMs} ms`);
  },
);

async function attemptsOf(uuid: string): Promise<string[]> {
  const rows = await stack.db.select(
    'SELECT number, state FROM carrier_attempts WHERE shipment_uuid = ? ORDER BY number',
    [uuid],
  );
  return rows.map((row) => `${row.number} ${row.state}`);
}
