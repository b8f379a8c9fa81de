import { Worker } from '@temporalio/worker';
import test from 'ava';
import type { SendDueResult } from '../../src/contracts/deliver-webhooks.js';
import { workflowBundlePath } from '../../src/main/workflow-bundle.js';
import { CleanUps } from '../support/clean-ups.js';
import { startTimeSkipping } from '../support/time-skipping.js';
import '../support/engine-runtime.js';

const serverPath = process.env.TEMPORAL_TEST_SERVER;
const timed = serverPath === undefined ? test.skip : test;
const MINUTE_MS = 60_000;
const MINUTES_AWAY = 22;

timed('deliveries wait no longer than half a minute once the mail server is back', async (t) => {
  const cleanUps = new CleanUps();
  t.teardown(() => cleanUps.end());
  const environment = await startTimeSkipping(cleanUps, serverPath ?? '');
  const now = () => environment.currentTimeMs();
  const backAt = (await now()) + MINUTES_AWAY * MINUTE_MS;
  const rounds: number[] = [];
  const activities = {
    sendDue: async (): Promise<SendDueResult> => {
      rounds.push(await now());
      const isFirst = rounds.length === 1;
      return {
        counts: { sent: 0, delivered: 0, failed: 0 },
        nextDueInMs: isFirst ? 0 : null,
        parcel: null,
        failing: false,
        owner: null,
        tellOwner: isFirst,
        failedSince: null,
        trouble: null,
        host: null,
        isActive: false,
      };
    },
    tellOwner: async () => {
      if ((await now()) < backAt) throw new Error('the mail server is away');
      return 'told';
    },
  };
  const common = { connection: environment.nativeConnection, namespace: environment.namespace ?? 'default' };
  const workers = await Promise.all([
    Worker.create({
      ...common,
      taskQueue: 'shipments',
      workflowBundle: { codePath: await workflowBundlePath({ payloadEncryption: null }) },
    }),
    Worker.create({ ...common, taskQueue: 'webhooks', activities }),
  ]);
  const runs = Promise.all(workers.map((worker) => worker.run()));
  t.teardown(async () => {
    for (const worker of workers) worker.shutdown();
    await runs;
  });

  const result: SendDueResult['counts'] = await environment.client.workflow.execute('deliverWebhooks', {
    workflowId: 'webhook/turned-off',
    taskQueue: 'shipments',
    args: [{ subscriptionId: 'turned-off' }],
  });

  const lateMs = (rounds[1] ?? 0) - backAt;
  t.deepEqual(result, { sent: 0, delivered: 0, failed: 0 });
  t.true(lateMs >= 0 && lateMs <= 31_000, `${lateMs} ms`);
});
