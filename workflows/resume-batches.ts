import type { SweepInput } from '../src/contracts/sweep.js';
import { batchRecords } from './lib/proxies.js';
import { sweep } from './lib/sweep.js';

/** Starts missing runs of batches with pending items: their start got lost, or they were ended from outside. */
export async function resumeBatches(input: SweepInput = {}): Promise<number> {
  let started = 0;
  await sweep(input, {
    round: async () => {
      started += await batchRecords.wakeOpenBatches.executeWithOptions(
        { summary: 'batches without a run' },
        [],
      );
    },
    story: () => `${started} batches started.`,
  });
  return started;
}
