import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Config } from '../config/config.js';
import type { Database } from '../db/database.js';
import { LIMITS } from '../lib/limits/values.js';
import { measureProcess, metrics, showCapacity } from '../lib/metrics.js';

/** Figures that a process adds to its own at each scrape. */
interface MetricsParts {
  /** Brings gauges up to date before they are read. */
  refresh?(): Promise<void>;
  /** Port on loopback where the engine's SDK shows its own figures. */
  enginePort?: number | null;
  /** Releases what `refresh` needs. */
  close?(): Promise<void>;
}

/**
 * Answers `GET /metrics` in the text format of Prometheus on a separate port; 0 is none. Does not keep the process
 * alive. Rejects when the port is taken.
 */
export async function serveMetrics(
  { metricsHost }: Pick<Config, 'metricsHost'>,
  port: number,
  { refresh, enginePort = null, close }: MetricsParts,
): Promise<{ close(): Promise<void> }> {
  if (port === 0) return { close: async () => await close?.() };
  measureProcess();
  const text = async () => {
    await refresh?.();
    const [own, engine] = await Promise.all([metrics.metrics(), engineMetrics(enginePort)]);
    return `${own}\n${engine}`;
  };
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    text().then(
      (body) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  server.unref().listen(port, metricsHost);
  await once(server, 'listening');
  return {
    async close() {
      server.close();
      await close?.();
    },
  };
}

/** The SDK's figures. Nothing where it does not answer: the process's own matter more. */
export async function engineMetrics(port: number | null): Promise<string> {
  if (port === null) return '';
  const signal = AbortSignal.timeout(LIMITS.operators.figuresMs);
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal });
    return answer.ok ? await answer.text() : '';
  } catch {
    return '';
  }
}

/** Shows the connections of a process to MySQL. */
export function showPools({ pools }: Pick<Database, 'pools'>): void {
  showCapacity('DATABASE_POOL_SIZE statements', pools.statements);
  showCapacity('DATABASE_POOL_SIZE transactions', pools.transactions);
}
