import type { Client } from '@temporalio/client';
import test from 'ava';
import { openDatabase } from '../../src/db/database.js';
import { LIMITS } from '../../src/lib/limits/values.js';
import { metrics } from '../../src/lib/metrics.js';
import { createServiceFigures } from '../../src/services/operations/service-figures.js';
import { shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { readExposition, type Sample, scrape, valueOf } from '../support/exposition.js';
import { SDK_NAMES } from '../support/metric-names.js';
import { type ApiProcess, anyPort, startApiProcess, startWorkerProcess } from '../support/processes.js';
import { startReceiver } from '../support/receiver.js';
import { startStack, type TestStack } from '../support/stack.js';
import { subscribe, WEBHOOK_ENV } from '../support/webhooks.js';

const cleanUps = new CleanUps();
let stack: TestStack;
let api: ApiProcess;
let apiPort: number;
let workerPort: number;

test.before(async () => {
  stack = await startStack({ env: WEBHOOK_ENV });
  cleanUps.teardown(() => stack.close());
  [apiPort, workerPort] = [await anyPort(), await anyPort()];
  api = await startApiProcess(cleanUps, stack, { API_METRICS_PORT: String(apiPort) });
  await startWorkerProcess(cleanUps, stack, { WORKER_METRICS_PORT: String(workerPort) });
  // While new processes load their code on a busy machine, a creation may be answered 503, and counted so.
  const first = shipmentBody(stack.account, 'run');
  await eventually(
    async () => (await api.client.create(first, 'first')).status === 201,
    'a first creation',
    LATER_MS,
  );
});
test.after.always(() => cleanUps.end());

/** Figures of the whole service are read every few seconds. */
const LATER_MS = 20_000 + LIMITS.operators.figuresKeptMs;

async function untilScraped(
  port: number,
  what: string,
  holds: (samples: Sample[]) => boolean,
): Promise<Sample[]> {
  return await eventually(
    async () => {
      const samples = await scrape(port);
      return holds(samples) && samples;
    },
    what,
    LATER_MS,
  );
}

function added(
  [before, after]: [before: Sample[], after: Sample[]],
  name: string,
  labels: Record<string, string>,
): number {
  return (valueOf(after, name, labels) ?? 0) - (valueOf(before, name, labels) ?? 0);
}

test.serial(
  'metrics: a booked, a repeated, a refused and an invalid creation are counted where they were',
  async (t) => {
    const [samplesBefore, workerBefore] = [await scrape(apiPort), await scrape(workerPort)];
    const body = shipmentBody(stack.account, 'run');
    const created = await api.client.create(body, 'booked-once');
    await api.client.create(body, 'booked-once');
    await stack.sandbox.fault({ operation: 'book', kind: 'error_in_200', times: 1 });
    const refused = await api.client.create(shipmentBody(stack.account, 'run'));
    const invalid = await api.client.create({ license_key: stack.account.licenseKeys.run });

    const samples = await scrape(apiPort);
    const worker = await scrape(workerPort);

    t.deepEqual([created.status, refused.status, invalid.status], [201, 422, 422]);
    const creations = (outcome: string) =>
      added([samplesBefore, samples], 'parcelworks_creations_total', { carrier: 'run', outcome });
    t.deepEqual([creations('created'), creations('repeated'), creations('refused')], [1, 1, 1]);
    const requests = (status: string) =>
      added([samplesBefore, samples], 'parcelworks_http_requests_total', {
        api: 'v2',
        route: 'POST /shipments',
        status,
      });
    t.deepEqual([requests('2xx'), requests('4xx')], [2, 2]);
    const timed = { route: 'POST /shipments' };
    t.is(added([samplesBefore, samples], 'parcelworks_http_request_seconds_count', timed), 4);
    const calls = (outcome: string) =>
      added([workerBefore, worker], 'parcelworks_carrier_call_seconds_count', {
        carrier: 'run',
        operation: 'book',
        outcome,
      });
    t.deepEqual([calls('accepted'), calls('rejected')], [1, 1]);
  },
);

test.serial('metrics: a booking whose reply is lost waits for a person until it is decided', async (t) => {
  await stack.sandboxes.get('getpackage')?.fault({ operation: 'book', kind: 'drop_after', times: 1 });
  const state = { carrier: 'getpackage', state: 'needs_attention' };

  const lost = await api.client.create(shipmentBody(stack.account, 'getpackage'));

  t.is(lost.status, 202);
  t.is(
    valueOf(await scrape(apiPort), 'parcelworks_creations_total', {
      carrier: 'getpackage',
      outcome: 'needs_attention',
    }),
    1,
  );
  const samples = await untilScraped(
    apiPort,
    'the waiting shipment',
    (found) => valueOf(found, 'parcelworks_shipments_open', state) === 1,
  );
  t.is(valueOf(samples, 'parcelworks_shipments_open', { carrier: 'run', state: 'needs_attention' }), 0);
  const older = await untilScraped(
    apiPort,
    'its age',
    (found) => (valueOf(found, 'parcelworks_shipments_open_oldest_seconds', state) ?? 0) > 0,
  );
  t.is(valueOf(older, 'parcelworks_figures_up'), 2);
  await stack.db.run(`UPDATE shipments SET state = 'refused', status_code = 'cancelled' WHERE uuid = ?`, [
    lost.body.data.uuid,
  ]);
  await untilScraped(
    apiPort,
    'its end',
    (found) => valueOf(found, 'parcelworks_shipments_open', state) === 0,
  );
});

test.serial('metrics: a receiver that fails is counted, with the deliveries that wait for it', async (t) => {
  const receiver = await startReceiver();
  cleanUps.teardown(() => receiver.close());
  receiver.behave({ kind: 'answer', status: 500 });
  await subscribe(stack, api.client, { url: receiver.url });
  await api.client.create(shipmentBody(stack.account, 'independent'));

  const samples = await untilScraped(
    apiPort,
    'the failing webhook',
    (found) => valueOf(found, 'parcelworks_work_open', { kind: 'failing_webhooks' }) === 1,
  );

  t.is(valueOf(samples, 'parcelworks_work_open', { kind: 'mails' }), 0);
  t.is(valueOf(samples, 'parcelworks_work_open', { kind: 'batches' }), 0);
});

test.serial('metrics: each queue has its workers, and its backlog is known', async (t) => {
  const samples = await untilScraped(apiPort, 'all queues', (found) => {
    const pollers = found.filter(({ name }) => name === 'parcelworks_task_queue_pollers');
    return pollers.length > 0 && pollers.every(({ value }) => value > 0);
  });

  const queues = samples.filter(({ name }) => name === 'parcelworks_task_queue_backlog');
  t.true(queues.some(({ labels }) => labels.queue === 'carrier-wolt-drive' && labels.type === 'activity'));
  t.true(queues.some(({ labels }) => labels.queue === 'shipments' && labels.type === 'workflow'));
});

test.serial('metrics: steps that fail and runs that cannot go on are counted by what they are', async (t) => {
  await stack.sandbox.fault({ operation: 'book', kind: 'status', value: 503, times: 1 });
  const created = await api.client.create(shipmentBody(stack.account, 'run'));
  const run = await stack.temporal.workflow.start('codeOfAnotherVersion', {
    workflowId: 'cannot-go-on',
    taskQueue: 'shipments',
  });

  const samples = await untilScraped(
    workerPort,
    'the run that cannot go on',
    (found) =>
      (valueOf(found, 'temporal_workflow_task_execution_failed_total', { failure_reason: 'WorkflowError' }) ??
        0) > 0,
  );
  await run.terminate();

  t.is(created.status, 201);
  t.is(valueOf(samples, 'temporal_activity_execution_failed_total', { activity_type: 'book' }), 1);
  t.is(
    valueOf(samples, 'parcelworks_carrier_call_seconds_count', {
      carrier: 'run',
      operation: 'book',
      outcome: 'unknown',
    }),
    1,
  );
});

test.serial(
  "metrics: a worker shows Temporal's SDK, itself and its capacities, a process of each kind alike",
  async (t) => {
    const worker = await scrape(workerPort);
    const samples = await scrape(apiPort);

    const sdk = worker.filter(({ name }) => name.startsWith('temporal_')).map(({ name }) => name);
    t.true(sdk.includes('temporal_workflow_completed_total'));
    t.true(sdk.includes('temporal_workflow_task_schedule_to_start_latency_seconds_bucket'));
    t.deepEqual(
      sdk.filter((name) => !SDK_NAMES.has(name)),
      [],
    );
    t.is(valueOf(worker, 'parcelworks_capacity_limit', { capacity: 'mails.atOnce' }), LIMITS.mails.atOnce);
    t.is(valueOf(samples, 'parcelworks_capacity_limit', { capacity: 'MAX_OPEN_REQUESTS' }), 512);
    t.is(valueOf(samples, 'parcelworks_capacity_used', { capacity: 'MAX_OPEN_REQUESTS' }), 0);
    for (const found of [worker, samples]) {
      t.is(valueOf(found, 'parcelworks_capacity_waiting', { capacity: 'DATABASE_POOL_SIZE statements' }), 0);
      t.true((valueOf(found, 'process_resident_memory_bytes') ?? 0) > 0);
      t.true((valueOf(found, 'nodejs_eventloop_lag_p99_seconds') ?? 0) > 0);
    }
  },
);

test.serial('metrics: no figure names a person, an order or a parcel', async (t) => {
  for (const port of [apiPort, workerPort]) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    t.notRegex(text, /Dana|0501234567|Dizengoff|order-|booked-once|\bci_|\bsk_|[0-9a-f]{8}-[0-9a-f]{4}-/);
  }
});

