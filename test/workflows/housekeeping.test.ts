import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import test from 'ava';
import { workflowBundlePath } from '../../src/main/workflow-bundle.js';
import { eventually } from '../support/conditions.js';
import { startStack } from '../support/stack.js';

const SLOW = ['flagOrphans', 'failAbandonedExports', 'deleteOld', 'recountShipments'] as const;

test('the sweeps run side by side, and one that fails keeps no other from its end', async (t) => {
  const stack = await startStack();
  t.teardown(() => stack.close());
  const begun = new Set<string>();
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const slow = (name: string) => async () => {
    begun.add(name);
    await held;
    return 0;
  };
  const connection = await NativeConnection.connect({ address: stack.config.temporalAddress });
  const worker = await Worker.create({
    connection,
    namespace: stack.config.temporalNamespace,
    taskQueue: 'shipments',
    workflowBundle: { codePath: await workflowBundlePath(stack.config) },
    activities: {
      deleteExpired: () => {
        throw ApplicationFailure.nonRetryable('MySQL is away');
      },
      ...Object.fromEntries(SLOW.map((name) => [name, slow(name)])),
    },
  });
  const run = worker.run();
  t.teardown(async () => {
    worker.shutdown();
    await run;
    await connection.close();
  });

  const handle = await stack.temporal.workflow.start('housekeeping', {
    taskQueue: 'shipments',
    workflowId: 'housekeeping',
  });
  await eventually(() => begun.size === SLOW.length, 'the other sweeps');
  await eventually(async () => {
    const types = await eventTypesOf(handle);
    const failedAt = types.indexOf('activityTaskFailed');
    return failedAt >= 0 && types.includes('workflowTaskCompleted', failedAt);
  }, 'the run to know of the failure');
  letGo();

  await t.throwsAsync(handle.result(), { name: 'WorkflowFailedError' });
  const ended = (await eventTypesOf(handle)).filter((type) => type === 'activityTaskCompleted');
  t.is(ended.length, SLOW.length);
});

async function eventTypesOf(handle: WorkflowHandle): Promise<string[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).map((event) => event.attributes?.replace(/EventAttributes$/, '') ?? '');
}
