import type { WorkflowStartOptions } from '@temporalio/client';
import { taskQueues } from '../contracts/ids.js';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.js';
import type { ParcelNames } from '../contracts/wake.js';

/** A dead worker is noticed after this long. */
export const WORKFLOW_TASK_TIMEOUT = '10s';

/** Search attributes of a parcel's runs. */
export function parcelAttributes({ orderId, shipmentUuid }: ParcelNames) {
  return [
    { key: SEARCH_ATTRIBUTES.orderId, value: orderId },
    { key: SEARCH_ATTRIBUTES.shipmentId, value: shipmentUuid },
  ];
}

/** Starts a run on the shipments' queue or attaches to the open one; a closed run is started again. */
export function attachOptions(workflowId: string) {
  return {
    workflowId,
    taskQueue: taskQueues.shipments,
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
  } as const satisfies Partial<WorkflowStartOptions>;
}
