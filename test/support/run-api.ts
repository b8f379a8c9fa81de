import type { Client } from '@temporalio/client';
import { pino } from 'pino';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import { adapterFinder } from '../../src/carriers/registry.js';
import type { Config } from '../../src/config/config.js';
import type { Database } from '../../src/db/database.js';
import { createApp } from '../../src/http/app.js';
import { startServer } from '../../src/http/server.js';
import { createServices } from '../../src/services/create-services.js';
import { createWakeSummaries } from '../../src/services/wake-summaries.js';
import { createWaker } from '../../src/temporal/wake.js';

/** Runs the API in this process, on any port; every answer is checked against its schema. */
export async function runApi(
  config: Config,
  db: Database,
  temporal: Client,
  carriers: readonly CarrierAdapter[],
): Promise<{ url: string; close(): Promise<void> }> {
  const waker = createWaker(temporal, { onTrouble: () => undefined, summaryOf: createWakeSummaries(db) });
  const services = createServices({
    wake: waker.wake,
    config,
    db,
    temporal,
    carriers: adapterFinder(carriers),
    onTrouble,
  });
  const app = createApp({
    config,
    db,
    services,
    log: pino({ level: 'silent' }),
    version: 'test',
    readiness: async () => ({ mysql: true, temporal: true }),
    checkResponses: true,
  });
  const server = await startServer(app, config);
  const close = async () => {
    await server.close();
    await waker.close();
  };
  return { url: server.url, close };
}

function onTrouble(error: unknown): void {
  throw error;
}
