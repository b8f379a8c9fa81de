import test from 'ava';
import { WORKER_DEPLOYMENT } from '../../src/contracts/ids.js';
import { runAdmin } from '../support/admin.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { patient } from '../support/patience.js';
import {
  startApiProcess,
  startOwnTemporal,
  TestProcess,
  temporaryFolder,
  workerSpec,
} from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';
import '../support/engine-runtime.js';

/** The limit is a hundred builds, and the engine remembers workers for five minutes. */
const TWO_BUILDS = [
  'matching.maxVersionsInDeployment=2',
  'matching.longPollExpirationInterval="4s"',
  'matching.PollerHistoryTTL="6s"',
];

/** Five times what an idle queue's poll takes here. The product waits for 90 s. */
const UNANSWERED_SECONDS = 20;

const owner = new CleanUps();
let stack: TestStack;
test.after.always(() => owner.end());
test.before(async () => {
  const { temporalAddress } = await startOwnTemporal(owner, temporaryFolder(owner), TWO_BUILDS);
  stack = await startStack({
    engines: { databaseUrl: process.env.DATABASE_URL ?? '', temporalAddress },
    env: { CREATE_WAIT_MS: '90000' },
  });
  owner.teardown(() => stack.close());
});

test('a build beyond the limit, all others of which have workers: none of its polls is answered, until another ends', async (t) => {
  t.timeout(patient(120_000));
  const api = await startApiProcess(owner, stack);
  const first = await startWorker('first');
  const unused = await startWorker('unused');
  await eventually(async () => (await knownBuilds()).length === 2, 'two builds to be known');
  await eventually(async () => (await setCurrent('first')).code === 0, 'all queues of the first to be known');

  const beyond = await startWorker('beyond');
  await eventually(
    async () => (await agesOf(beyond)).every((seconds) => seconds >= UNANSWERED_SECONDS),
    'polls to stay without an answer',
  );
  const refused = await setCurrent('beyond');
  const [knownThen, others] = await Promise.all([knownBuilds(), agesOf(first)]);
  await api.client.created('independent');
  await unused.stop();
  await eventually(async () => (await setCurrent('beyond')).code === 0, 'the waiting build to come in');
  await api.client.created('independent');
  await eventually(async () => (await creationsOn('beyond')) === 1, 'the creation on the new build');

  t.is(refused.code, 1);
  t.regex(refused.err, /^admin: Temporal refuses: .*beyond/);
  t.true(
    others.every((seconds) => seconds < UNANSWERED_SECONDS),
    String(others),
  );
  t.deepEqual(knownThen.toSorted(), ['first', 'unused']);
  t.deepEqual((await knownBuilds()).toSorted(), ['beyond', 'first']);
  t.true(beyond.isRunning, beyond.log);
  t.is(await creationsOn('first'), 1);
});

async function startWorker(id: string): Promise<TestProcess & { healthPort: string }> {
  const spec = await workerSpec(owner, stack, { WORKER_BUILD_ID: id });
  const started = await new TestProcess(owner, spec).start();
  return Object.assign(started, { healthPort: spec.env?.WORKER_HEALTH_PORT ?? '' });
}

async function knownBuilds(): Promise<string[]> {
  const { out } = await runAdmin(['deploy', 'status', '--json'], stack.env);
  const rows: { build: string }[] = JSON.parse(out);
  return rows.map(({ build }) => build).filter((build) => build !== 'none');
}

function setCurrent(build: string) {
  return runAdmin(['deploy', 'set-current', build], stack.env);
}

/** Seconds since the engine answered a poll of the worker, for each of its queues. */
async function agesOf({ healthPort }: { healthPort: string }): Promise<number[]> {
  const response = await fetch(`http://127.0.0.1:${healthPort}/health/ready`);
  const { polls } = (await response.json()) as { polls: Record<string, number> };
  return Object.values(polls);
}

/** Creations that ended on a build. */
async function creationsOn(build: string): Promise<number> {
  const version = `${WORKER_DEPLOYMENT}:${build}`;
  const { count } = await stack.temporal.workflow.count(
    `WorkflowType = 'createShipment' AND TemporalWorkerDeploymentVersion = '${version}'`,
  );
  return count;
}
