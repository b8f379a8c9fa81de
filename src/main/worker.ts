import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { NativeConnection, type Worker } from '@temporalio/worker';
import { allCarriers } from '../carriers/registry.js';
import { loadConfig } from '../config/config.js';
import { openDatabase } from '../db/database.js';
import { openTemporal } from '../temporal/client.js';
import { createWorkers } from './create-worker.js';
import { routeEngineLogs } from './engine-logs.js';
import { createLogger } from './logger.js';
import { onStopSignal, runProcess } from './process.js';
import { workflowBundlePath } from './workflow-bundle.js';

await runProcess('worker', async () => {
  const config = loadConfig();
  const log = createLogger('worker', config.logLevel);
  const polling: Worker[] = [];
  const health = await serveHealth(config.workerHealthPort, polling);
  routeEngineLogs(log);
  const db = openDatabase({ url: config.databaseUrl, poolSize: config.databasePoolSize });
  const connection = await NativeConnection.connect({ address: config.temporalAddress });
  const temporal = openTemporal(config);
  const { workers, close } = await createWorkers({
    config,
    db,
    temporal,
    connection,
    carriers: allCarriers(),
    workflowBundlePath: await workflowBundlePath(config),
  });
  polling.push(...workers);
  onStopSignal(() => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  });
  log.info({ queues: workers.map((worker) => worker.options.taskQueue) }, 'worker is polling');
  try {
    await Promise.all(workers.map((worker) => worker.run()));
  } finally {
    health?.close();
    await close();
    await Promise.all([db.close(), temporal.connection.close(), connection.close()]);
  }
});

/**
 * Answers 200 on loopback while there are workers and every one polls, else 503. Does not keep the process alive.
 * Rejects when the port is taken, before anything is polled.
 */
async function serveHealth(port: number, workers: readonly Worker[]): Promise<Server | undefined> {
  if (port === 0) return undefined;
  const server = createServer((_request, response) => {
    const polling = workers.length > 0 && workers.every((worker) => worker.getState() === 'RUNNING');
    response.writeHead(polling ? 200 : 503).end();
  });
  server.unref().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
