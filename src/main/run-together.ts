import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from '@temporalio/worker';

/**
 * Runs a process's workers until all have stopped. When one fails, the others finish their work and stop too, within
 * `othersMs`: a process that serves only some of its queues looks healthy but is not. @throws the first failure
 */
export async function runTogether(
  workers: readonly Pick<Worker, 'run' | 'shutdown' | 'getState'>[],
  othersMs: number,
): Promise<void> {
  const ends = workers.map((worker) => worker.run());
  try {
    await Promise.all(ends);
  } catch (error) {
    for (const other of workers) if (other.getState() === 'RUNNING') other.shutdown();
    // After the engine was gone for long, a worker was seen that never stopped.
    await Promise.race([Promise.allSettled(ends), delay(othersMs, undefined, { ref: false })]);
    throw error;
  }
}
