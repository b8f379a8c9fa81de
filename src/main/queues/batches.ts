import { createBatchItemActivities, createBatchRecordActivities } from '../../../activities/index.js';
import { taskQueues } from '../../contracts/ids.js';
import { windowsByName } from '../../lib/window.js';
import { commonOptions, type Queue, type QueueParts } from './queue.js';

/** Chunks that a process works on at once, two of a batch; what limits the work is the window of creations. */
const CHUNKS_AT_ONCE = 10;
/** Items of a chunk that are in memory, each of 1 MiB at most, while they wait for a place. */
const LANES = 8;
/** A creation that takes longer gives its place to others, and is looked at again later. */
const ITEM_WAIT_MS = 20_000;

/** The queue of the work on batches. */
export function batchesQueue(parts: QueueParts): Queue {
  const { db, temporal, config, waitedFor } = parts;
  // A process that serves some queues alone does not see who waits at the others.
  const isAlone = () => config.workerQueues === null && waitedFor.isQuiet;
  const createWaitMs = Math.min(config.createWaitMs, ITEM_WAIT_MS);
  return {
    options: {
      ...commonOptions(parts),
      taskQueue: taskQueues.batches,
      maxConcurrentActivityTaskExecutions: CHUNKS_AT_ONCE,
      activities: {
        ...createBatchItemActivities({
          db,
          temporal,
          config: { ...config, createWaitMs },
          window: windowsByName(config.batchWindow, isAlone),
          lanes: LANES,
        }),
        ...createBatchRecordActivities({ db, temporal }),
      },
    },
  };
}
