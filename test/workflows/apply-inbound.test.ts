import { randomBytes } from 'node:crypto';
import { Client, ServiceError, type WorkflowClientInterceptor } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createInboundActivities } from '../../activities/inbound-applying.js';
import { carrierFor } from '../../src/carriers/registry.js';
import { workflowIds } from '../../src/contracts/ids.js';
import { insertInboundEvents } from '../../src/db/queries/carriers/inbound-events.js';
import { dismissUnclaimed, listNeedingAttention } from '../../src/db/queries/shipments/attention.js';
import { Slots } from '../../src/lib/limits/slots.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { forget } from '../support/forgetting.js';
import { keepHistory } from '../support/histories.js';
import {
  inboundEvent,
  inboundUrlOf,
  licenseIdOf,
  storedEvents,
  tell,
  withInbound,
} from '../support/inbound.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { decide, found } from '../support/runs.js';
import { type TestStack } from '../support/stack.js';
import { createShipment, subscribe, WEBHOOK_ENV } from '../support/webhooks.js';

const PROVIDERS = [
  'prompt',
  'early',
  'strange',
  'unordered',
  'adopting',
  'wary',
  'orphaned',
  'theirs',
  'swept',
  'polled',
  'unreached',
  'unwanted',
  'forgotten',
] as const;
type Provider = (typeof PROVIDERS)[number];
const doubles = Object.fromEntries(PROVIDERS.map((name) => [name, carrierDouble(name)] as const));
/** Far below a poll's or the sweep's minute, and above what a busy machine needs. */
const WITHIN_MS = 30_000;
let stack: TestStack;
let api: ApiClient;
let receiver: Receiver;

test.before(async () => {
  const adapters = PROVIDERS.map((name) =>
    withInbound({ ...doubles[name]!.adapter, adoptedReference: ({ serviceType }) => `name-${serviceType}` }),
  );
  ({ stack, api } = await startApiStack({ doubles: adapters, env: WEBHOOK_ENV }));
  receiver = await startReceiver();
});
test.after.always(async () => {
  await stack?.close();
  await receiver?.close();
});

test('a carrier’s event becomes the shipment’s status within seconds, and is passed on', async (t) => {
  await subscribe(stack, api, { url: receiver.url, provider: 'prompt', events: ['shipment.status_changed'] });
  const { uuid, tracking_code: trackingCode } = await createShipment(stack, api, 'prompt');

  const answer = await tell(await urlOf('prompt'), [
    inboundEvent('out_for_delivery', { trackingCode, reference: uuid.toUpperCase() }),
  ]);

  const told = await eventually(() => receiver.requests[0], 'the webhook', WITHIN_MS);
  t.is(answer.status, 200);
  t.like(JSON.parse(told.body), {
    event: 'shipment.status_changed',
    data: { id: uuid, status: 'out_for_delivery', previous_status: 'created' },
  });
  const run = await finishedRun('prompt');
  t.deepEqual(await run.result(), { applied: 1, ignored: 0 });
  await keepHistory(run, 'applyInbound', 'applied');
});

test('unordered and repeated events leave the newest status, a full history, and the first time in hand', async (t) => {
  const { uuid, tracking_code: trackingCode } = await createShipment(stack, api, 'unordered');
  const url = await urlOf('unordered');
  const collected = inboundEvent('collected', { trackingCode, secondsAgo: 300 });
  const out = inboundEvent('out_for_delivery', { trackingCode, secondsAgo: 200 });
  const delivered = inboundEvent('delivered', { trackingCode, secondsAgo: 100 });
  const late = inboundEvent('delivery_failed', { trackingCode, secondsAgo: 10 });

  for (const event of [out, delivered, out, collected, late, delivered]) {
    t.is((await tell(url, [event])).status, 200);
    await allApplied('unordered');
  }

  const { body } = await api.get(`/shipments/${uuid}/status`);
  t.is(body.data.status.code, 'delivered');
  t.deepEqual(body.data.history.map((event: { code: string }) => event.code).sort(), [
    'collected',
    'created',
    'delivered',
    'delivery_failed',
    'out_for_delivery',
  ]);
  const shipment = (await api.get(`/shipments/${uuid}`)).body.data;
  t.is(shipment.collected_at, collected.event.occurredAt);
  t.is(shipment.status.description, 'Carrier says delivered');
  const stored = await storedEvents(stack, 'unordered');
  t.deepEqual(
    stored.map(({ status, attempts }) => [status, attempts]),
    Array.from({ length: 4 }, () => ['applied', 1]),
  );
});

