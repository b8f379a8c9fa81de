import type { Worker } from '@temporalio/worker';

/**
 * Runs a process's workers until all have stopped. When one fails, the others finish their work and stop too: a
 * process that serves only some of its queues looks healthy but is not. @throws the first failure
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
