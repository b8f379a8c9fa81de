import { NativeConnection, Worker } from '@temporalio/worker';
import { taskQueues, WORKER_DEPLOYMENT } from '../../src/contracts/ids.js';
import { findBuilds } from '../../src/temporal/builds.js';
import { engineConnection } from '../../src/temporal/client.js';
import type { Owner } from './clean-ups.js';
import { eventually } from './conditions.js';
import type { TestStack } from './stack.js';
import './engine-runtime.js';

/** Workers of these builds, without work, until the engine knows them. */
export async function startBareBuilds(
  owner: Owner,
  stack: TestStack,
  builds: readonly string[],
): Promise<void> {
  const connection = await NativeConnection.connect(engineConnection(stack.config));
  owner.teardown(() => connection.close());
  for (const buildId of builds) {
    const worker = await Worker.create({
      connection,
      namespace: stack.config.temporalNamespace,
      taskQueue: taskQueues.shipments,
      activities: { rest: async () => undefined },
      workerDeploymentOptions: {
        version: { deploymentName: WORKER_DEPLOYMENT, buildId },
        useWorkerVersioning: true,
        defaultVersioningBehavior: 'PINNED',
      },
    });
    const run = worker.run();
    owner.teardown(async () => {
      worker.shutdown();
      await run;
    });
  }
  await eventually(async () => {
    const found = await findBuilds(stack.temporal);
    return builds.every((build) => found?.known.some((one) => one.build === build));
  }, 'the engine to know the builds');
}
