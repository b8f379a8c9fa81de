import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Worker } from '@temporalio/worker';
import type { Config } from '../config/config.js';
import type { createEngineProbe } from './engines.js';
import type { PollWatch } from './polls.js';

/** Whether a worker does its work. */
interface Readiness {
  status: 'ok' | 'starting' | 'draining' | 'unavailable';
  mysql: boolean;
  temporal: boolean;
  /** Seconds since the engine last answered a poll, by queue. */
  polls: Readonly<Record<string, number>>;
  reason: string | null;
}

/** The health of a worker process. */
export class WorkerHealth {
  readonly #engines: Pick<ReturnType<typeof createEngineProbe>, 'ask'>;
  #begun: { workers: readonly Pick<Worker, 'getState'>[]; watch: PollWatch } | undefined;

  constructor(engines: Pick<ReturnType<typeof createEngineProbe>, 'ask'>) {
    this.#engines = engines;
  }

  /** From now on it is ready while all workers run and the engine answers their polls. */
  begin(workers: readonly Pick<Worker, 'getState'>[], watch: PollWatch): void {
    this.#begun = { workers, watch };
  }

  async readiness(): Promise<Readiness> {
    const { mysql, temporal, reason } = await this.#engines.ask();
    const found = { mysql, temporal, polls: this.#begun?.watch.ages ?? {} };
    if (this.#begun === undefined) return { status: 'starting', ...found, reason };
    const { workers, watch } = this.#begun;
    const states = new Set(workers.map((worker) => worker.getState()));
    if (states.has('INITIALIZED')) return { status: 'starting', ...found, reason };
    if (states.size > 1 || !states.has('RUNNING')) {
      return { status: 'draining', ...found, reason: 'The process ends.' };
    }
    const { silent } = watch;
    const why = reason ?? (silent === null ? null : `Temporal answers no poll of the queue ${silent}.`);
    return { status: why === null ? 'ok' : 'unavailable', ...found, reason: why };
  }
}

/**
 * `/health/live` answers 200 while the process runs; every other path while it is ready, else 503. Does not keep the
 * process alive. Rejects when the port is taken.
 */
export async function serveHealth(
  { workerHealthHost, workerHealthPort }: Pick<Config, 'workerHealthHost' | 'workerHealthPort'>,
  health: WorkerHealth,
): Promise<Server | undefined> {
  if (workerHealthPort === 0) return undefined;
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    // An engine that is away is no reason to start the process again.
    if (request.url === '/health/live') {
      answer(200, { status: 'ok' });
      return;
    }
    void health.readiness().then((ready) => answer(ready.status === 'ok' ? 200 : 503, ready));
  });
  server.unref().listen(workerHealthPort, workerHealthHost);
  await once(server, 'listening');
  return server;
}
