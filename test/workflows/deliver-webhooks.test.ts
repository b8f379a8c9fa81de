import test, { type ExecutionContext } from 'ava';
import { workflowIds } from '../../src/contracts/ids.js';
import { runAdmin } from '../support/admin.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { keepHistory } from '../support/histories.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { attributesOf, detailsOf, summaryOf } from '../support/runs.js';
import { startStack, type TestStack } from '../support/stack.js';
import {
  assertSigned,
  createShipment,
  deliveriesOf,
  settledDeliveries,
  subscribe,
  type TestWebhook,
  WEBHOOK_ENV,
  withOwnLicense,
} from '../support/webhooks.js';

let shared: TestStack;
let api: ApiClient;
let mail: MailServer;

test.before(async () => {
  mail = await startMailServer();
  shared = await startStack({ env: { ...WEBHOOK_ENV, SMTP_URL: mail.url } });
  await shared.startWorkers();
  api = new ApiClient(await shared.startApi(), shared.account);
});
test.after.always(async () => {
  await shared?.close();
  await mail?.close();
});

test('a creation is sent once, signed, with the documented body', async (t) => {
  const { stack, receiver } = await begin(t);
  const webhook = await subscribe(stack, api, { url: `${receiver.url}/hook?a=1` });

  const shipment = await createShipment(stack, api);

  const [delivery] = await settledDeliveries(api, webhook);
  const [request] = receiver.requests;
  t.is(receiver.requests.length, 1);
  t.is(request?.path, '/hook?a=1');
  assertSigned(t, request!, webhook.secret);
  t.is(request?.headers['content-type'], 'application/json');
  t.is(request?.headers['x-service-event'], 'shipment.created');
  t.is(request?.headers['x-service-delivery-id'], delivery?.id);
  t.is(request?.headers['x-service-event-id'], delivery?.event_id);
  t.is(request?.headers['webhook-id'], delivery?.event_id);
  const body = JSON.parse(request?.body ?? '');
  t.deepEqual(body, delivery?.payload);
  t.deepEqual(Object.keys(body), ['event', 'created_at', 'data']);
  t.true(Number.isInteger(body.created_at) && Math.abs(body.created_at - Date.now() / 1000) < 60);
  t.deepEqual(body.data, {
    id: shipment.uuid,
    tracking_code: shipment.tracking_code,
    service_type: 1,
    status: 'created',
    order: shipment.order,
  });
  t.is(delivery?.status, 'succeeded');
  t.like(delivery?.attempts[0], { number: 1, response_status: 200, response_body: 'ok', error: null });
  t.is(delivery?.next_attempt_at, null);
  t.truthy(delivery?.completed_at);
  await ended(webhook);
  const run = handleOf(webhook);
  t.is(await summaryOf(run), `Deliver events of Test merchant to ${new URL(receiver.url).host}`);
  t.like(await attributesOf(run), { OrderId: shipment.order.id, ShipmentId: shipment.uuid });
  t.is(await detailsOf(run), '1 delivered.');
  await keepHistory(run, 'deliverWebhooks', 'delivered');
});

test('a creation is sent with the number that it gives an existing order', async (t) => {
  const { stack, receiver } = await begin(t);
  const webhook = await subscribe(stack, api, { url: receiver.url });
  const { order } = shipmentBody(stack.account, 'independent');
  const create = (number: string) =>
    api.create(shipmentBody(stack.account, 'independent', { order: { ...order, number } }));

  const first = await create('N1');
  const second = await create('N2');

  t.deepEqual([first.status, second.status], [201, 201]);
  const told = (await settledDeliveries(api, webhook, 2)).map(({ payload }) => payload.data.order);
  t.deepEqual(told, [second.body.data.order, first.body.data.order]);
});

