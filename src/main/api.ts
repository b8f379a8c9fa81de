import { readFile } from 'node:fs/promises';
import { carrierFor } from '../carriers/registry.js';
import { loadConfig } from '../config/config.js';
import { openDatabase } from '../db/database.js';
import { createApp } from '../http/app.js';
import { startServer } from '../http/server.js';
import { createServices } from '../services/create-services.js';
import { isEngineUp, openTemporal } from '../temporal/client.js';
import { createWaker } from '../temporal/wake.js';
import { createLogger } from './logger.js';
import { onStopSignal, runProcess } from './process.js';

const READINESS_TIMEOUT_MS = 2000;

await runProcess('api', async () => {
  const config = loadConfig();
  const log = createLogger('api', config.logLevel);
  const db = openDatabase({ url: config.databaseUrl, poolSize: config.databasePoolSize });
  const temporal = openTemporal(config);
  const waker = createWaker(temporal, (error) =>
    log.warn({ error: error instanceof Error ? error.name : 'unknown' }, 'wake trouble'),
  );
  const services = createServices({
    config,
    db,
    temporal,
    carriers: carrierFor,
    wake: waker.wake,
    onTrouble: (error) =>
      log.warn({ error: error instanceof Error ? error.name : 'unknown' }, 'carrier trouble'),
  });
  const app = createApp({ config, db, services, log, version: await packageVersion(), readiness });
  const server = await startServer(app, config);
  log.info({ url: config.baseUrl }, 'api is listening');
  onStopSignal(() => {
    log.info('api is draining');
    void server
      .close()
      .then(() => services.responseLog.settled())
      .then(() => waker.close())
      .then(() => Promise.all([db.close(), temporal.connection.close()]))
      .then(() => log.info('api has stopped'));
  });

  async function readiness(): Promise<{ mysql: boolean; temporal: boolean }> {
    const [mysql, engine] = await Promise.all([isDatabaseUp(), isEngineUp(temporal, READINESS_TIMEOUT_MS)]);
    return { mysql, temporal: engine };
  }

  async function isDatabaseUp(): Promise<boolean> {
    const late = new Promise<boolean>((resolve) => {
      setTimeout(() => resolve(false), READINESS_TIMEOUT_MS).unref();
    });
    return await Promise.race([
      db.ping().then(
        () => true,
        () => false,
      ),
      late,
    ]);
  }
});

async function packageVersion(): Promise<string> {
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  const manifest: unknown = JSON.parse(text);
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version);
  return 'unknown';
}
