import test, { type ExecutionContext } from 'ava';
import { workflowIds } from '../../src/contracts/ids.js';
import { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { patient } from '../support/patience.js';
import { startWorkerProcess } from '../support/processes.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { startStack, type TestStack } from '../support/stack.js';
import {
  createShipment,
  deliveriesOf,
  settledDeliveries,
  subscribe,
  WEBHOOK_ENV,
  withOwnLicense,
} from '../support/webhooks.js';

const REPEATS = Number(process.env.FAULT_REPEATS ?? 1);

interface Setting {
  stack: TestStack;
  api: ApiClient;
  receiver: Receiver;
  mail: MailServer;
}

async function begin(t: ExecutionContext): Promise<Setting> {
  t.timeout(patient(REPEATS * 120_000));
  const mail = await startMailServer();
  const stack = await startStack({ env: { ...WEBHOOK_ENV, SMTP_URL: mail.url } });
  const receiver = await startReceiver();
  t.teardown(async () => {
    await stack.close();
    await receiver.close();
    await mail.close();
  });
  return { stack, api: new ApiClient(await stack.startApi(), stack.account), receiver, mail };
}

/** A delivery in the middle of which a worker died is due again when its lease ends; a test does not wait for that. */
async function endLeases(stack: TestStack): Promise<void> {
  await stack.db.run(`UPDATE webhook_deliveries SET next_attempt_at = NOW(6) WHERE status = 'pending'`);
}

/** Requests that came, and attempts that are recorded, by event id. */
async function counts(stack: TestStack, receiver: Receiver) {
  const rows = await stack.db.select(
    `SELECT d.event_id, COUNT(*) AS attempts FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id
     GROUP BY d.event_id ORDER BY d.event_id`,
  );
  const came = new Map<string, number>();
  for (const { headers } of receiver.requests) {
    const id = headers['x-service-event-id'] ?? '';
    came.set(id, (came.get(id) ?? 0) + 1);
  }
  return {
    recorded: rows.map((row) => [String(row.event_id), Number(row.attempts)] as const),
    wire: [...came].sort(([one], [other]) => (one < other ? -1 : 1)),
  };
}

test('a worker killed after the receiver took an event sends it again under the same id, and records both', async (t) => {
  const { stack: shared, api, receiver } = await begin(t);
  for (let turn = 1; turn <= REPEATS; turn += 1) {
    const stack = await withOwnLicense(shared);
    const webhook = await subscribe(stack, api, { url: receiver.url });
    const worker = await startWorkerProcess(t, stack);
    // Took it, and its answer is on the way when the worker dies.
    receiver.behave({ kind: 'answer', status: 200 }, { kind: 'answer', status: 200, delayMs: 5000 });
    const before = receiver.requests.length;
    await createShipment(stack, api);
    await eventually(() => receiver.requests.length > before, 'the first request');
    await worker.kill9();
    await endLeases(stack);
    const next = await startWorkerProcess(t, stack);

    const [delivery] = await settledDeliveries(api, webhook);

    t.is(delivery?.status, 'succeeded');
    t.deepEqual(
      delivery?.attempts.map(({ number, duration_ms, response_status }) => [
        number,
        duration_ms === null,
        response_status,
      ]),
      [
        [1, true, null],
        [2, false, 200],
      ],
    );
    const { recorded, wire } = await counts(stack, receiver);
    t.deepEqual(wire, recorded);
    await next.kill9();
  }
});

test('events that nobody could deliver at the time are delivered, each once', async (t) => {
  const { stack, api, receiver } = await begin(t);
  const webhook = await subscribe(stack, api, { url: receiver.url });
  const worker = await startWorkerProcess(t, stack, { WORKER_QUEUES: 'shipments,carrier-independent' });
  await Promise.all(Array.from({ length: 12 }, () => createShipment(stack, api)));
  const waiting = await deliveriesOf(api, webhook);
  // A creation is answered before its wake is sent; a lost one is the Schedule's affair, which does not tick here.
  const run = stack.temporal.workflow.getHandle(workflowIds.deliverWebhooks(webhook.id));
  const isThere = () => run.describe().then(Boolean, () => false);
  await eventually(isThere, 'the run of the webhook');
  await worker.kill9();

  await startWorkerProcess(t, stack);
  const settled = await settledDeliveries(api, webhook, 12);

  t.true(waiting.every(({ status, attempts }) => status === 'pending' && attempts.length === 0));
  t.is(settled.length, 12);
  t.true(settled.every(({ status, attempts }) => status === 'succeeded' && attempts.length === 1));
  const { recorded, wire } = await counts(stack, receiver);
  t.deepEqual(wire, recorded);
});

test('a dead, a slow and a good receiver: the good one waits for neither', async (t) => {
  const { stack, api, receiver: good } = await begin(t);
  const [dead, slow] = await Promise.all([startReceiver(), startReceiver()]);
  t.teardown(() => Promise.all([dead.close(), slow.close()]));
  dead.behave({ kind: 'hang' });
  // Within what an attempt may take.
  slow.behave({ kind: 'answer', status: 200, delayMs: 14_000 });
  await stack.startWorkers();
  const hooks = await Promise.all(
    [dead, slow, good].map(({ url }) => subscribe(stack, api, { url, events: ['shipment.created'] })),
  );

  const created = await Promise.all(Array.from({ length: 16 }, () => createShipment(stack, api)));
  const settled = await settledDeliveries(api, hooks[2]!, created.length);

  const others = await Promise.all([hooks[0]!, hooks[1]!].map((hook) => deliveriesOf(api, hook)));
  const attempts = others.flat().flatMap((delivery) => delivery.attempts);
  t.true(settled.every(({ status }) => status === 'succeeded'));
  t.is(good.requests.length, created.length);
  t.deepEqual(
    attempts.filter(({ duration_ms }) => duration_ms !== null),
    [],
  );
  await eventually(() => dead.requests.length > 0 && slow.requests.length > 0, 'requests to the two others');
});
