import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import test from 'ava';
import { dataConverterOf } from '../../src/temporal/data-converter.js';
import { distFolder } from '../../tools/launcher/paths.js';
import { runAdmin } from '../support/admin.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { violations } from '../support/invariants.js';
import { makeOtherBuild } from '../support/other-build.js';
import { patient } from '../support/patience.js';
import {
  startApiProcess,
  startOwnTemporal,
  TestProcess,
  temporaryFolder,
  workerOfBuild,
} from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';
import { waitingOrder } from '../support/waiting-order.js';
import { Load } from './load.js';
import '../support/engine-runtime.js';

/** Else the engine looks for what still runs after three minutes, and remembers workers for five. */
const SOON = [
  'matching.wv.VersionDrainageStatusRefreshInterval="1s"',
  'matching.wv.VersionDrainageStatusVisibilityGracePeriod="1s"',
  'matching.longPollExpirationInterval="4s"',
  'matching.PollerHistoryTTL="6s"',
];
/** Creations that must succeed after each step of a deploy. */
const SERVED = 15;

interface Row {
  build: string;
  state: string;
  share: number;
  runs: number;
  example: string | null;
  workers: number;
}

const owner = new CleanUps();
let stack: TestStack;
test.after.always(() => owner.end());
test.before(async () => {
  const folder = temporaryFolder(owner);
  const { temporalAddress } = await startOwnTemporal(owner, folder, SOON);
  stack = await startStack({
    engines: { databaseUrl: process.env.DATABASE_URL ?? '', temporalAddress },
    // A busy machine is slow while a process starts.
    env: { CREATE_WAIT_MS: '90000' },
  });
  owner.teardown(() => stack.close());
});