test('events that come together are applied in the order in which they happened', async (t) => {
  const { uuid, tracking_code: trackingCode } = await createShipment(stack, api, 'strange');

  await tell(await urlOf('strange'), [
    inboundEvent(undefined, { trackingCode, secondsAgo: 101 }),
    inboundEvent('in_transit', { trackingCode, secondsAgo: 105 }),
  ]);
  await allApplied('strange');

  const { body } = await api.get(`/shipments/${uuid}/status`);
  t.like(body.data.status, { code: 'in_transit', description: 'Carrier says strange' });
  await tell(await urlOf('strange'), [inboundEvent(undefined, { trackingCode })]);
  await allApplied('strange');
  const again = await api.get(`/shipments/${uuid}/status`);
  t.deepEqual(
    again.body.data.history
      .filter((event: { carrier_code: string }) => event.carrier_code === 'strange')
      .map((event: { code: string }) => event.code),
    ['in_transit', 'in_transit'],
  );
});

test('an event of a parcel that is not known yet waits for it', async (t) => {
  const url = await urlOf('early');
  await tell(url, [inboundEvent('collected', { trackingCode: 'early-1' })]);
  await eventually(async () => {
    const [event] = await storedEvents(stack, 'early');
    return Number(event?.attempts) > 0 && event?.reason === 'unknown_parcel';
  }, 'a first look-up');

  const { uuid, tracking_code: trackingCode } = await createShipment(stack, api, 'early');
  await allApplied('early');

  t.is(trackingCode, 'early-1');
  t.is((await api.get(`/shipments/${uuid}`)).body.data.status.code, 'collected');
  const run = await finishedRun('early');
  await keepHistory(run, 'applyInbound', 'waited');
});

test('a parcel that stays unknown is given up after a day, and a lost wake is made up for', async (t) => {
  await tell(await urlOf('swept'), [inboundEvent('collected', { trackingCode: 'nobodys' })]);
  await eventually(async () => Number((await storedEvents(stack, 'swept'))[0]?.attempts) > 0, 'a look-up');
  const run = stack.temporal.workflow.getHandle(workflowIds.applyInbound(await licenseIdOf(stack, 'swept')));
  await run.terminate('as if its wake had been lost');
  await stack.db.run(
    `UPDATE inbound_events SET received_at = received_at - INTERVAL 25 HOUR, next_attempt_at = NOW(6) - INTERVAL 1 MINUTE
     WHERE license_id = ?`,
    [await licenseIdOf(stack, 'swept')],
  );

  const sweep = await stack.temporal.workflow.execute('wakeDeliveries', {
    taskQueue: 'shipments',
    workflowId: 'wake-inbound-test',
  });
  const [given] = await eventually(async () => {
    const events = await storedEvents(stack, 'swept');
    return events[0]?.status === 'ignored' && events;
  }, 'the event to be given up');

  t.true(Number((sweep as { woken: number }).woken) >= 1);
  t.like(given, { reason: 'unknown_parcel', next_attempt_at: null, shipment_id: null });
  await keepHistory(await finishedRun('swept'), 'applyInbound', 'gave-up');
});

test('a booking of unknown outcome is adopted by the event that tells of its parcel', async (t) => {
  const uuid = await unknownBooking('adopting');

  await tell(await urlOf('adopting'), [
    inboundEvent('collected', { trackingCode: 'WOLT-7', reference: uuid }),
  ]);
  await allApplied('adopting');

  const { data } = (await api.get(`/shipments/${uuid}`)).body;
  t.like(data, { tracking_code: 'WOLT-7', status: { code: 'collected' } });
  const [row] = await stack.db.select('SELECT carrier_reference FROM shipments WHERE uuid = ?', [uuid]);
  t.is(row?.carrier_reference, 'name-1');
  t.deepEqual(doubles.adopting?.booked, [uuid]);
  await keepHistory(await finishedRun('adopting'), 'applyInbound', 'adopted');
});

