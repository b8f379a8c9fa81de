import type { Client } from '@temporalio/client';
import { taskQueues, workflowIds } from '../contracts/ids.js';
import { PRIORITIES } from '../contracts/priorities.js';
import { BATCH_WOKEN, type RunBatch, type RunBatchInput } from '../contracts/run-batch.js';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.js';
import { type RunNames, summaryFor } from '../domain/run-summary.js';
import { LIMITS } from '../lib/limits/values.js';
import { isEngineTrouble } from './outcomes.js';
import { WORKFLOW_TASK_TIMEOUT } from './start-options.js';

/**
 * Starts a batch's run or signals the open one, in one RPC. The signal makes a run that is about to end check
 * again.
 */
export async function wakeBatch(client: Client, input: RunBatchInput, names: RunNames | null): Promise<void> {
  const { accountId, licenseId, batchUuid, total } = input;
  await client.workflow.signalWithStart<RunBatch, []>('runBatch', {
    workflowId: workflowIds.runBatch(batchUuid),
    taskQueue: taskQueues.shipments,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    args: [input],
    signal: BATCH_WOKEN,
    signalArgs: [],
    priority: { ...PRIORITIES.bulk, fairnessKey: String(licenseId) },
    staticSummary: summaryFor(`Create ${total} shipments of a batch`, names),
    staticDetails:
      'Works through the items in chunks. Each item is a run of `createShipment` with this BatchId, the same run that ' +
      '`POST /shipments` would start for it. Cancelling this run fails what has not been started.',
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.accountId, value: String(accountId) },
      { key: SEARCH_ATTRIBUTES.licenseId, value: String(licenseId) },
      { key: SEARCH_ATTRIBUTES.batchId, value: batchUuid },
    ],
  });
}

/** {@link wakeBatch}; false when the engine is unavailable, and the sweep starts the run later. */
export async function tryWakeBatch(
  client: Client,
  input: RunBatchInput,
  names: RunNames | null,
): Promise<boolean> {
  try {
    await client.withDeadline(Date.now() + LIMITS.engine.batchWakeMs, () => wakeBatch(client, input, names));
    return true;
  } catch (error) {
    if (isEngineTrouble(error)) return false;
    throw error;
  }
}
