import type { TestStack } from '../support/stack.js';
import { measure, percentile, printLoad, type Sample, timesOf } from './measure.js';
import { BenchProcesses, creationInTurn } from './processes.js';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 6);
const LOAD = { count: 300, width: 32 };
/** Of each process, until its compiler has no more to do: two of each take twice as many. */
const WARM_UP = 800;
/** Without a network: the processes and the engines are what is measured. */
const PROVIDER = 'independent';

/**
 * Creations by one API with one worker, and by two of each, in alternating rounds; returns how many times as fast two of
 * each are. Each side has a stack, so that none takes the other's work; `address`: the second pair's engine.
 */
export async function comparePairs(
  one: TestStack,
  two: TestStack,
  address = two.env.TEMPORAL_ADDRESS ?? '',
): Promise<number> {
  const elsewhere = { env: { ...two.env, TEMPORAL_ADDRESS: address } };
  const pairs = [new BenchProcesses(one), new BenchProcesses(two), new BenchProcesses(elsewhere)] as const;
  try {
    const urls: string[] = [];
    for (const pair of pairs) {
      const [url] = await Promise.all([pair.startApi(), pair.startWorker()]);
      urls.push(url);
    }
    const sides = {
      '1 API, 1 worker': creationInTurn(one, urls.slice(0, 1), PROVIDER),
      '2 APIs, 2 workers': creationInTurn(two, urls.slice(1), PROVIDER),
    };
    await measure(sides['1 API, 1 worker'], { ...LOAD, count: WARM_UP });
    await measure(sides['2 APIs, 2 workers'], { ...LOAD, count: 2 * WARM_UP });
    const samples = new Map<string, Sample[]>();
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [name, create] of Object.entries(sides))
        samples.set(name, [...(samples.get(name) ?? []), await measure(create, LOAD)]);
    printLoad();
    const [alone = 1, both = 0] = [...samples].map(([name, rounds]) => line(name, rounds));
    console.log(`  2 + 2 are ${(both / alone).toFixed(2)} × 1 + 1`);
    return both / alone;
  } finally {
    await Promise.all(pairs.map((pair) => pair.stop()));
  }
}

/** Prints a side, and returns its creations a second. */
function line(name: string, rounds: readonly Sample[]): number {
  const sorted = timesOf(rounds);
  const perSecond = (sorted.length / rounds.reduce((sum, { totalMs }) => sum + totalMs, 0)) * 1000;
  const at = (share: number) => `${percentile(sorted, share).toFixed(0)} ms`;
  console.log(
    `  ${name.padEnd(18)} ${perSecond.toFixed(1)}/s  p50 ${at(0.5)}  p95 ${at(0.95)}  p99 ${at(0.99)}`,
  );
  return perSecond;
}
