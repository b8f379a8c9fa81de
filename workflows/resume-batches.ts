import { batchRecords } from './lib/proxies.js';

/** Starts the run of every batch that has pending items and none: its start was lost, or it was ended from outside. */
export async function resumeBatches(): Promise<number> {
  return await batchRecords.wakeOpenBatches.executeWithOptions({ summary: 'batches without a run' }, []);
}