test('no proof, no adoption: a refusal, an unknown code, a parcel without number, another license', async (t) => {
  const uuid = await unknownBooking('wary');
  const url = await urlOf('wary');

  await tell(url, [inboundEvent('cancelled', { trackingCode: 'W-1', reference: uuid })]);
  await tell(url, [inboundEvent(undefined, { trackingCode: 'W-2', reference: uuid })]);
  await tell(url, [inboundEvent('collected', { reference: uuid })]);
  await tell(await urlOf('theirs'), [inboundEvent('collected', { trackingCode: 'W-4', reference: uuid })]);
  const stored = await eventually(async () => {
    const theirs = await storedEvents(stack, 'theirs');
    const events = [
      ...(await storedEvents(stack, 'wary')),
      ...theirs.filter((one) => one.reference === uuid),
    ];
    return events.length === 4 && events.every((event) => Number(event.attempts) > 0) && events;
  }, 'every event to be looked at');

  t.deepEqual(
    stored.map(({ status, reason }) => [status, reason]),
    [
      ['pending', 'not_booked_yet'],
      ['pending', 'not_booked_yet'],
      ['pending', 'not_booked_yet'],
      ['pending', 'unknown_parcel'],
    ],
  );
  t.is((await api.get(`/shipments/${uuid}`)).body.data.status.code, 'needs_attention');
});

test('a booking whose run was ended from outside is adopted by the event that tells of its parcel', async (t) => {
  const uuid = await unknownBooking('orphaned');
  const [row] = await stack.db.select('SELECT workflow_id FROM shipments WHERE uuid = ?', [uuid]);
  await stack.temporal.workflow.getHandle(String(row?.workflow_id)).terminate('by a test');

  await tell(await urlOf('orphaned'), [inboundEvent('collected', { trackingCode: 'O-1', reference: uuid })]);
  await allApplied('orphaned');

  const { data } = (await api.get(`/shipments/${uuid}`)).body;
  t.like(data, { tracking_code: 'O-1', status: { code: 'collected' } });
  t.deepEqual(doubles.orphaned?.booked, [uuid]);
});

test('a parcel whose rows were lost is shown again by the event that tells of it', async (t) => {
  const { uuid, tracking_code: trackingCode } = await createShipment(stack, api, 'forgotten');
  await found(stack.temporal, `ShipmentId = '${uuid}' AND ExecutionStatus != 'Running'`);
  await forget(stack.db, uuid);

  await tell(await urlOf('forgotten'), [inboundEvent('collected', { trackingCode, reference: uuid })]);
  await allApplied('forgotten');

  const rows = await stack.db.select('SELECT tracking_code, status_code FROM shipments WHERE uuid = ?', [
    uuid,
  ]);
  t.deepEqual(rows, [{ tracking_code: trackingCode, status_code: 'collected' }]);
  t.deepEqual(doubles.forgotten?.booked, [uuid]);
});

test('a parcel of a shipment that was given up is listed for a person, once', async (t) => {
  const uuid = await unknownBooking('unwanted');
  const url = await urlOf('unwanted');
  const [row] = await stack.db.select('SELECT workflow_id FROM shipments WHERE uuid = ?', [uuid]);
  await decide(stack.temporal, String(row?.workflow_id), { action: 'give_up', reason: 'not wanted' });
  await eventually(async () => {
    const [one] = await stack.db.select('SELECT state FROM shipments WHERE uuid = ?', [uuid]);
    return one?.state === 'refused';
  }, 'the end of the creation');

  await tell(url, [inboundEvent('cancelled', { trackingCode: 'G-0', reference: uuid })]);
  await allIgnored('unwanted', 1);
  const unproven = await listedFor(uuid);
  await tell(url, [inboundEvent('collected', { trackingCode: 'G-1', reference: uuid })]);
  await allIgnored('unwanted', 2);
  const listed = await listedFor(uuid);
  await dismissUnclaimed(stack.db, { uuid, reason: 'cancelled by phone' });
  await tell(url, [inboundEvent('delivered', { trackingCode: 'G-1', reference: uuid })]);
  await allIgnored('unwanted', 3);

  t.deepEqual(unproven, []);
  t.deepEqual(listed, ['The carrier booked G-1 after this was given up: cancel it there.']);
  t.deepEqual(await listedFor(uuid), []);
});

