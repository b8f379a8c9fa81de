import {
  createCarrierActivities,
  createCarrierLabelActivities,
  createCarrierPlaces,
  createPointPlaces,
} from '../../../activities/index.js';
import type { CarrierAdapter } from '../../carriers/contract.js';
import { adapterFinder } from '../../carriers/registry.js';
import { taskQueues } from '../../contracts/ids.js';
import { createStorage } from '../../documents/storage.js';
import { createGuardedAgent } from '../../outbound/guarded-agent.js';
import { createCarrierAccounts } from '../../services/carrier-accounts.js';
import { commonOptions, type Queue, type QueueParts } from './queue.js';

/** A carrier's queue, with that carrier's rate limit and concurrency. */
export function carrierQueue(parts: QueueParts, adapter: CarrierAdapter): Queue {
  const { db, config, carriers, temporal, wake } = parts;
  const find = adapterFinder(carriers);
  const deps = {
    db,
    carriers: find,
    accounts: createCarrierAccounts(db, config.appKey, find),
    wake,
    placesOf: createCarrierPlaces(),
    pointPlacesOf: createPointPlaces(),
  };
  const elsewhere = createGuardedAgent({
    allowedRanges: config.webhookAllowCidrs,
    deniedRanges: config.webhookDenyCidrs,
  });
  return {
    options: {
      ...commonOptions(parts),
      taskQueue: taskQueues.carrier(adapter.provider),
      maxConcurrentActivityTaskExecutions: adapter.limits.concurrency,
      maxTaskQueueActivitiesPerSecond: adapter.limits.requestsPerSecond,
      activities: {
        ...createCarrierActivities({ ...deps, temporal }),
        ...createCarrierLabelActivities({ ...deps, elsewhere, storage: createStorage(config.storage) }),
      },
    },
    close: () => elsewhere.destroy(),
  };
}
