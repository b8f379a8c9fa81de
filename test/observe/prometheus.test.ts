import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { createConnection } from 'mysql2/promise';
import { prometheusSpec } from '../../tools/engines/prometheus.js';
import { prometheusConfig } from '../../tools/launcher/observe.js';
import { projectFolder } from '../../tools/launcher/paths.js';
import { shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { withDeliveries } from '../support/delivery-rows.js';
import { insertTestLicense } from '../support/factories.js';
import { recordMail } from '../support/notifications.js';
import {
  type ApiProcess,
  anyPort,
  type OwnEngines,
  startApiProcess,
  startOwnEngines,
  startWorkerProcess,
  TestProcess,
  temporaryFolder,
} from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';

const program = process.env.PROMETHEUS;
const withPrometheus = program === undefined ? test.skip : test.serial;

/** `exports` and `batches` are left out. */
const SERVED = 'shipments,documents,carrier-run,carrier-getpackage';
const POOL_SIZE = 4;
/** Nobody waits minutes for a test; the figures and comparisons are those that are shipped. */
const SHORTENED: readonly [RegExp, string][] = [
  [/ for: \w+/g, ' for: 1s'],
  [/\[2m\]/g, '[5s]'],
  [/(task_queue_oldest_seconds\{[^}]*\}\)) > 60/, '$1 > 2'],
];

/** Between two SIGUSR2 the process computes, 0.3 s at a time; between two SIGHUP its clock is an hour ahead. */
const BY_SIGNALS = `let work;
process.on('SIGUSR2', () => {
  if (work) work = clearInterval(work);
  else work = setInterval(() => { for (const end = Date.now() + 300; Date.now() < end; ); }, 1);
});
const { now } = Date;
let aheadMs = 0;
Date.now = () => now() + aheadMs;
process.on('SIGHUP', () => { aheadMs = 3_600_000 - aheadMs; });`;

interface Answer {
  groups: { rules: { name: string; health: string; lastError?: string }[] }[];
  activeTargets: { health: string; labels: { job: string } }[];
  alerts: { state: string; labels: Record<string, string> }[];
}

const cleanUps = new CleanUps();
let engines: OwnEngines;
let stack: TestStack;
let api: ApiProcess;
let worker: TestProcess;
let prometheus: string;

