import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { NativeConnection, type Worker } from '@temporalio/worker';
import { allCarriers } from '../carriers/registry.js';
import { readCertificates } from '../config/certificates.js';
import { type Config, loadConfig } from '../config/config.js';
import { openDatabase } from '../db/database.js';
import { askForEntry } from '../db/errors.js';
import { engineConnection, openTemporal } from '../temporal/client.js';
import { noAnswer, requireNamespace } from '../temporal/entry.js';
import { endOnRenewal } from './certificates.js';
import { installEngineRuntime } from './engine-logs.js';
import { createEngineProbe } from './engines.js';
import { watchKnownKey } from './known-key.js';
import { createLogger } from './logger.js';
import { serveMetrics, showPools } from './metrics-server.js';
import { endProcess, onStopSignal, runProcess } from './process.js';
import { createWorkers } from './queues.js';
import { runTogether } from './run-together.js';
import { startTracing } from './tracing.js';
import { workflowBundlePath } from './workflow-bundle.js';

await runProcess('worker', async () => {
  const config = loadConfig();
  const log = createLogger('worker', config.logLevel);
  const tracing = await startTracing('worker', config);
  const polling: Worker[] = [];
  const temporal = openTemporal(config);
  const engines = createEngineProbe(config, temporal);
  const health = await serveHealth(config, polling, engines);
  const enginePort = await installEngineRuntime(log, config.workerMetricsPort > 0);
  const metrics = await serveMetrics(config, config.workerMetricsPort, {
    enginePort,
    refresh: engines.measure,
  });
  endOnRenewal(readCertificates, log.warn.bind(log));
  const db = openDatabase({ url: config.databaseUrl, poolSize: config.databasePoolSize });
  showPools(db);
  const away = await askForEntry(db, config.databaseUrl);
  if (away !== null) log.warn(away);
  await watchKnownKey('worker', db, config.appKeys);
  const connection = await connectToEngine(config);
  await requireNamespace(temporal, config.temporalAddress);
  const { workers, close } = await createWorkers({
    config,
    db,
    temporal,
    connection,
    adapters: allCarriers(),
    workflowBundlePath: await workflowBundlePath(config),
  });
  polling.push(...workers);
  onStopSignal(() => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  });
  log.info({ queues: workers.map((worker) => worker.options.taskQueue) }, 'worker is polling');
  try {
    await runTogether(workers);
  } finally {
    health?.close();
    await metrics.close();
    await close();
    await tracing.close();
    await Promise.all([db.close(), engines.close(), temporal.connection.close(), connection.close()]);
  }
  endProcess();
});

/** @throws StartError */
async function connectToEngine(config: Config): Promise<NativeConnection> {
  try {
    return await NativeConnection.connect(engineConnection(config));
  } catch (error) {
    throw noAnswer(config.temporalAddress, error);
  }
}

/**
 * `/health/live` answers 200 while the process runs; every other path while all workers poll and Temporal and MySQL
 * answer, else 503. Does not keep the process alive. Rejects when the port is taken, before any worker polls.
 */
async function serveHealth(
  { workerHealthHost, workerHealthPort }: Pick<Config, 'workerHealthHost' | 'workerHealthPort'>,
  workers: readonly Worker[],
  { ask }: ReturnType<typeof createEngineProbe>,
): Promise<Server | undefined> {
  if (workerHealthPort === 0) return undefined;
  const isHealthy = async () => {
    if (workers.length === 0 || workers.some((worker) => worker.getState() !== 'RUNNING')) return false;
    const { mysql, temporal } = await ask();
    return mysql && temporal;
  };
  const server = createServer((request, response) => {
    // An engine that is away is no reason to start the process again.
    const healthy = request.url === '/health/live' ? Promise.resolve(true) : isHealthy();
    void healthy.then((is) => response.writeHead(is ? 200 : 503).end());
  });
  server.unref().listen(workerHealthPort, workerHealthHost);
  await once(server, 'listening');
  return server;
}
