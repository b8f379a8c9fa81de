import test, { type ExecutionContext } from 'ava';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually, onceBegun } from '../support/conditions.js';
import { insertTestAccount } from '../support/factories.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { decide } from '../support/runs.js';
import { startStack, type TestStack } from '../support/stack.js';
import {
  deliveriesOf,
  settledDeliveries,
  subscribe,
  type TestWebhook,
  WEBHOOK_ENV,
} from '../support/webhooks.js';

const double = carrierDouble('double');
let stack: TestStack;
/** An API that waits for the carrier, and one that does not wait for long. */
let patient: ApiClient;
let api: ApiClient;
let receiver: Receiver;
let webhook: TestWebhook;

test.before(async () => {
  receiver = await startReceiver();
  stack = await startStack({ doubles: [double.adapter], env: WEBHOOK_ENV });
  await stack.startWorkers();
  patient = new ApiClient(await stack.startApi(undefined, { createWaitMs: 20_000 }), stack.account);
  api = new ApiClient(await stack.startApi(undefined, { createWaitMs: 500 }), stack.account);
  webhook = await subscribe(stack, api, {
    url: receiver.url,
    provider: 'double',
    events: ['shipment.created', 'shipment.refused'],
  });
});
test.after.always(async () => {
  await stack?.close();
  await receiver?.close();
});
test.beforeEach(() => {
  double.next.length = 0;
  double.refusesAfterFirst = false;
});

test.serial('GET /shipments/{uuid}: a refusal after a 202 says why, and an event tells of it', async (t) => {
  const letGo = double.hold(t);
  double.next.push({ kind: 'rejected', code: '7', text: 'No such street.' });
  const body = shipmentBody(stack.account, 'double');
  const pending = await onceBegun(() => api.create(body));
  letGo();

  const refused = await refusalOf(pending.body.data.uuid);
  const data = await toldOf(t, pending.body.data.uuid);
  const status = await api.get(`/shipments/${pending.body.data.uuid}/status`);

  t.is(pending.status, 202, pending.text);
  const error = { code: 'creation_refused', message: 'No such street.', status: 404 };
  t.deepEqual(refused, { error });
  t.deepEqual(status.body, { error });
  t.deepEqual(data, {
    id: pending.body.data.uuid,
    service_type: 1,
    order: pending.body.data.order,
    code: 'carrier_rejected',
    message: 'No such street.',
  });
});

test.serial('what an operator gives up is heard of with the reason', async (t) => {
  double.next.push({ kind: 'unknown', text: 'The line was cut.' });
  const { uuid } = (await patient.create(shipmentBody(stack.account, 'double'))).body.data;
  await decide(stack.temporal, await workflowOf(uuid), { action: 'give_up', reason: 'Ordered twice.' });

  const refused = await refusalOf(uuid);
  const data = await toldOf(t, uuid);

  t.is(refused.error.message, 'Ordered twice.');
  t.like(data, { code: 'given_up', message: 'Ordered twice.' });
});

test.serial('what cannot be booked any more is heard of with the field', async (t) => {
  double.next.push({ kind: 'unknown', text: 'The line was cut.' });
  const { uuid } = (await patient.create(shipmentBody(stack.account, 'double'))).body.data;
  double.refusesAfterFirst = true;
  await decide(stack.temporal, await workflowOf(uuid), { action: 'retry' });

  const refused = await refusalOf(uuid);
  const data = await toldOf(t, uuid);

  t.is(refused.error.message, 'The name is too long.');
  t.like(data, { code: 'validation_failed', message: 'The name is too long.' });
});

test.serial('a refusal that is the answer causes no event', async (t) => {
  double.next.push({ kind: 'rejected', code: '7', text: 'No such city.' });
  const refused = await patient.create(shipmentBody(stack.account, 'double'));
  const created = await patient.create(shipmentBody(stack.account, 'double'));

  const { uuid } = created.body.data;
  await eventually(async () => (await toldAbout(uuid)).length > 0, 'the event of the next one');

  t.deepEqual([refused.status, created.status], [422, 201]);
  t.deepEqual(
    (await deliveriesOf(api, webhook)).filter(({ payload }) => payload.data.message === 'No such city.'),
    [],
  );
});

test.serial('a refused creation is a secret of its account', async (t) => {
  const [row] = await stack.db.select(`SELECT uuid FROM shipments WHERE state = 'refused' LIMIT 1`);
  const stranger = new ApiClient(api.url, {
    ...stack.account,
    ...(await insertTestAccount(stack.db, stack.config)),
  });

  const foreign = await stranger.get(`/shipments/${row?.uuid}`);

  t.is(foreign.status, 404);
  t.is(foreign.body.error.code, 'not_found');
});

async function workflowOf(uuid: string): Promise<string> {
  const [row] = await stack.db.select('SELECT workflow_id FROM shipments WHERE uuid = ?', [uuid]);
  return String(row?.workflow_id);
}

/** The answer for the creation once it is refused. */
async function refusalOf(uuid: string) {
  return await eventually(async () => {
    const { status, body } = await api.get(`/shipments/${uuid}`);
    return status === 404 && body;
  }, 'the refusal');
}

async function toldAbout(uuid: string) {
  return (await deliveriesOf(api, webhook)).filter(({ payload }) => payload.data.id === uuid);
}

/** The data of the one event about the creation. */
async function toldOf(t: ExecutionContext, uuid: string) {
  await eventually(async () => (await toldAbout(uuid)).length > 0, 'the event');
  await settledDeliveries(api, webhook);
  const told = await toldAbout(uuid);
  t.deepEqual(
    told.map(({ event, status }) => [event, status]),
    [['shipment.refused', 'succeeded']],
  );
  return told[0]?.payload.data;
}