test('a delivery is sent after the change of status, a cancellation too', async (t) => {
  const { stack, receiver } = await begin(t);
  const webhook = await subscribe(stack, api, { url: receiver.url, provider: 'run' });
  const delivered = await createShipment(stack, api, 'run');
  const cancelled = await createShipment(stack, api, 'run');

  await stack.sandbox.advance(delivered.tracking_code, 'delivered');
  await api.get(`/shipments/${delivered.uuid}/status?refresh=true`);
  await api.post(`/shipments/${cancelled.uuid}/cancel`, {});

  await settledDeliveries(api, webhook, 6);
  const told = receiver.requests.map(({ body }) => JSON.parse(body));
  const eventsOf = (uuid: string) => told.filter(({ data }) => data.id === uuid);
  t.deepEqual(
    eventsOf(delivered.uuid).map(({ event }) => event),
    ['shipment.created', 'shipment.status_changed', 'shipment.delivered'],
  );
  t.like(eventsOf(delivered.uuid)[1].data, { previous_status: 'created', status: 'delivered' });
  t.regex(eventsOf(delivered.uuid)[2].data.delivered_at, /^\d{4}-.*\.\d{6}Z$/);
  t.deepEqual(
    eventsOf(cancelled.uuid).map(({ event }) => event),
    ['shipment.created', 'shipment.status_changed', 'shipment.cancelled'],
  );
  t.like(eventsOf(cancelled.uuid)[1].data, { previous_status: 'created', status: 'cancelled' });
  t.regex(eventsOf(cancelled.uuid)[2].data.cancelled_at, /^\d{4}-.*\.\d{6}Z$/);
});

test('only subscribed events of the license are sent', async (t) => {
  const { stack, receiver } = await begin(t);
  const webhook = await subscribe(stack, api, { url: receiver.url, events: ['shipment.cancelled'] });
  const other = await subscribe(await withOwnLicense(shared), api, { url: `${receiver.url}/other` });

  const shipment = await createShipment(stack, api);
  await api.post(`/shipments/${shipment.uuid}/cancel`, {});

  await settledDeliveries(api, webhook);
  t.deepEqual(
    (await deliveriesOf(api, webhook)).map(({ event }) => event),
    ['shipment.cancelled'],
  );
  t.deepEqual(await deliveriesOf(api, other), []);
});

test('a failed attempt is made again, six times in all, each recorded', async (t) => {
  const { stack, receiver } = await begin(t);
  receiver.behave(
    { kind: 'answer', status: 503, body: 'busy' },
    { kind: 'reset' },
    { kind: 'redirect', to: '/x' },
  );
  const webhook = await subscribe(stack, api, { url: receiver.url });

  await createShipment(stack, api);
  const [failed] = await settledDeliveries(api, webhook);

  t.is(failed?.status, 'failed');
  t.deepEqual(
    failed?.attempts.map(({ number, response_status, error }) => [number, response_status, error]),
    [
      [1, null, 'The connection was reset.'],
      [2, 302, 'Redirects are not followed.'],
      [3, 503, 'The receiver answered HTTP 503.'],
      [4, 503, 'The receiver answered HTTP 503.'],
      [5, 503, 'The receiver answered HTTP 503.'],
      [6, 503, 'The receiver answered HTTP 503.'],
    ],
  );
  t.is(failed?.attempts[5]?.response_body, 'busy');
  t.is(receiver.requests.length, 6);
  t.is(new Set(receiver.requests.map(({ body, headers }) => `${headers['webhook-id']}${body}`)).size, 1);
  await ended(webhook);
  const told = await detailsOf(handleOf(webhook));
  t.regex(told, /^1 delivery failed for good\. The receiver answered HTTP 503\. /);
  t.true(told.includes(`POST /api/v2/webhooks/${webhook.id}/replay`), told);
  t.true(told.includes(`{"since":"${failed?.created_at}"}`), told);
  await keepHistory(handleOf(webhook), 'deliverWebhooks', 'gave-up');

  receiver.behave({ kind: 'answer', status: 204 }, { kind: 'answer', status: 500 });
  const again = await api.post(`/webhooks/${webhook.id}/deliveries/${failed?.id}/redeliver`, {
    license_key: webhook.licenseKey,
  });
  const [redelivered] = await settledDeliveries(api, webhook);

  t.is(again.status, 202, again.text);
  t.is(again.body.data.status, 'pending');
  t.is(redelivered?.status, 'succeeded');
  t.deepEqual(
    redelivered?.attempts.map(({ number }) => number),
    [1, 2, 3, 4, 5, 6, 7, 8],
  );
  t.is(redelivered?.event_id, failed?.event_id);
});

test('admin webhooks ping: a web page as the answer is named, since it is a success', async (t) => {
  const { stack, receiver } = await begin(t);
  const webhook = await subscribe(stack, api, { url: `${receiver.url}/hook` });
  receiver.behave({ kind: 'answer', status: 200, body: '<!DOCTYPE html>\n<title>Shop</title>' });

  const { out } = await runAdmin(['webhooks', 'ping', webhook.id], stack.env);

  t.regex(out, /succeeded/);
  t.regex(out, /HTTP 200, with a web page/);
});