test.before(async () => {
  if (program === undefined) return;
  engines = await startOwnEngines(cleanUps);
  stack = await startStack({ engines });
  cleanUps.teardown(() => stack.close());
  const [apiMetricsPort, workerMetricsPort, port] = [await anyPort(), await anyPort(), await anyPort()];
  api = await startApiProcess(cleanUps, stack, {
    API_METRICS_PORT: String(apiMetricsPort),
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(BY_SIGNALS)}`,
  });
  worker = await startWorkerProcess(cleanUps, stack, {
    WORKER_METRICS_PORT: String(workerMetricsPort),
    WORKER_QUEUES: SERVED,
    PUPPETEER_EXECUTABLE_PATH: '/bin/false',
  });
  const folder = temporaryFolder(cleanUps);
  const rules = join(folder, 'alerts.yaml');
  const shipped = readFileSync(join(projectFolder, 'docker/observe/alerts.yaml'), 'utf8');
  writeFileSync(
    rules,
    SHORTENED.reduce((text, [long, short]) => text.replace(long, short), shipped),
  );
  const config = prometheusConfig({ apiMetricsPort, workerMetricsPort, rules, everySeconds: 1 });
  const logFile = join(folder, 'prometheus.log');
  await new TestProcess(cleanUps, prometheusSpec(program, { config, folder, port, logFile })).start();
  prometheus = `http://127.0.0.1:${port}/api/v1`;
});
test.after.always(() => cleanUps.end());

async function ask(path: string): Promise<Answer> {
  const answer = await fetch(`${prometheus}/${path}`);
  return ((await answer.json()) as { data: Answer }).data;
}

/** Waits until the alert fires with these labels. `meanwhile` keeps its cause up. */
async function fires(
  name: string,
  labels: Record<string, string> = {},
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const wanted = Object.entries({ alertname: name, ...labels });
  await eventually(
    async () => {
      await meanwhile();
      return (await ask('alerts')).alerts.some(
        ({ state, labels: own }) => state === 'firing' && wanted.every(([key, text]) => own[key] === text),
      );
    },
    `the alert ${name}`,
    60_000,
  );
}

/** Waits until the alert is over. */
async function ends(name: string): Promise<void> {
  await eventually(
    async () => (await ask('alerts')).alerts.every(({ labels }) => labels.alertname !== name),
    `the end of the alert ${name}`,
    60_000,
  );
}

withPrometheus('alerts: Prometheus evaluates all of them on a running service', async (t) => {
  await eventually(async () => {
    const { activeTargets } = await ask('targets');
    return activeTargets.length === 2 && activeTargets.every(({ health }) => health === 'up');
  }, 'both targets to be scraped');
  const evaluated = await eventually(async () => {
    const all = (await ask('rules')).groups.flatMap((group) => group.rules);
    return all.length > 0 && all.every(({ health }) => health !== 'unknown') && all;
  }, 'all rules to be evaluated');

  t.deepEqual(
    evaluated.filter(({ health }) => health !== 'ok'),
    [],
  );
});

withPrometheus(
  'alerts: queues without workers, work that waits on them, and workers that come',
  async (t) => {
    const { license_key, ship_data, order } = shipmentBody(stack.account, 'run');
    const batch = await api.client.post('/batches', { license_key, shipments: [{ ship_data, order }] });
    t.is(batch.status, 202, batch.text);

    await fires('ParcelworksQueueUnserved', { queue: 'exports' });
    await fires('ParcelworksQueueBehind', { queue: 'batches' });
    const others = await startWorkerProcess(cleanUps, stack, {
      WORKER_QUEUES: SERVED.replaceAll(/^|,/g, '$&-'),
    });
    await ends('ParcelworksQueueUnserved');
    await ends('ParcelworksQueueBehind');
    await others.stop();
  },
);

withPrometheus('alerts: a run whose workflow the worker does not know', async (t) => {
  const run = await stack.temporal.workflow.start('ofANewerVersion', {
    taskQueue: 'shipments',
    workflowId: 'of-a-newer-version',
  });

  await fires('ParcelworksRunsStuck', { workflow_type: 'ofANewerVersion' });
  await run.terminate();
  t.pass();
});

withPrometheus('alerts: labels while the browser does not start', async (t) => {
  const { body, text } = await api.client.create(shipmentBody(stack.account, 'run'));
  t.truthy(body.data?.uuid, text);
  const label = api.client.get(`/shipments/${body.data.uuid}/label`);

  await fires('ParcelworksLabelsFailing');
  t.true((await label).status >= 500);
});

withPrometheus('alerts: what has waited too long', async (t) => {
  const { db, account } = stack;
  await stack.sandboxes.get('getpackage')?.fault({ operation: 'book', kind: 'drop_after', times: 1 });
  const lost = await api.client.create(shipmentBody(stack.account, 'getpackage'));
  t.is(lost.body.data?.status.code, 'needs_attention', lost.text);
  await withDeliveries(db, 1);
  await recordMail(db, await insertTestLicense(db, { accountId: account.id }));
  await db.run('UPDATE shipments SET status_at = status_at - INTERVAL 1 HOUR');
  await db.run('UPDATE webhook_deliveries SET next_attempt_at = NOW(6) - INTERVAL 1 HOUR');
  await db.run('UPDATE notification_logs SET next_attempt_at = NOW(6) - INTERVAL 1 HOUR');
  await db.run('UPDATE webhook_subscriptions SET failing_since = NOW(6) - INTERVAL 2 DAY');

  await fires('ParcelworksNeedsAttention', { carrier: 'getpackage' });
  await fires('ParcelworksDeliveriesLate');
  await fires('ParcelworksMailsLate');
  await fires('ParcelworksWebhookFailing');
  await db.run("UPDATE shipments SET status_code = 'pending', created_at = NOW(6) - INTERVAL 1 HOUR");
  await fires('ParcelworksCarrierAway', { carrier: 'getpackage' });
});

withPrometheus('alerts: a MySQL that takes no writes, and one that takes them again', async (t) => {
  const root = await createConnection({ uri: stack.config.databaseUrl });
  await root.query('SET GLOBAL read_only = 1');
  t.teardown(async () => {
    await root.query('SET GLOBAL read_only = 0');
    await root.end();
  });

  await fires('ParcelworksMysqlReadOnly');
  await root.query('SET GLOBAL read_only = 0');
  await ends('ParcelworksMysqlReadOnly');
  const created = await api.client.create(shipmentBody(stack.account, 'run'));

  t.is(created.status, 201, created.text);
});

withPrometheus(
  'alerts: a clock that is an hour ahead, with which parcels are booked, and that is set',
  async (t) => {
    const pid = Number(api.process.pid);
    process.kill(pid, 'SIGHUP');

    await fires('ParcelworksClockOff', { job: 'parcelworks-api' });
    const ahead = await api.client.create(shipmentBody(stack.account, 'run'));
    process.kill(pid, 'SIGHUP');
    await ends('ParcelworksClockOff');
    const after = await api.client.create(shipmentBody(stack.account, 'run'));

    t.deepEqual([ahead.status, after.status], [201, 201], ahead.text);
  },
);

withPrometheus('alerts: statements that wait for connections', async (t) => {
  const blocker = await createConnection({ uri: stack.config.databaseUrl });
  await blocker.query('LOCK TABLES shipments WRITE');
  const waiting = Array.from({ length: 3 * POOL_SIZE }, () => api.client.get('/shipments'));

  await fires('ParcelworksPoolExhausted');
  await fires('ParcelworksCapacityFull');
  await blocker.end();
  t.true((await Promise.all(waiting)).every(({ status }) => status === 200 || status === 503));
});

withPrometheus('alerts: a process that computes all the time', async (t) => {
  const { pid } = api.process;
  t.truthy(pid);
  process.kill(Number(pid), 'SIGUSR2');

  await fires('ParcelworksEventLoopLate', { job: 'parcelworks-api' });
  process.kill(Number(pid), 'SIGUSR2');
});

withPrometheus('alerts: an engine that is away, and processes that are gone', async (t) => {
  await engines.mysql.kill9();
  await fires('ParcelworksEngineAway', { source: 'mysql' });
  await fires('ParcelworksErrors', { api: 'v2' }, () => api.client.get('/shipments'));

  await worker.kill9();
  await fires('ParcelworksDown', { job: 'parcelworks-worker' });
  await fires('ParcelworksProcessGone', { job: 'parcelworks-worker' });
  // The clean-up needs it.
  await engines.mysql.start();
  t.true(engines.mysql.isRunning);
});
