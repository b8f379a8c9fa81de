import type { Worker } from '@temporalio/worker';

/**
 * Runs the workers of a process until all have stopped. Where one fails the others finish what they have begun and stop
 * too: a process that serves some of its queues only looks alive and is not.
 * @throws what the first one failed with, after all have stopped
 */
export async function runTogether(
  workers: readonly Pick<Worker, 'run' | 'shutdown' | 'getState'>[],
): Promise<void> {
  let failure: { error: unknown } | undefined;
  const runs = workers.map(async (worker) => {
    try {
      await worker.run();
    } catch (error) {
      failure ??= { error };
      for (const other of workers) if (other.getState() === 'RUNNING') other.shutdown();
    }
  });
  await Promise.all(runs);
  if (failure !== undefined) throw failure.error;
}