test('what failed since a moment is sent again on request', async (t) => {
  const { stack, receiver } = await begin(t);
  receiver.behave({ kind: 'answer', status: 500 });
  const webhook = await subscribe(stack, api, { url: receiver.url });
  await Promise.all([createShipment(stack, api), createShipment(stack, api)]);
  await settledDeliveries(api, webhook, 2);
  receiver.behave({ kind: 'answer', status: 200 });
  const replay = (since: string) =>
    api.post(`/webhooks/${webhook.id}/replay`, { license_key: webhook.licenseKey, since });

  const none = await replay(new Date(Date.now() + 60_000).toISOString());
  const all = await replay(new Date(Date.now() - 60_000).toISOString());
  const settled = await settledDeliveries(api, webhook, 2);

  t.deepEqual(none.body.data, { count: 0 });
  t.is(all.status, 202);
  t.deepEqual(all.body.data, { count: 2 });
  t.deepEqual(
    settled.map(({ status, attempts }) => [status, attempts.length]),
    [
      ['succeeded', 7],
      ['succeeded', 7],
    ],
  );
});

test('410 turns the webhook off, fails what waits, and the owner is notified once', async (t) => {
  const { stack, receiver } = await begin(t);
  receiver.behave({ kind: 'answer', status: 410 });
  const webhook = await subscribe(stack, api, { url: receiver.url });
  mail.mode('defer', 1);

  await createShipment(stack, api);

  const [delivery] = await settledDeliveries(api, webhook);
  t.is(delivery?.status, 'failed');
  t.is(delivery?.attempts.length, 1);
  t.false(await isActive(webhook));
  const told = await eventually(() => mail.mails.find(({ text }) => text?.includes(webhook.id)), 'the mail');
  t.is(told.subject, 'Your webhook was turned off');
  t.true(told.text?.includes('410 Gone'));
  t.true(told.text?.includes(`PATCH /api/v2/webhooks/${webhook.id} {"is_active": true}`));
  await ended(webhook);
  t.is(mail.mails.filter(({ text }) => text?.includes(webhook.id)).length, 1);
  t.regex(
    await detailsOf(handleOf(webhook)),
    /^1 delivery failed for good\. The receiver answered HTTP 410\. The webhook is turned off\. Once it is on again, /,
  );
  await keepHistory(handleOf(webhook), 'deliverWebhooks', 'turned-off');
  const refused = await api.post(`/webhooks/${webhook.id}/deliveries/${delivery?.id}/redeliver`, {
    license_key: webhook.licenseKey,
  });
  t.is(refused.status, 422);

  await createShipment(stack, api);
  receiver.behave({ kind: 'answer', status: 200 });
  await api.patch(`/webhooks/${webhook.id}`, { license_key: webhook.licenseKey, is_active: true });
  await createShipment(stack, api);

  const after = await settledDeliveries(api, webhook, 2);
  t.is(after.length, 2, 'what happened while it was off was not recorded');
  t.is(after[0]?.status, 'succeeded');
});

test('five days of failures only turn it off; a success in between restarts the count', async (t) => {
  const { stack, receiver } = await begin(t);
  receiver.behave({ kind: 'answer', status: 500 });
  const webhook = await subscribe(stack, api, { url: receiver.url });
  const failingSince = (days: number) =>
    stack.db.run('UPDATE webhook_subscriptions SET failing_since = NOW(6) - INTERVAL ? HOUR WHERE id = ?', [
      days * 24,
      webhook.id,
    ]);
  await failingSince(4.95);
  receiver.behave(
    { kind: 'answer', status: 500 },
    { kind: 'answer', status: 500 },
    { kind: 'answer', status: 200 },
  );
  await createShipment(stack, api);
  await settledDeliveries(api, webhook);
  const [row] = await stack.db.select('SELECT failing_since FROM webhook_subscriptions WHERE id = ?', [
    webhook.id,
  ]);
  const activeBefore = await isActive(webhook);

  await failingSince(5.01);
  await createShipment(stack, api);
  const settled = await settledDeliveries(api, webhook, 2);

  t.true(activeBefore);
  t.is(row?.failing_since, null);
  t.false(await isActive(webhook));
  t.deepEqual([settled[0]?.status, settled[0]?.attempts.length], ['failed', 1]);
  const told = await eventually(() => mail.mails.find(({ text }) => text?.includes(webhook.id)), 'the mail');
  t.true(told.text?.includes('five days'));
});

