import { createBatchItemActivities, createBatchRecordActivities } from '../../../activities/index.js';
import { taskQueues, workflowIds } from '../../contracts/ids.js';
import { findByClientId } from '../../db/queries/accounts.js';
import { readBatchItem } from '../../http/v2/batches/item.js';
import { slotsByName } from '../../lib/slots.js';
import { runInput } from '../../services/batches.js';
import { createShipment } from '../../services/create-shipment.js';
import { wakeBatch } from '../../temporal/batches.js';
import { isWorkflowRunning } from '../../temporal/starters.js';
import { commonOptions, type Queue, type WorkerParts } from './queue.js';

/** Chunks that a process works on at once; what limits the work are the places for creations. */
const CHUNKS_AT_ONCE = 20;
/** A creation that takes longer gives its place to others, and is looked at again later. */
const ITEM_WAIT_MS = 20_000;

/** The queue of the work on batches. */
export function batchesQueue(parts: WorkerParts): Queue {
  const { db, temporal, config } = parts;
  const creating = { db, temporal, config: { createWaitMs: Math.min(config.createWaitMs, ITEM_WAIT_MS) } };
  return {
    options: {
      ...commonOptions(parts),
      taskQueue: taskQueues.batches,
      maxConcurrentActivityTaskExecutions: CHUNKS_AT_ONCE,
      activities: {
        ...createBatchItemActivities({
          db,
          slots: slotsByName(config.batchWindow),
          lanes: config.batchWindow,
          licenses: async (clientId) => (await findByClientId(db, clientId))?.licenses ?? [],
          readItem: (payload, batch, licenses) =>
            readBatchItem(payload, { ...batch, batchUuid: batch.uuid, licenses }, config),
          createShipment: (request) => createShipment(creating, request),
        }),
        ...createBatchRecordActivities({
          db,
          startUnlessRunning: async (batch) => {
            if (await isWorkflowRunning(temporal, workflowIds.runBatch(batch.uuid))) return false;
            await wakeBatch(temporal, runInput(batch));
            return true;
          },
        }),
      },
    },
  };
}
