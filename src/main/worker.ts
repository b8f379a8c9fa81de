import { NativeConnection } from '@temporalio/worker';
import { allCarriers } from '../carriers/registry.js';
import { readCertificates } from '../config/certificates.js';
import { type Config, loadConfig } from '../config/config.js';
import { openDatabase } from '../db/database.js';
import { askForEntry } from '../db/errors.js';
import { engineConnection, openTemporal } from '../temporal/client.js';
import { noEntry, requireNamespace } from '../temporal/entry.js';
import { adviseOnBuild } from './build-advice.js';
import { endOnRenewal } from './certificates.js';
import { installEngineRuntime } from './engine-logs.js';
import { createEngineProbe } from './engines.js';
import { watchKnownKey } from './known-key.js';
import { createLogger } from './logger.js';
import { engineMetrics, serveMetrics, showPools } from './metrics-server.js';
import { keepWatching, PollWatch } from './polls.js';
import { endProcess, onStopSignal, runProcess } from './process.js';
import { createWorkers, hasWorkflows } from './queues.js';
import { runTogether } from './run-together.js';
import { startTracing } from './tracing.js';
import { serveHealth, WorkerHealth } from './worker-health.js';
import { workflowBundlePath } from './workflow-bundle.js';

/** Beyond the grace: workers that are forced to stop do so within 5 s. */
const OTHERS_MS = 10_000;

await runProcess('worker', async () => {
  const config = loadConfig();
  const log = createLogger('worker', config.logLevel);
  const tracing = await startTracing('worker', config);
  const temporal = openTemporal(config);
  const engines = createEngineProbe(config, temporal);
  const health = new WorkerHealth(engines);
  const probes = await serveHealth(config, health);
  const isWatched = config.workerMetricsPort > 0 || config.workerHealthPort > 0;
  const enginePort = await installEngineRuntime(log, isWatched);
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
  const queues = workers.map((worker) => worker.options.taskQueue);
  const watch = new PollWatch(queues, queues.filter(hasWorkflows));
  keepWatching(watch, () => engineMetrics(enginePort));
  health.begin(workers, watch);
  onStopSignal(() => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  });
  log.info({ queues }, 'worker is polling');
  void adviseOnBuild(config.workerBuildId, temporal, log.warn.bind(log));
  try {
    await runTogether(workers, config.shutdownGraceMs + OTHERS_MS);
  } finally {
    await tracing.close();
  }
  // Not where it throws: a worker may still hold this.
  probes?.close();
  await metrics.close();
  await close();
  await Promise.all([db.close(), engines.close(), temporal.connection.close(), connection.close()]);
  endProcess();
});

/** @throws StartError */
async function connectToEngine(config: Config): Promise<NativeConnection> {
  try {
    return await NativeConnection.connect(engineConnection(config));
  } catch (error) {
    throw noEntry(config.temporalAddress, error);
  }
}
