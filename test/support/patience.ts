import { availableParallelism, loadavg } from 'node:os';

/** Scales a limit for an idle machine to the current load. */
export function patient(limitMs: number): number {
  const [lastMinute = 0] = loadavg();
  return limitMs * Math.max(1, lastMinute / availableParallelism());
}
