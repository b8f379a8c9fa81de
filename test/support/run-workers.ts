import type { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import type { Config } from '../../src/config/config.js';
import type { Database } from '../../src/db/database.js';
import { createWorkers } from '../../src/main/queues.js';
import { workflowBundlePath } from '../../src/main/workflow-bundle.js';
import { engineConnection } from '../../src/temporal/client.js';
import { patient } from './patience.js';
import './engine-runtime.js';

/** Runs workers of all queues in this process; the returned function stops them. */
export async function runWorkers(
  config: Config,
  db: Database,
  temporal: Client,
  carriers: readonly CarrierAdapter[],
): Promise<() => Promise<void>> {
  const connection = await NativeConnection.connect(engineConnection(config));
  const { workers, close } = await createWorkers({
    config: { ...config, shutdownGraceMs: patient(1000) },
    db,
    temporal,
    connection,
    adapters: carriers,
    workflowBundlePath: await workflowBundlePath(config),
  });
  const runs = Promise.all(workers.map((worker) => worker.run()));
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    try {
      await runs;
    } finally {
      await close();
      await connection.close();
    }
  };
  return () => {
    stopped ??= stop();
    return stopped;
  };
}