test('an event that waits for its booking waits on while the engine is away, however old it is', async (t) => {
  const uuid = await unknownBooking('unreached');
  const licenseId = await licenseIdOf(stack, 'unreached');
  const { event } = inboundEvent('delivered', {});
  const told = { eventKey: randomBytes(32), trackingCode: 'U-1', reference: uuid, event };
  await insertInboundEvents(stack.db, { licenseId, events: [told] });
  await stack.db.run(
    'UPDATE inbound_events SET received_at = received_at - INTERVAL 25 HOUR WHERE license_id = ?',
    [licenseId],
  );
  const startUpdate: WorkflowClientInterceptor['startUpdate'] = () => {
    const cause = Object.assign(new Error('14 UNAVAILABLE'), { code: 14 });
    throw new ServiceError('Workflow Update failed', { cause });
  };
  const away = new Client({ ...stack.temporal.options, interceptors: { workflow: [{ startUpdate }] } });
  const nothing = () => undefined;
  const own = {
    db: stack.db,
    carriers: carrierFor,
    wake: nothing,
    onRestored: nothing,
    lostLooks: new Slots(),
  };
  const apply = async (temporal: Client) => {
    const { applyDueEvents } = createInboundActivities({ ...own, temporal });
    await stack.db.run('UPDATE inbound_events SET next_attempt_at = NOW(6) WHERE license_id = ?', [
      licenseId,
    ]);
    await new MockActivityEnvironment().run(applyDueEvents, { licenseId });
    return (await storedEvents(stack, 'unreached'))[0];
  };

  const waiting = await apply(away);
  const applied = await apply(stack.temporal);

  t.like(waiting, { status: 'pending', reason: 'not_booked_yet' });
  t.is(applied?.status, 'applied');
  const { data } = (await api.get(`/shipments/${uuid}`)).body;
  t.like(data, { tracking_code: 'U-1', status: { code: 'delivered' } });
});

test('another license’s event, and one of a second parcel under the reference, change nothing', async (t) => {
  const { uuid, tracking_code: trackingCode } = await createShipment(stack, api, 'polled');
  const before = await api.get(`/shipments/${uuid}`);

  await tell(await urlOf('theirs'), [inboundEvent('delivered', { trackingCode, reference: uuid })]);
  await tell(await urlOf('polled'), [inboundEvent('delivered', { trackingCode: 'second', reference: uuid })]);
  const other = await eventually(async () => {
    const [event] = await storedEvents(stack, 'polled');
    return event?.status === 'ignored' && event;
  }, 'the second parcel’s event');
  await eventually(async () => {
    const events = await storedEvents(stack, 'theirs');
    return events.some((event) => event.tracking_code === trackingCode && Number(event.attempts) > 0);
  }, 'the other license’s event');

  await tell(await urlOf('polled'), [inboundEvent('collected', { trackingCode: 'second', reference: uuid })]);
  await allIgnored('polled', 2);

  t.is(other.reason, 'other_parcel');
  t.deepEqual(await listedFor(uuid), [
    `The carrier booked second as well as ${trackingCode} of shipment ${uuid}: cancel it there.`,
  ]);
  t.deepEqual((await api.get(`/shipments/${uuid}`)).body, before.body);
});

async function allIgnored(provider: Provider, count: number): Promise<void> {
  await eventually(async () => {
    const events = await storedEvents(stack, provider);
    return events.filter(({ status }) => status === 'ignored').length === count;
  }, `the events of ${provider} to be ignored`);
}

/** The notices to operators that name the shipment. */
async function listedFor(uuid: string): Promise<string[]> {
  const listed = await listNeedingAttention(stack.db, { limit: 500 });
  return listed.filter((one) => one.uuid === uuid || one.reason.includes(uuid)).map(({ reason }) => reason);
}

async function urlOf(provider: Provider): Promise<string> {
  return await inboundUrlOf(stack, api.url, provider);
}

/** A creation whose carrier took the parcel and lost the answer. */
async function unknownBooking(provider: Provider): Promise<string> {
  doubles[provider]?.next.push({ kind: 'unknown', text: 'The answer was lost.' });
  const pending = await api.create(shipmentBody(stack.account, provider));
  const { uuid } = pending.body.data;
  await eventually(
    async () => (await api.get(`/shipments/${uuid}`)).body.data?.status.code === 'needs_attention',
    'needs_attention',
  );
  return uuid;
}

async function allApplied(provider: Provider): Promise<void> {
  await eventually(async () => {
    const events = await storedEvents(stack, provider);
    return events.length > 0 && events.every((event) => event.status === 'applied');
  }, `the events of ${provider} to be applied`);
}

/** The newest run of the license's workflow, once it has ended. */
async function finishedRun(provider: Provider) {
  const handle = stack.temporal.workflow.getHandle(
    workflowIds.applyInbound(await licenseIdOf(stack, provider)),
  );
  await handle.result();
  return handle;
}
