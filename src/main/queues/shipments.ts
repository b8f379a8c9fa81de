import {
  createInboundActivities,
  createRetentionActivities,
  createShipmentRecordActivities,
  createUpkeepActivities,
} from '../../../activities/index.js';
import { adapterFinder } from '../../carriers/registry.js';
import { taskQueues } from '../../contracts/ids.js';
import { createStorage } from '../../documents/storage.js';
import { createCarrierAccounts } from '../../services/carrier-accounts.js';
import { commonOptions, type Queue, type QueueParts } from './queue.js';

const MAX_CACHED_WORKFLOWS = 1000;
/** A worker that died is noticed this soon by the workflows that it had in its cache. */
const STICKY_TIMEOUT_MS = 3000;

/** The queue of all workflows and of their MySQL steps. */
export function shipmentsQueue(parts: QueueParts): Queue {
  const { config, db, temporal, wake, carriers } = parts;
  const find = adapterFinder(carriers);
  return {
    options: {
      ...commonOptions(parts),
      taskQueue: taskQueues.shipments,
      workflowBundle: { codePath: parts.workflowBundlePath },
      maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
      stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT_MS,
      workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 50 },
      activities: {
        ...createShipmentRecordActivities({
          db,
          wake,
          carriers: find,
          accounts: createCarrierAccounts(db, config.appKey, find),
        }),
        ...createUpkeepActivities({ db, temporal }),
        ...createRetentionActivities({ db, storage: createStorage(config.storage), config }),
        ...createInboundActivities({ db, temporal, wake }),
      },
    },
  };
}
