import { availableParallelism, loadavg } from 'node:os';

/**
 * A limit for a machine that does nothing else, as long as the present one needs: each process that waits for a
 * processor beside ours makes everything later, which says nothing of the code under test.
 */
export function patient(limitMs: number): number {
  const [lastMinute = 0] = loadavg();
  return limitMs * Math.max(1, lastMinute / availableParallelism());
}