test('after a rotation both secrets sign, and after the overlap the new one alone', async (t) => {
  const { stack, receiver } = await begin(t);
  const webhook = await subscribe(stack, api, { url: receiver.url });
  const path = `/webhooks/${webhook.id}/rotate-secret`;
  const { licenseKey: license_key } = webhook;
  const rotated = await api.post(path, { license_key });
  await createShipment(stack, api);
  await settledDeliveries(api, webhook);

  const last = await api.post(path, { license_key, overlap_hours: 0 });
  await createShipment(stack, api);
  await settledDeliveries(api, webhook, 2);

  t.is(rotated.status, 200, rotated.text);
  assertSigned(t, receiver.requests[0]!, rotated.body.data.secret);
  assertSigned(t, receiver.requests[0]!, webhook.secret);
  assertSigned(t, receiver.requests[1]!, last.body.data.secret);
  t.is(receiver.requests[1]?.headers['x-service-signature']?.split(',').length, 2);
});

test('a changed URL counts for the next attempt; a deleted webhook is sent nothing', async (t) => {
  const { stack, receiver } = await begin(t);
  const elsewhere = await startReceiver();
  t.teardown(() => elsewhere.close());
  receiver.behave({ kind: 'answer', status: 500 });
  const webhook = await subscribe(stack, api, { url: receiver.url });
  await createShipment(stack, api);
  await eventually(() => receiver.requests.length > 0, 'the first attempt');

  await api.patch(`/webhooks/${webhook.id}`, { license_key: webhook.licenseKey, url: elsewhere.url });
  const [delivery] = await settledDeliveries(api, webhook);
  const removed = await api.delete(`/webhooks/${webhook.id}?${webhook.query}`);
  await createShipment(stack, api);

  t.is(delivery?.status, 'succeeded');
  t.is(elsewhere.requests.length, 1);
  t.is(removed.status, 204);
  t.is((await api.get(`/webhooks/${webhook.id}?${webhook.query}`)).status, 404);
  const [row] = await stack.db.select(
    'SELECT COUNT(*) AS n FROM webhook_deliveries WHERE subscription_id = ?',
    [webhook.id],
  );
  t.is(Number(row?.n), 1);
});

for (const [what, status, failingDays] of [
  ['410', 410, 0],
  ['the last failure of five days', 500, 6],
] as const) {
  test(`${what} from an address that was left meanwhile does not turn the webhook off`, async (t) => {
    const { stack, receiver } = await begin(t);
    const elsewhere = await startReceiver();
    t.teardown(() => elsewhere.close());
    let answer = () => {};
    const moved = new Promise<void>((resolve) => {
      answer = resolve;
    });
    t.teardown(answer);
    receiver.behave({ kind: 'answer', status, after: moved });
    const webhook = await subscribe(stack, api, { url: receiver.url });
    if (failingDays > 0) {
      await stack.db.run(
        'UPDATE webhook_subscriptions SET failing_since = NOW(6) - INTERVAL ? DAY WHERE id = ?',
        [failingDays, webhook.id],
      );
    }
    await createShipment(stack, api);
    await eventually(() => receiver.requests.length > 0, 'the attempt');

    await api.patch(`/webhooks/${webhook.id}`, { license_key: webhook.licenseKey, url: elsewhere.url });
    answer();
    const [delivery] = await settledDeliveries(api, webhook);

    t.is(delivery?.status, 'succeeded');
    t.deepEqual([receiver.requests.length, elsewhere.requests.length], [1, 1]);
    t.true(await isActive(webhook));
    const [row] = await stack.db.select('SELECT failing_since FROM webhook_subscriptions WHERE id = ?', [
      webhook.id,
    ]);
    t.is(row?.failing_since, null);
  });
}

