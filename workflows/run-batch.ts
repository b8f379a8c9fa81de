import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { BATCH_WOKEN, type BatchChunk, type RunBatchInput } from '../src/contracts/run-batch.js';
import type { BatchSummary } from '../src/domain/batch.js';
import { batchItems, batchRecords } from './lib/proxies.js';

/** Failed items are pending again, or the run was started again while open. */
const woken = defineSignal(BATCH_WOKEN);

/** Two, so that a chunk's last items leave no slot empty. */
const CHUNKS_AT_ONCE = 2;
/**
 * Seconds before looking again at unfinished creations, doubled each time: an item learns its outcome at most as
 * long again after it began, and a carrier that is away for hours costs little.
 */
const FIRST_WAIT_SECONDS = 2;
const LONGEST_WAIT_SECONDS = 300;

/**
 * Gives every item an outcome, chunk by chunk. Cancelling the run fails items not yet started and waits for the
 * rest.
 */
export async function runBatch(input: RunBatchInput): Promise<BatchSummary> {
  const wake: Wake = { came: false };
  setHandler(woken, () => void (wake.came = true), { description: 'Look for pending items again.' });
  try {
    return await settleAll(input, wake);
  } catch (error) {
    // Steps may fail in other ways during cancellation.
    if (!isCancellation(error) && !CancellationScope.current().consideredCancelled) throw error;
    return await CancellationScope.nonCancellable(async () => {
      await batchRecords.cancelRest.executeWithOptions({ summary: 'fail what has not been started' }, [
        { accountId: input.accountId, batchUuid: input.batchUuid },
      ]);
      return await settleAll(input, wake);
    });
  }
}

/** `came`: items may wait again since the last plan. */
type Wake = { came: boolean };

async function settleAll(input: RunBatchInput, wake: Wake): Promise<BatchSummary> {
  const { accountId, batchUuid } = input;
  let idleRounds = 0;
  for (;;) {
    wake.came = false;
    const plan = await batchRecords.planBatch.executeWithOptions({ summary: 'which items are left' }, [
      { accountId, batchUuid },
    ]);
    show(plan.summary);
    if (plan.chunks.length === 0) {
      if (!wake.came) return plan.summary;
      continue;
    }
    const resolved = await runChunks(input, plan.chunks);
    idleRounds = resolved > 0 ? 0 : idleRounds + 1;
    if (idleRounds > 0) {
      const seconds = Math.min(FIRST_WAIT_SECONDS * 2 ** (idleRounds - 1), LONGEST_WAIT_SECONDS);
      await condition(() => wake.came, seconds * 1000, {
        summary: 'creations that carriers have not answered',
      });
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof runBatch>(input);
  }
}

/** Works through the chunks, some in parallel, and returns the number of items with an outcome. */
async function runChunks(input: RunBatchInput, chunks: readonly BatchChunk[]): Promise<number> {
  const { accountId, batchUuid } = input;
  const waiting = [...chunks];
  let resolved = 0;
  const lane = async () => {
    for (let chunk = waiting.shift(); chunk !== undefined; chunk = waiting.shift()) {
      const result = await batchItems.runItems.executeWithOptions(
        { summary: `items ${chunk.from} to ${chunk.to}` },
        [{ accountId, batchUuid, ...chunk }],
      );
      resolved += result.resolved;
      show(result.summary);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: CHUNKS_AT_ONCE }, lane));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return resolved;
}

function show({ total, created, failed, pending }: BatchSummary): void {
  setCurrentDetails(
    `**${total - pending} of ${total}** items have their outcome: ${created} created, ${failed} failed. ` +
      'The creations are the runs with this BatchId.',
  );
}
