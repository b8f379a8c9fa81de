import { availableParallelism, loadavg } from 'node:os';

/** Scales a limit for an idle machine to the current load; whole milliseconds, as timers want them. */
export function patient(limitMs: number): number {
  const [lastMinute = 0] = loadavg();
  return Math.round(limitMs * Math.max(1, lastMinute / availableParallelism()));
}
