import { ApplicationFailure, heartbeat } from '@temporalio/activity';
import type { BatchPlan, BatchRef } from '../src/contracts/batches.js';
import type { Database } from '../src/db/database.js';
import { cancelBatch, findBatch, listOpenBatches, pendingChunks } from '../src/db/queries/batches.js';
import { BATCH_CHUNK_SIZE, type BatchRecord, CANCELLED_ITEM } from '../src/domain/batch.js';

const SWEEP_PAGE = 200;

/** What the record-keeping activities of batches are given. */
export interface BatchRecordDeps {
  db: Database;
  /** Starts the batch's run unless one is open; true when it did. */
  startUnlessRunning(batch: BatchRecord): Promise<boolean>;
}

export type BatchRecordActivities = ReturnType<typeof createBatchRecordActivities>;

/** The MySQL steps of a batch's run. Each may be run again at any time. */
export function createBatchRecordActivities({ db, startUnlessRunning }: BatchRecordDeps) {
  return {
    /** The chunks that still have pending items, and where the batch stands. */
    async planBatch({ accountId, batchUuid }: BatchRef): Promise<BatchPlan> {
      const batch = await findBatch(db, { accountId, uuid: batchUuid });
      if (batch === null) throw ApplicationFailure.nonRetryable('The batch does not exist.', 'BatchMissing');
      const { id, summary } = batch;
      const chunks = (await pendingChunks(db, id)).map((chunk) => ({
        from: chunk * BATCH_CHUNK_SIZE,
        to: Math.min((chunk + 1) * BATCH_CHUNK_SIZE, summary.total) - 1,
      }));
      return { chunks, summary };
    },

    /** Fails every item that was not started. */
    async cancelRest({ accountId, batchUuid }: BatchRef): Promise<void> {
      await cancelBatch(db, { accountId, uuid: batchUuid, error: CANCELLED_ITEM });
    },

    /** Starts the runs that are missing; returns how many. */
    async wakeOpenBatches(): Promise<number> {
      let started = 0;
      for (let afterId = 0; ; ) {
        const open = await listOpenBatches(db, { afterId, limit: SWEEP_PAGE });
        for (const batch of open) {
          heartbeat(started);
          if (await startUnlessRunning(batch)) started += 1;
          afterId = batch.id;
        }
        if (open.length < SWEEP_PAGE) return started;
      }
    },
  };
}