test('a build that cannot replay the former one is deployed forth and back under load: no request fails, each creation ends on the build on which it began', async (t) => {
  t.timeout(patient(90_000));
  const otherBuild = makeOtherBuild(temporaryFolder(owner));
  const [old, next, api] = await Promise.all([
    startWorker(distFolder, 'old'),
    startWorker(otherBuild, 'new'),
    startApiProcess(owner, stack),
  ]);
  // The engine knows a build a moment after its worker's first poll, and who polls a moment later.
  const unused = await eventually(async () => {
    const builds = await status();
    return builds.filter(({ workers }) => workers > 0).length === 2 && builds;
  }, 'both builds to be known, with their workers');
  const unknown = await admin(['deploy', 'set-current', 'none-such']);
  await deploy('set-current', 'old');
  const load = new Load([api.url], stack.account, []).start(owner, 2);
  const served = async () => {
    const wanted = load.remembered.length + SERVED;
    await eventually(() => load.remembered.length >= wanted, `${SERVED} creations`);
  };
  const sweep = await startSweep();
  await served();
  const undecided = await waitingOrder(stack, api.client);

  // It learns of a worker's queues one after another, for some seconds.
  const ramp = () => admin(['deploy', 'ramp', 'new', '--percent', '50']);
  await eventually(async () => (await ramp()).code === 0, 'all queues of the new build to be known');
  const ramped = await status();
  await served();
  const ended = await deploy('back');
  await deploy('set-current', 'new');
  await served();
  const replaced = await startApiProcess(owner, stack);
  load.useOnly([replaced.url]);
  const apiExit = await api.process.stop();
  const draining = await status();
  const stranded = await waitingOrder(stack, replaced.client);
  const back = await deploy('back');
  await served();
  // The former build cannot replay it: it waits for one that can.
  const handedOver = await deploy('hand-over', 'new');
  await deploy('set-current', 'new');
  await served();
  await load.stop();
  const decisions = [undecided, stranded].map(({ uuid, code }) => admin(['resolve', uuid, '--adopt', code]));
  const decided = await Promise.all(decisions);
  const tooSoon = await deploy('clean-up');
  await eventually(
    async () => (await status()).some(({ state }) => state === 'drained'),
    'the old build to drain',
  );
  const workerExit = await old.stop();
  const left = await eventually(async () => {
    await deploy('clean-up');
    const builds = await status();
    return builds.length === 1 && builds;
  }, 'the old build to be gone');
  await sweep.terminate();

  t.deepEqual(
    unused.map(({ build, state, share, workers }) => ({ build, state, share, workers })),
    [
      { build: 'new', state: 'inactive', share: 0, workers: 1 },
      { build: 'old', state: 'inactive', share: 0, workers: 1 },
      { build: 'none', state: 'current', share: 100, workers: 0 },
    ],
  );
  t.deepEqual(
    ramped.map(({ build, state, share }) => ({ build, state, share })),
    [
      { build: 'new', state: 'ramping', share: 50 },
      { build: 'old', state: 'current', share: 50 },
    ],
  );
  t.deepEqual(
    [ended, back],
    [
      { current: 'old', before: 'new' },
      { current: 'old', before: 'new' },
    ],
  );
  const [drain] = draining.filter(({ build }) => build === 'old');
  t.like(drain, { state: 'draining', share: 0 });
  t.true((drain?.runs ?? 0) >= 1);
  t.regex(drain?.example ?? '', /^shipment\//);
  t.deepEqual(
    decided.map(({ code, err }) => [code, err]),
    [
      [0, ''],
      [0, ''],
    ],
  );
  t.is(unknown.code, 1);
  t.regex(unknown.err, /^admin: Temporal refuses: .*none-such/);
  t.deepEqual(handedOver, { build: 'new', handed_over: 1 });
  t.like(tooSoon[0], { build: 'old', done: 'kept' });
  t.deepEqual([apiExit, workerExit], [0, 0], old.log);
  t.like(left, [{ build: 'new', state: 'current', share: 100, runs: 0, workers: 1 }]);

  t.deepEqual([...load.statuses.keys()], [201], load.summary);
  t.deepEqual(load.unexpected, []);
  t.deepEqual(await violations(stack, replaced.client, load.remembered), []);
  const runs = await createdBy();
  t.deepEqual(
    runs.filter(({ builds }) => builds.length !== 1),
    [],
  );
  for (const build of ['old', 'new'])
    t.true(runs.filter(({ builds }) => builds[0] === build).length > SERVED, build);
  t.deepEqual(runs.find(({ id }) => id === drain?.example)?.builds, ['old']);
  t.deepEqual(await buildsOf(sweep), ['old', 'new', 'old', 'new'], 'what goes round follows');
  const [oneOfOld] = runs.filter(({ builds }) => builds[0] === 'old');
  await t.throwsAsync(replayUnder(otherBuild, oneOfOld?.id ?? ''), { name: 'DeterminismViolationError' });
  t.log(load.summary, next.isRunning);
});

async function startWorker(build: string, id: string): Promise<TestProcess> {
  const spec = await workerOfBuild(owner, stack, build, { WORKER_BUILD_ID: id });
  return await new TestProcess(owner, spec).start();
}

async function admin(args: readonly string[]) {
  return await runAdmin(args, stack.env);
}

async function deploy(...args: readonly string[]) {
  const { code, out, err } = await admin(['deploy', ...args, '--json']);
  if (code !== 0) throw new Error(`deploy ${args.join(' ')}: ${err}`);
  return JSON.parse(out);
}

async function status(): Promise<Row[]> {
  return await deploy('status');
}

/** A run that goes round each second. */
async function startSweep(): Promise<WorkflowHandle> {
  return await stack.temporal.workflow.start('resumeBatches', {
    workflowId: 'a-sweep',
    taskQueue: 'shipments',
    args: [{ everySeconds: 1 }],
  });
}

/** Every creation, with the builds that worked on it, in turn. */
async function createdBy(): Promise<{ id: string; builds: string[] }[]> {
  const found: { id: string; builds: string[] }[] = [];
  for await (const { workflowId } of stack.temporal.workflow.list({
    query: `WorkflowType = 'createShipment'`,
  })) {
    found.push({ id: workflowId, builds: await buildsOf(stack.temporal.workflow.getHandle(workflowId)) });
  }
  return found;
}

async function buildsOf(handle: WorkflowHandle): Promise<string[]> {
  const { events } = await handle.fetchHistory();
  const all = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: done }) =>
    done == null ? [] : [done.deploymentVersion?.buildId ?? 'none'],
  );
  return all.filter((build, index) => build !== all[index - 1]);
}

async function replayUnder(build: string, workflowId: string): Promise<void> {
  const history = await stack.temporal.workflow.getHandle(workflowId).fetchHistory();
  await Worker.runReplayHistory(
    {
      workflowBundle: { codePath: join(build, 'workflow-bundle.js') },
      dataConverter: dataConverterOf(stack.config),
    },
    history,
    workflowId,
  );
}
