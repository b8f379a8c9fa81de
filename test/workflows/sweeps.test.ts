import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import test from 'ava';
import { workflowBundlePath } from '../../src/main/workflow-bundle.js';
import { CleanUps } from '../support/clean-ups.js';
import { detailsOf } from '../support/runs.js';
import { startTimeSkipping } from '../support/time-skipping.js';
import '../support/engine-runtime.js';

const serverPath = process.env.TEMPORAL_TEST_SERVER;
const timed = serverPath === undefined ? test.skip : test.serial;

const cleanUps = new CleanUps();
let environment: TestWorkflowEnvironment;
/** The rounds' results; a round beyond these finds nothing. */
let rounds: (() => number)[] = [];
let calls = 0;
let stop: () => Promise<void>;

test.before(async () => {
  if (serverPath === undefined) return;
  environment = await startTimeSkipping(cleanUps, serverPath);
  stop = await startWorkers();
});
test.beforeEach(() => {
  calls = 0;
});
test.after.always(async () => {
  await stop?.();
  await cleanUps.end();
});

timed('a sweep goes round each minute of an hour in one run, whatever becomes of a round', async (t) => {
  const fails = () => {
    throw new Error('MySQL is away');
  };
  // Each round is tried twice.
  rounds = [() => 2, fails, fails, () => 1];

  const handle = await environment.client.workflow.start('wakeDeliveries', {
    workflowId: 'an-hour',
    taskQueue: 'shipments',
    args: [{ everySeconds: 60 }],
  });
  const result = await handle.result();

  const { startTime, closeTime } = await handle.describe();
  const minutes = ((closeTime?.getTime() ?? 0) - startTime.getTime()) / 60_000;
  t.deepEqual(result, { woken: 3 });
  t.is(calls, 61);
  t.true(minutes >= 59 && minutes < 60, `${minutes} minutes`);
  t.is(await detailsOf(handle), 'Done: 60 rounds, 1 failed; 3 woken.');
});

timed('a sweep without a pace goes round once, and fails as its round does', async (t) => {
  rounds = [() => 4];
  const start = () =>
    environment.client.workflow.execute('wakeDeliveries', { workflowId: 'once', taskQueue: 'shipments' });

  const result = await start();
  const fails = () => {
    throw new Error('MySQL is away');
  };
  rounds = [fails, fails];

  t.deepEqual(result, { woken: 4 });
  await t.throwsAsync(start(), { name: 'WorkflowFailedError' });
});

async function startWorkers(): Promise<() => Promise<void>> {
  const common = { connection: environment.nativeConnection, namespace: environment.namespace ?? 'default' };
  const workers = await Promise.all([
    Worker.create({
      ...common,
      taskQueue: 'shipments',
      workflowBundle: { codePath: await workflowBundlePath({ payloadEncryption: null }) },
    }),
    Worker.create({
      ...common,
      taskQueue: 'webhooks',
      activities: {
        wakeOverdue: async () => {
          calls += 1;
          return rounds.shift()?.() ?? 0;
        },
      },
    }),
  ]);
  const runs = Promise.all(workers.map((worker) => worker.run()));
  return async () => {
    for (const worker of workers) worker.shutdown();
    await runs;
  };
}
