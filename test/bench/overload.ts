import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { memoryMib } from '../support/memory.js';
import { startStack } from '../support/stack.js';
import { measure, percentile } from './measure.js';
import { BenchProcesses, creation } from './processes.js';

const MINUTES = Number(process.argv[2] ?? 1);
const PROVIDER = 'run';
const LOOK_EVERY_MS = 200;
const WARM_UP = { count: 200, width: 16 };
const FULL = { count: 600, width: 32 };
const QUIET = { count: 40, width: 1 };
const dispatcher = new Agent({ connections: 2000, pipelining: 0 });

/** An API and its worker, as a balancer sees them. */
interface Server {
  api: ChildProcess;
  worker: ChildProcess;
  url: string;
  isReady: boolean;
}

/**
 * Twice the creations that two APIs and two workers can do, for as many minutes as the argument says (1), through a
 * balancer that asks both for readiness. Half-way one API and one worker get SIGTERM. Prints what was answered, memory,
 * the times before and after, and what became of each accepted creation.
 */
const stack = await startStack();
const processes = new BenchProcesses(stack);
const accepted = new Set<string>();
const answers = new Map<string, number>();
const times: number[] = [];
try {
  const servers = await Promise.all([startServer(), startServer()]);
  const [first, second] = servers;
  if (first === undefined || second === undefined) throw new Error('there are two');
  const one = creation(new ApiClient(first.url, stack.account), stack, PROVIDER);
  await measure(one, WARM_UP);
  const quiet = await measure(one, QUIET);
  const full = await measure(one, FULL);
  const perSecond = (FULL.count / full.totalMs) * 1000;
  console.log(`capacity       ${perSecond.toFixed(1)}/s, one at a time p50 ${p50(quiet.sorted)} ms`);
  printMemory('before', servers);

  const isOver = watch(servers);
  const halfway = delay(MINUTES * 30_000).then(() => {
    printMemory('half-way', servers);
    second.api.kill('SIGTERM');
    first.worker.kill('SIGTERM');
  });
  await Promise.all([halfway, flood(servers, 2 * perSecond)]);
  isOver();
  printMemory('after', [{ ...first, worker: second.worker }]);
  await delay(10_000);
  const later = await measure(one, QUIET);

  console.log('answers       ', Object.fromEntries([...answers].sort()));
  console.log(
    `times          p50 ${p50(times.sort((a, b) => a - b))} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms`,
  );
  console.log(`10 s later     one at a time p50 ${p50(later.sorted)} ms`);
  await compare();
} finally {
  await processes.stop();
  await stack.close();
  await dispatcher.close();
}

async function startServer(): Promise<Server> {
  const worker = await processes.startWorker();
  const { url, child } = await processes.startApiProcess();
  return { api: child, worker, url, isReady: true };
}

/** Keeps `isReady` as a balancer would know it; the returned function ends that. */
function watch(servers: readonly Server[]): () => void {
  const timer = setInterval(() => {
    for (const server of servers)
      void fetch(`${server.url}/health/ready`).then(
        ({ ok }) => {
          server.isReady = ok;
        },
        () => {
          server.isReady = false;
        },
      );
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/** Sends at this rate, whatever has been answered. */
async function flood(servers: readonly Server[], perSecond: number): Promise<void> {
  const startedAt = performance.now();
  const underWay: Promise<void>[] = [];
  for (let sent = 0; performance.now() - startedAt < MINUTES * 60_000; sent += 1) {
    const ready = servers.filter(({ isReady }) => isReady);
    const server = ready[sent % ready.length];
    if (server !== undefined) underWay.push(create(server));
    await delay(startedAt + (sent * 1000) / perSecond - performance.now());
  }
  await Promise.all(underWay);
}

async function create({ url }: Server): Promise<void> {
  const client = new ApiClient(url, stack.account);
  const body = shipmentBody(stack.account, PROVIDER);
  const at = performance.now();
  try {
    const answer = await request(`${url}/api/v2/shipments`, {
      dispatcher,
      method: 'POST',
      headers: { ...client.headers, 'idempotency-key': randomUUID() },
      body: JSON.stringify(body),
    });
    const text = await answer.body.text();
    count(String(answer.statusCode));
    if (answer.statusCode !== 201 && answer.statusCode !== 202) return;
    accepted.add(String(JSON.parse(text).data.uuid));
    if (answer.statusCode === 201) times.push(performance.now() - at);
  } catch (error) {
    count(error instanceof Error ? `failed: ${error.message}` : 'failed');
  }
}

function count(kind: string): void {
  answers.set(kind, (answers.get(kind) ?? 0) + 1);
}

/** Every accepted creation ends as a shipment, and the carrier has as many parcels as there are shipments. */
async function compare(): Promise<void> {
  const open = () =>
    stack.db
      .select("SELECT COUNT(*) AS n FROM shipments WHERE state = 'reserved'")
      .then((rows) => Number(rows[0]?.n));
  await eventually(async () => (await open()) === 0, 'the end of all creations', 300_000);
  const rows = await stack.db.select("SELECT uuid FROM shipments WHERE state = 'created'");
  const created = new Set(rows.map(({ uuid }) => String(uuid)));
  const lost = [...accepted].filter((uuid) => !created.has(uuid));
  const ledger = await stack.sandbox.ledger();
  console.log(`accepted       ${accepted.size}, of them lost ${lost.length}`);
  console.log(`shipments      ${created.size}, parcels at the carrier ${ledger.length}`);
}

function printMemory(when: string, servers: readonly Server[]): void {
  const figures = servers.map(
    ({ api, worker }) =>
      `API ${memoryMib(api.pid, 'VmRSS')} MiB, worker ${memoryMib(worker.pid, 'VmRSS')} MiB`,
  );
  console.log(`${when.padEnd(14)} ${figures.join('; ')}`);
}

function p50(sorted: readonly number[]): string {
  return percentile(sorted, 0.5).toFixed(1);
}
