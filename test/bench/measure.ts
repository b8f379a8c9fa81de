import { loadavg } from 'node:os';

/** Times of one round: each call in ms, sorted, and how long the round took. */
export interface Sample {
  sorted: number[];
  totalMs: number;
}

/** Calls `work` `count` times, `width` at a time. */
export async function measure(
  work: () => Promise<void>,
  load: { count: number; width: number },
): Promise<Sample> {
  const times: number[] = [];
  let started = 0;
  const lane = async () => {
    while (started < load.count) {
      started += 1;
      const at = performance.now();
      await work();
      times.push(performance.now() - at);
    }
  };
  const at = performance.now();
  await Promise.all(Array.from({ length: load.width }, lane));
  return { sorted: times.sort((a, b) => a - b), totalMs: performance.now() - at };
}

/** Says how busy the machine is: times mean little beside others' work, ratios to a bare side more. */
export function printLoad(): void {
  console.log(`\nload average ${loadavg()[0]?.toFixed(1)}`);
}

/** The value below which that share of the sorted ones lies. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The times of several rounds together, sorted. */
export function timesOf(samples: readonly Sample[]): number[] {
  return samples.flatMap(({ sorted }) => sorted).sort((a, b) => a - b);
}

/** Prints both sides' percentiles and throughput, and the ratios; the rounds' times are put together. */
export function report(title: string, samples: { ours: Sample[]; bare: Sample[] }): void {
  const ours = summary(samples.ours);
  const bare = summary(samples.bare);
  console.log(`\n${title}`);
  line('bare workflow', bare);
  line('POST /shipments', ours);
  console.log(
    `  p50 is bare + ${(ours.p50 - bare.p50).toFixed(1)} ms, throughput ${(ours.perSecond / bare.perSecond).toFixed(2)} of bare`,
  );
}

interface Summary {
  p50: number;
  p95: number;
  p99: number;
  perSecond: number;
}

function summary(rounds: Sample[]): Summary {
  const sorted = timesOf(rounds);
  const at = (share: number) => percentile(sorted, share);
  const totalMs = rounds.reduce((sum, round) => sum + round.totalMs, 0);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), perSecond: (sorted.length / totalMs) * 1000 };
}

function line(name: string, { p50, p95, p99, perSecond }: Summary): void {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  console.log(
    `  ${name.padEnd(16)} p50 ${ms(p50)}  p95 ${ms(p95)}  p99 ${ms(p99)}  ${perSecond.toFixed(1)}/s`,
  );
}