test('between attempts the run sleeps, and an event wakes it', async (t) => {
  const { stack, receiver } = await begin(t);
  const webhook = await subscribe(stack, api, { url: receiver.url });
  await createShipment(stack, api);
  const [first] = await settledDeliveries(api, webhook);
  await ended(webhook);
  const nextAttemptIn = async (seconds: number) => {
    await stack.db.run(
      `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = NOW(6) + INTERVAL ? SECOND
       WHERE subscription_id = ? ORDER BY id LIMIT 1`,
      [seconds, webhook.id],
    );
    await api.patch(`/webhooks/${webhook.id}`, { license_key: webhook.licenseKey, is_active: true });
  };
  await nextAttemptIn(3600);
  const handle = handleOf(webhook);
  await eventually(async () => {
    const { events } = await handle.fetchHistory();
    return events?.some((event) => event.timerStartedEventAttributes);
  }, 'the timer');

  await createShipment(stack, api);
  await eventually(() => receiver.requests.length === 2, 'the event during the sleep');
  const [waiting] = (await deliveriesOf(api, webhook)).filter(({ id }) => id === first?.id);
  await nextAttemptIn(1);
  const result = await handle.result();

  t.is(waiting?.status, 'pending');
  t.deepEqual(result, { sent: 2, delivered: 2, failed: 0 });
  t.is(receiver.requests.length, 3);
  const listed = stack.temporal.workflow.list({
    query: `LicenseId = '${await licenseId(webhook)}' AND WorkflowType = 'deliverWebhooks'`,
  });
  await eventually(async () => {
    for await (const { workflowId } of listed) if (workflowId === handle.workflowId) return true;
    return false;
  }, 'the run, by its search attribute');
  await keepHistory(handle, 'deliverWebhooks', 'slept');
});

test('a run that works for another parcel too is not its first one\u2019s', async (t) => {
  const { stack, receiver } = await begin(t);
  const webhook = await subscribe(stack, api, { url: receiver.url });
  receiver.behave({ kind: 'answer', status: 200 }, { kind: 'hang' });
  const first = await createShipment(stack, api);
  const run = handleOf(webhook);
  await eventually(() => receiver.requests.length > 0, 'the first attempt');
  const before = await attributesOf(run);

  await createShipment(stack, api);
  await settledDeliveries(api, webhook, 2);
  await ended(webhook);

  t.like(before, { OrderId: first.order.id, ShipmentId: first.uuid });
  const after = await attributesOf(run);
  t.deepEqual([after.OrderId, after.ShipmentId], [undefined, undefined]);
  t.is(await detailsOf(run), '2 delivered.');
  await keepHistory(run, 'deliverWebhooks', 'several');
});

test('a wake that was lost is made up for', async (t) => {
  const { stack, receiver } = await begin(t);
  const webhook = await subscribe(stack, api, { url: receiver.url });
  await createShipment(stack, api);
  await settledDeliveries(api, webhook);
  await ended(webhook);
  await stack.db.run(
    `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = NOW(6) - INTERVAL 60 SECOND,
       attempts_allowed = 12 WHERE subscription_id = ?`,
    [webhook.id],
  );

  const first = await wakeDeliveries();
  const [delivery] = await settledDeliveries(api, webhook);
  await keepHistory(first.handle, 'wakeDeliveries', 'woken');

  t.deepEqual(first.result, { woken: 1 });
  t.deepEqual(
    delivery?.attempts.map(({ number }) => number),
    [1, 2],
  );
});

/** A receiver and a license of one test's own. */
async function begin(t: ExecutionContext): Promise<{ stack: TestStack; receiver: Receiver }> {
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  return { stack: await withOwnLicense(shared), receiver };
}

async function licenseId(webhook: TestWebhook): Promise<number> {
  const [row] = await shared.db.select('SELECT license_id FROM webhook_subscriptions WHERE id = ?', [
    webhook.id,
  ]);
  return Number(row?.license_id);
}

async function wakeDeliveries() {
  const handle = await shared.temporal.workflow.start('wakeDeliveries', {
    workflowId: `wake-${Date.now()}`,
    taskQueue: 'shipments',
  });
  return { handle, result: await handle.result() };
}

function handleOf(webhook: TestWebhook) {
  return shared.temporal.workflow.getHandle(workflowIds.deliverWebhooks(webhook.id));
}

async function ended(webhook: TestWebhook): Promise<void> {
  await handleOf(webhook).result();
}

async function isActive(webhook: TestWebhook): Promise<boolean> {
  return (await api.get(`/webhooks/${webhook.id}?${webhook.query}`)).body.data.is_active;
}
