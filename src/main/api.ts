import { setMaxListeners } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Client } from '@temporalio/client';
import { createHttpApp } from '../api/http-app.js';
import { allCarriers, carrierFor } from '../carriers/registry.js';
import { adviceFor } from '../config/advice.js';
import { readCertificates } from '../config/certificates.js';
import { type Config, loadConfig } from '../config/config.js';
import { openDatabase } from '../db/database.js';
import { askForEntry } from '../db/errors.js';
import { RESTORED } from '../domain/restored-shipment.js';
import { startServer } from '../http/server.js';
import { createWeb } from '../http/web.js';
import { textAt } from '../lib/json.js';
import { LIMITS } from '../lib/limits/values.js';
import { createServiceFigures } from '../services/operations/service-figures.js';
import { openTemporal } from '../temporal/client.js';
import { createApiApp } from './app.js';
import { endOnRenewal } from './certificates.js';
import { createEngineProbe } from './engines.js';
import { watchKnownKey } from './known-key.js';
import { createLogger } from './logger.js';
import { serveMetrics, showPools } from './metrics-server.js';
import { endProcess, onStopSignal, runProcess } from './process.js';
import { startTracing } from './tracing.js';

const UNREADY_MS = 1000;

await runProcess('api', async () => {
  const config = loadConfig();
  const log = createLogger('api', config.logLevel);
  const tracing = await startTracing('api', config);
  const db = openDatabase({ url: config.databaseUrl, poolSize: config.databasePoolSize });
  const away = await askForEntry(db, config.databaseUrl);
  await watchKnownKey('api', db, config.appKeys);
  const temporal = openTemporal(config);
  const warnOf = (what: string) => (error: unknown) =>
    log.warn({ error: error instanceof Error ? error.name : 'unknown' }, what);
  const stopping = new AbortController();
  const draining = new AbortController();
  // Every waiting creation, and every stream, adds a listener.
  setMaxListeners(0, stopping.signal, draining.signal);
  const onTrouble = warnOf('carrier trouble');
  const parts = {
    config,
    db,
    temporal,
    carriers: carrierFor,
    adapters: allCarriers(),
    stopping: stopping.signal,
    onTrouble,
    onRestored: (shipment: object) => log.warn(shipment, RESTORED),
  };
  endOnRenewal(readCertificates, log.warn.bind(log));
  const app = createApiApp(parts, warnOf('wake trouble'));
  const engines = createEngineProbe(config, temporal);
  const figures = serviceFigures(config, temporal);
  const metrics = await serveMetrics(config, config.apiMetricsPort, {
    ...figures,
    refresh: async () => void (await Promise.all([figures.refresh(), engines.measure()])),
  });
  showPools(db);
  const readiness = async () => ({ ...(await engines.ask()), draining: draining.signal.aborted });
  const server = await startServer(
    createWeb(
      createHttpApp({ ...app, log, version: await packageVersion(), readiness, draining: draining.signal }),
    ),
    config,
  );
  log.info({ url: config.baseUrl }, 'api is listening');
  if (away !== null) log.warn(away);
  for (const advice of adviceFor(config)) log.warn(advice);
  onStopSignal(() => {
    log.info('api is draining');
    draining.abort();
    const { shutdownGraceMs } = config;
    setTimeout(() => stopping.abort(), shutdownGraceMs * LIMITS.worker.waitShare).unref();
    void server
      .close(Math.min(UNREADY_MS, shutdownGraceMs / 10))
      .then(() => metrics.close())
      .then(() => app.close())
      .then(() => Promise.all([db.close(), engines.close(), temporal.connection.close(), tracing.close()]))
      .then(() => log.info('api has stopped'))
      .then(endProcess);
  });
});

/** Through a separate connection: they matter most while the pool is in use. */
function serviceFigures({ databaseUrl: url }: Config, temporal: Client) {
  const db = openDatabase({ url, poolSize: 1, statementTimeoutMs: LIMITS.operators.figuresMs });
  const providers = allCarriers().map(({ provider }) => provider);
  return { refresh: createServiceFigures({ db, temporal, providers }), close: () => db.close() };
}

async function packageVersion(): Promise<string> {
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  return textAt(JSON.parse(text), 'version') || 'unknown';
}
