import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { memoryMib } from '../support/memory.js';
import { startStack } from '../support/stack.js';
import { measure, percentile } from './measure.js';
import { BenchProcesses, bareRun, creation } from './processes.js';

const ITEMS = Number(process.env.BENCH_ITEMS ?? 2000);
const BARE = Math.min(400, ITEMS);
const WIDTH = 32;
/** As in the benchmark of single creations. */
const WARM_UP = 800;
const IDLE_SINGLES = 40;
const BATCHES_AT_ONCE = 5;
const PAUSE_MS = 250;
const PROVIDER = 'independent';

/**
 * One batch beside bare workflows (local, regular, local activity that do nothing) on the same server, single
 * creations meanwhile, and five batches at once. API, worker and bare worker run as separate processes.
 */
const stack = await startStack();
const processes = new BenchProcesses(stack);
try {
  const [worker] = await Promise.all([processes.startWorker(), processes.startBareWorker()]);
  const api = new ApiClient(await processes.startApi(), stack.account);
  const create = creation(api, stack, PROVIDER);
  const bare = bareRun(stack);
  await measure(bare, { count: WARM_UP, width: WIDTH });
  await measure(create, { count: WARM_UP, width: WIDTH });

  const before = await bareRate(bare);
  const idle = await measure(create, { count: IDLE_SINGLES, width: 1 });
  const quiet = await runBatch(api);
  const after = await bareRate(bare);
  const rate = (before + after) / 2;
  console.log(
    `\nbare workflows, ${WIDTH} at a time: ${before.toFixed(1)}/s before, ${after.toFixed(1)}/s after`,
  );
  console.log(`batch of ${ITEMS}: ${seconds(quiet)}, ${((ITEMS / quiet) * 1000).toFixed(1)}/s`);
  console.log(`  ${(quiet / ((ITEMS / rate) * 1000)).toFixed(2)} × (${ITEMS} ÷ bare throughput); asked: 1.6`);

  const { singles, took } = await withSingles(create, runBatch(api));
  console.log(`\nbatch of ${ITEMS} with single creations beside it: ${seconds(took)}`);
  const [alone, beside] = [percentile(idle.sorted, 0.5), percentile(singles, 0.5)];
  console.log(`single POST: p50 ${alone.toFixed(1)} ms idle, ${beside.toFixed(1)} ms beside the batch`);
  console.log(
    `  ${(beside / alone).toFixed(2)} × idle; asked: 2. p95 ${percentile(singles, 0.95).toFixed(1)} ms, ${singles.length} taken`,
  );

  const settled = memoryMib(worker.pid, 'VmRSS');
  const peak = watchPeak(worker);
  const several = Array.from({ length: BATCHES_AT_ONCE }, () => runBatch(api));
  const { singles: crowded } = await withSingles(create, Promise.all(several));
  console.log(
    `\n${BATCHES_AT_ONCE} batches of ${ITEMS} at once: ${seconds(Math.max(...(await Promise.all(several))))}`,
  );
  console.log(`  worker memory ${settled} MB before, ${peak()} MB at most`);
  console.log(
    `  single POST p50 ${percentile(crowded, 0.5).toFixed(1)} ms, ${(percentile(crowded, 0.5) / alone).toFixed(2)} × idle`,
  );
  const [row] = await stack.db.select(
    `SELECT COUNT(*) AS items, COUNT(DISTINCT shipment_uuid) AS shipments FROM batch_items WHERE status = 'created'`,
  );
  console.log(`  ${row?.shipments} shipments for ${row?.items} distinct items`);
} finally {
  await processes.stop();
  await stack.close();
}

async function bareRate(bare: () => Promise<void>): Promise<number> {
  const { totalMs } = await measure(bare, { count: BARE, width: WIDTH });
  return (BARE / totalMs) * 1000;
}

/** Posts a batch of distinct items; gives the milliseconds from the request to the last outcome. */
async function runBatch(api: ApiClient): Promise<number> {
  const shipments = Array.from({ length: ITEMS }, () => shipmentBody(stack.account, PROVIDER));
  const license_key = stack.account.licenseKeys[PROVIDER];
  const startedAt = performance.now();
  const accepted = await api.post('/batches', { license_key, shipments });
  if (accepted.status !== 202) throw new Error(accepted.text);
  for (;;) {
    const { summary } = (await api.get(`/batches/${accepted.body.data.id}`)).body.data;
    if (summary.failed > 0) throw new Error(`${summary.failed} items failed`);
    if (summary.pending === 0) return performance.now() - startedAt;
    await delay(PAUSE_MS);
  }
}

/** Creates single shipments one after the other until `work` ends; gives their times, sorted. */
async function withSingles(
  create: () => Promise<void>,
  work: Promise<unknown>,
): Promise<{ singles: number[]; took: number }> {
  const startedAt = performance.now();
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  const singles: number[] = [];
  await delay(PAUSE_MS * 4);
  while (!isOver) {
    const sentAt = performance.now();
    await create();
    singles.push(performance.now() - sentAt);
    await delay(PAUSE_MS);
  }
  await ended;
  return { singles: singles.sort((a, b) => a - b), took: performance.now() - startedAt };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Watches a process's memory; the returned function ends that and gives the most seen, in MB. */
function watchPeak(worker: ChildProcess): () => number {
  let most = memoryMib(worker.pid, 'VmRSS');
  const timer = setInterval(() => {
    most = Math.max(most, memoryMib(worker.pid, 'VmRSS'));
  }, PAUSE_MS);
  return () => {
    clearInterval(timer);
    return most;
  };
}
