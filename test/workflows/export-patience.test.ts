import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import test from 'ava';
import { EXPORT_FAILURES } from '../../src/contracts/export-shipments.js';
import { taskQueues } from '../../src/contracts/ids.js';
import { RETRIES } from '../../src/contracts/retries.js';
import { workflowBundlePath } from '../../src/main/workflow-bundle.js';
import { CleanUps } from '../support/clean-ups.js';
import { startTimeSkipping } from '../support/time-skipping.js';
import '../support/engine-runtime.js';

const serverPath = process.env.TEMPORAL_TEST_SERVER;
const timed = serverPath === undefined ? test.skip : test.serial;
const MINUTE_MS = 60_000;

const cleanUps = new CleanUps();
let environment: TestWorkflowEnvironment;

test.before(async () => {
  if (serverPath === undefined) return;
  environment = await startTimeSkipping(cleanUps, serverPath);
});

test.after.always(() => cleanUps.end());

timed(
  'a mail that cannot be handed over in ten tries fails the export, after more than an hour',
  async (t) => {
    let tries = 0;
    const failed: string[] = [];
    const stop = await startWorkers({
      mailExport: () => {
        tries += 1;
        throw ApplicationFailure.retryable('The mail server cannot be reached.', EXPORT_FAILURES.mailNotSent);
      },
      failExport: ({ error }) => failed.push(error),
    });
    t.teardown(stop);
    const startedAt = await environment.currentTimeMs();

    await t.throwsAsync(run('export/patience'));

    t.is(tries, RETRIES.exportMail.maximumAttempts);
    t.deepEqual(failed, ['The mail with the export could not be handed over in 10 tries.']);
    t.true((await environment.currentTimeMs()) - startedAt > 55 * MINUTE_MS);
  },
);

timed('a mail server that is back for the last try gets the mail', async (t) => {
  let tries = 0;
  const failed: string[] = [];
  const stop = await startWorkers({
    mailExport: () => {
      tries += 1;
      if (tries < RETRIES.exportMail.maximumAttempts)
        throw ApplicationFailure.retryable('away', EXPORT_FAILURES.mailNotSent);
    },
    failExport: ({ error }) => failed.push(error),
  });
  t.teardown(stop);

  const result = await run('export/patience-back');

  t.deepEqual(result, { rows: 3 });
  t.deepEqual(failed, []);
});

interface Doubles {
  mailExport(): void;
  failExport(args: { error: string }): void;
}

/** Workers whose activities are doubles: what is under test here is the workflow's use of time. */
async function startWorkers(doubles: Doubles): Promise<() => Promise<void>> {
  const common = { connection: environment.nativeConnection, namespace: environment.namespace ?? 'default' };
  const workers = await Promise.all([
    Worker.create({
      ...common,
      taskQueue: taskQueues.shipments,
      workflowBundle: { codePath: await workflowBundlePath({ payloadEncryption: null }) },
    }),
    Worker.create({
      ...common,
      taskQueue: taskQueues.exports,
      activities: {
        beginExport: async () => true,
        writeExportRows: async () => 3,
        completeExport: async () => undefined,
        mailExport: async () => doubles.mailExport(),
        failExport: async (args: { error: string }) => doubles.failExport(args),
      },
    }),
  ]);
  const runs = Promise.all(workers.map((worker) => worker.run()));
  return async () => {
    for (const worker of workers) worker.shutdown();
    await runs;
  };
}

async function run(workflowId: string): Promise<unknown> {
  return await environment.client.workflow.execute('exportShipments', {
    workflowId,
    taskQueue: taskQueues.shipments,
    args: [{ exportId: 1, accountId: 1, licenseId: 1 }],
  });
}