test.serial(
  'metrics: nothing else is answered on their port, and nothing of them on that of the API',
  async (t) => {
    const statusOf = async (url: string) => (await fetch(url)).status;

    t.is(await statusOf(`http://127.0.0.1:${apiPort}/`), 404);
    t.is(await statusOf(`${api.url}/metrics`), 404);
  },
);

test.serial('metrics: figures of an engine that does not answer are absent, not old', async (t) => {
  const db = openDatabase({ url: 'mysql://root@127.0.0.1:9/none', poolSize: 1 });
  t.teardown(() => db.close());
  const temporal = {
    withDeadline: async () => {
      throw new Error('away');
    },
  } as unknown as Client;
  const working = createServiceFigures({ db: stack.db, temporal: stack.temporal, providers: ['run'] });
  await working();
  const before = readExposition(await metrics.metrics());

  await createServiceFigures({ db, temporal, providers: ['run'] })();

  const after = readExposition(await metrics.metrics());
  t.is(valueOf(before, 'parcelworks_figures_up'), 2);
  t.not(valueOf(before, 'parcelworks_shipments_open'), undefined);
  t.not(valueOf(before, 'parcelworks_worker_builds'), undefined);
  t.is(valueOf(after, 'parcelworks_figures_up'), 0);
  t.is(valueOf(after, 'parcelworks_worker_builds'), undefined);
  t.is(valueOf(after, 'parcelworks_shipments_open'), undefined);
  t.is(valueOf(after, 'parcelworks_task_queue_backlog'), undefined);
});
