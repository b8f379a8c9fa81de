import { ApplicationFailure, cancellationSignal, heartbeat } from '@temporalio/activity';
import { workflowIds } from '../src/contracts/ids.js';
import type { BatchChunk, BatchRef } from '../src/contracts/run-batch.js';
import { cancelBatch, findBatch, listOpenBatches, pendingChunks } from '../src/db/queries/batches/batches.js';
import { findRunNames } from '../src/db/queries/shipments/run-names.js';
import { type BatchSummary, CANCELLED_ITEM } from '../src/domain/batch.js';
import { LIMITS } from '../src/lib/limits/values.js';
import { TimeLimit } from '../src/lib/time-limit.js';
import type { App } from '../src/services/app.js';
import { runInput } from '../src/services/batches/batches.js';
import { isWorkflowRunning } from '../src/temporal/run-state.js';
import { wakeBatch } from '../src/temporal/starters.js';

const SWEEP_PAGE = 200;
/** Below the activity's timeout: each batch costs a call to the engine. */
const SWEEP_BUDGET_MS = 30_000;

/** MySQL steps of a batch's run, all repeatable. */
export function createBatchRecordActivities({ db, temporal }: Pick<App, 'db' | 'temporal'>) {
  /** Where the last sweep ran out of time. */
  let sweptId = 0;
  return {
    /** The chunks with pending items, and the batch's summary. */
    async planBatch({ accountId, batchUuid }: BatchRef): Promise<{
      chunks: BatchChunk[];
      summary: BatchSummary;
    }> {
      const { id, summary } = present(await findBatch(db, { accountId, uuid: batchUuid }));
      const chunks = (await pendingChunks(db, id)).map((chunk) => ({
        from: chunk * LIMITS.batches.chunk,
        to: Math.min((chunk + 1) * LIMITS.batches.chunk, summary.total) - 1,
      }));
      return { chunks, summary };
    },

    /** Fails every item that was not started. */
    async cancelRest({ accountId, batchUuid }: BatchRef): Promise<void> {
      await cancelBatch(db, { accountId, uuid: batchUuid, error: CANCELLED_ITEM });
    },

    /** Starts missing runs and returns their number. When there are too many, the next sweep continues. */
    async wakeOpenBatches(): Promise<number> {
      const budget = new TimeLimit(SWEEP_BUDGET_MS);
      let started = 0;
      for (;;) {
        const open = await listOpenBatches(db, { afterId: sweptId, limit: SWEEP_PAGE });
        for (const batch of open) {
          if (budget.isOver || cancellationSignal().aborted) return started;
          heartbeat(started);
          sweptId = batch.id;
          if (await isWorkflowRunning(temporal, workflowIds.runBatch(batch.uuid))) continue;
          await wakeBatch(temporal, runInput(batch), await findRunNames(db, batch.licenseId));
          started += 1;
        }
        if (open.length < SWEEP_PAGE) {
          sweptId = 0;
          return started;
        }
      }
    },
  };
}

/** The batch that was found. @throws ApplicationFailure `BatchMissing`, final, for null */
export function present<B>(batch: B | null): B {
  if (batch === null) throw ApplicationFailure.nonRetryable('The batch does not exist.', 'BatchMissing');
  return batch;
}
