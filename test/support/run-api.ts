import type { Client } from '@temporalio/client';
import { pino } from 'pino';
import { createHttpApp } from '../../src/api/http-app.js';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import { adapterFinder } from '../../src/carriers/registry.js';
import type { Config } from '../../src/config/config.js';
import type { Database } from '../../src/db/database.js';
import { startServer } from '../../src/http/server.js';
import { createWeb } from '../../src/http/web.js';
import { createApiApp } from '../../src/main/app.js';

/** Runs the API in this process on any port; every response is checked against its schema. */
export async function runApi(
  config: Config,
  db: Database,
  temporal: Client,
  carriers: readonly CarrierAdapter[],
): Promise<{ url: string; close(): Promise<void> }> {
  const app = createApiApp(
    {
      config,
      db,
      temporal,
      carriers: adapterFinder(carriers),
      adapters: carriers,
      onTrouble,
      onRestored: () => undefined,
    },
    () => undefined,
  );
  const served = createHttpApp({
    ...app,
    log: pino({ level: 'silent' }),
    version: 'test',
    readiness: async () => ({ mysql: true, temporal: true }),
    checkResponses: true,
  });
  const server = await startServer(createWeb(served), config);
  const close = async () => {
    await server.close();
    await app.close();
  };
  return { url: server.url, close };
}

function onTrouble(error: unknown): void {
  throw error;
}
