import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { ALLOCATOR, NODE_FLAGS } from '../../tools/launcher/node-flags.js';
import { freePort } from '../../tools/launcher/ports.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import type { TestStack } from '../support/stack.js';

const FIRST_PORT = 18_100;
const START_TIMEOUT_MS = 120_000;

/** API, worker and bare worker as separate processes, as in production. */
export class BenchProcesses {
  readonly #stack: Pick<TestStack, 'env'>;
  readonly #children: ChildProcess[] = [];
  #nextPort = FIRST_PORT;

  /** Of the stack, its environment is what they run in. */
  constructor(stack: Pick<TestStack, 'env'>) {
    this.#stack = stack;
  }

  /** Starts the API and waits until it is ready; returns its address. */
  async startApi(): Promise<string> {
    return (await this.startApiProcess()).url;
  }

  /** As {@link startApi}, with the process. */
  async startApiProcess(): Promise<{ url: string; child: ChildProcess }> {
    const port = await this.#port();
    const url = `http://127.0.0.1:${port}`;
    const child = await this.#start('../../src/main/api.js', { PORT: String(port) }, `${url}/health/ready`);
    return { url, child };
  }

  /** Starts the API that does nothing but read a row; gives its address. */
  async startBareApi(): Promise<string> {
    const port = await this.#port();
    const url = `http://127.0.0.1:${port}`;
    await this.#start('./bare-api.js', { PORT: String(port) }, `${url}/health/ready`);
    return url;
  }

  /** Starts a worker, of these queues if they are named, and waits until it polls. */
  async startWorker(queues?: string): Promise<ChildProcess> {
    const env = queues === undefined ? {} : { WORKER_QUEUES: queues };
    return await this.#startPolling('../../src/main/worker.js', env);
  }

  /** Starts the worker of the workflow that does nothing. */
  async startBareWorker(): Promise<ChildProcess> {
    return await this.#startPolling('./bare-worker.js', {});
  }

  /** Starts the route that lists shipments without anything else; gives its address. */
  async startBareList(): Promise<string> {
    const port = await this.#port();
    const url = `http://127.0.0.1:${port}`;
    await this.#start('./bare-list.js', { PORT: String(port) }, `${url}/`);
    return url;
  }

  /** Ends all of them; resolves when they are gone. */
  async stop(): Promise<void> {
    await Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGTERM');
        await once(child, 'exit');
      }),
    );
  }

  async #startPolling(path: string, env: Record<string, string>): Promise<ChildProcess> {
    const port = await this.#port();
    return await this.#start(path, { ...env, WORKER_HEALTH_PORT: String(port) }, `http://127.0.0.1:${port}/`);
  }

  async #start(path: string, env: Record<string, string>, health: string): Promise<ChildProcess> {
    const entry = fileURLToPath(new URL(path, import.meta.url));
    const child = spawn(process.execPath, [...NODE_FLAGS, entry], {
      env: {
        ...process.env,
        ...ALLOCATOR,
        ...this.#stack.env,
        LOG_LEVEL: 'warn',
        NODE_ENV: 'production',
        ...env,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    this.#children.push(child);
    const answers = () =>
      fetch(health).then(
        ({ ok }) => ok,
        () => false,
      );
    await eventually(answers, `${path} at ${health}`, START_TIMEOUT_MS);
    return child;
  }

  async #port(): Promise<number> {
    const port = await freePort(this.#nextPort);
    this.#nextPort = port + 1;
    return port;
  }
}

/** A creation of one shipment through the API, sent without `fetch`, which takes half a millisecond itself. */
export function creation(api: ApiClient, stack: TestStack, provider: string): () => Promise<void> {
  return async () => {
    const { statusCode, body } = await request(`${api.url}/api/v2/shipments`, {
      method: 'POST',
      headers: { ...api.headers, 'idempotency-key': randomUUID() },
      body: JSON.stringify(shipmentBody(stack.account, provider)),
    });
    const text = await body.text();
    if (statusCode !== 201) throw new Error(text);
  };
}

/** The same at each of the APIs in turn. */
export function creationInTurn(
  stack: TestStack,
  urls: readonly string[],
  provider: string,
): () => Promise<void> {
  const each = urls.map((url) => creation(new ApiClient(url, stack.account), stack, provider));
  let turn = 0;
  return async () => {
    turn += 1;
    await each[turn % each.length]?.();
  };
}

/** A run of the workflow that does nothing: a local, a regular and a local activity on the same server. */
export function bareRun(stack: TestStack): () => Promise<void> {
  return async () => {
    await stack.temporal.workflow.execute('bare', {
      taskQueue: 'bare',
      workflowId: randomUUID(),
      args: [{ n: 1 }],
    });
  };
}
