import {
  ActivityCancellationType,
  type ActivityOptions,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type {
  createBatchItemActivities,
  createBatchRecordActivities,
  createCarrierActivities,
  createDocumentActivities,
  createExportActivities,
  createInboundActivities,
  createNotificationActivities,
  createRetentionActivities,
  createShipmentRecordActivities,
  createUpkeepActivities,
  createWebhookActivities,
} from '../../activities/index.js';
import { taskQueues } from '../../src/contracts/ids.js';
import { PRIORITIES } from '../../src/contracts/priorities.js';
import { RETRIES } from '../../src/contracts/retries.js';

/** MySQL steps: short, repeatable, retried until MySQL is back. */
export const records = proxyLocalActivities<ReturnType<typeof createShipmentRecordActivities>>({
  startToCloseTimeout: '15s',
  localRetryThreshold: '1m',
  retry: RETRIES.soon,
});

/** How long an unavailable carrier is retried before an operator is asked. */
export const CARRIER_PATIENCE_MS = 24 * 3600 * 1000;

/**
 * Longer than a try: a license may allow 120 s per call, and a booking may look up its parcel before and after.
 * The heartbeat timeout detects dead workers sooner.
 */
const CARRIER_TRY = '10m';

export function bookingAt(provider: string) {
  return atCarrier<'book'>(provider, {
    startToCloseTimeout: CARRIER_TRY,
    scheduleToCloseTimeout: CARRIER_PATIENCE_MS,
  });
}

/** Cancellations: repeatable, with a waiting caller. */
export function cancellingAt(provider: string) {
  return atCarrier<'cancelAtCarrier'>(provider, {
    startToCloseTimeout: CARRIER_TRY,
    scheduleToCloseTimeout: '1h',
  });
}

/** Polling: after bookings; the Schedule's next tick is the retry. */
export function pollingAt(provider: string) {
  return atCarrier<'pollPage'>(provider, {
    startToCloseTimeout: '5m',
    retry: RETRIES.once,
    priority: PRIORITIES.last,
  });
}

/**
 * Lists of pickup points, which are large and not urgent, and carriers' labels, which a caller waits for: repeatable.
 * Tries are not limited, because one without a free slot asked nobody.
 */
export function fetchingAt(provider: string) {
  return atCarrier<'refreshPoints' | 'listPointCopies' | 'fetchLabel'>(provider, {
    startToCloseTimeout: '5m',
    scheduleToCloseTimeout: '10m',
  });
}

/** Activities on the carrier's queue, retried patiently unless `options` say otherwise. */
function atCarrier<Name extends keyof ReturnType<typeof createCarrierActivities>>(
  provider: string,
  options: ActivityOptions,
) {
  return proxyActivities<Pick<ReturnType<typeof createCarrierActivities>, Name>>({
    taskQueue: taskQueues.carrier(provider),
    heartbeatTimeout: '5s',
    retry: RETRIES.patiently,
    ...options,
  });
}

/** Chunks of a batch: resumed after a worker's death; retried until engine and database are back. */
export const batchItems = proxyActivities<ReturnType<typeof createBatchItemActivities>>({
  taskQueue: taskQueues.batches,
  startToCloseTimeout: '30m',
  heartbeatTimeout: '6s',
  retry: RETRIES.soon,
});

/** MySQL steps of a batch, retried until MySQL is back. */
export const batchRecords = proxyActivities<ReturnType<typeof createBatchRecordActivities>>({
  taskQueue: taskQueues.batches,
  startToCloseTimeout: '1m',
  heartbeatTimeout: '20s',
  retry: RETRIES.soon,
});

/** Sweeps: long, heartbeating, repeatable. */
export const upkeep = proxyActivities<
  ReturnType<typeof createUpkeepActivities> & ReturnType<typeof createRetentionActivities>
>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: RETRIES.once,
});

/** Mails to recipients in bounded, repeatable rounds. */
export const notifications = proxyActivities<ReturnType<typeof createNotificationActivities>>({
  taskQueue: taskQueues.mail,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '10s',
  retry: RETRIES.patiently,
  priority: PRIORITIES.bulk,
});

/** Webhooks in bounded, repeatable rounds; dead workers are detected soon. */
export function webhookRounds(failing: boolean) {
  return proxyActivities<Pick<ReturnType<typeof createWebhookActivities>, 'sendDue'>>({
    taskQueue: taskQueues.webhooks,
    startToCloseTimeout: '2m',
    heartbeatTimeout: '6s',
    retry: RETRIES.soon,
    priority: failing ? PRIORITIES.last : PRIORITIES.webhooks,
  });
}

/** Mails to webhooks' owners, retried until accepted. Deliveries wait meanwhile. */
export const webhookMails = proxyActivities<Pick<ReturnType<typeof createWebhookActivities>, 'tellOwner'>>({
  taskQueue: taskQueues.webhooks,
  startToCloseTimeout: '6m',
  retry: RETRIES.patiently,
});

/** Carriers' webhooks in bounded, repeatable rounds; before polling. */
export const inboundEvents = proxyActivities<ReturnType<typeof createInboundActivities>>({
  startToCloseTimeout: '2m',
  heartbeatTimeout: '6s',
  retry: RETRIES.soon,
  priority: PRIORITIES.inbound,
});

/** Messages to operators; the Schedule's next tick is the retry. */
export const operatorMessages = proxyActivities<
  Pick<ReturnType<typeof createWebhookActivities>, 'tellOperators'>
>({
  taskQueue: taskQueues.webhooks,
  startToCloseTimeout: '2m',
  retry: RETRIES.once,
});

/** Finds missed wakes; the Schedule's next tick is the retry. */
export const webhookWaking = proxyActivities<Pick<ReturnType<typeof createWebhookActivities>, 'wakeOverdue'>>(
  {
    taskQueue: taskQueues.webhooks,
    startToCloseTimeout: '20s',
    retry: RETRIES.once,
  },
);

/** Printing, with a waiting caller: dead workers are detected soon, and a failed browser is retried at once. */
export const documents = proxyActivities<ReturnType<typeof createDocumentActivities>>({
  taskQueue: taskQueues.documents,
  startToCloseTimeout: '15m',
  heartbeatTimeout: '5s',
  scheduleToCloseTimeout: '1h',
  retry: RETRIES.printing,
});

const EXPORTS = {
  taskQueue: taskQueues.exports,
  heartbeatTimeout: '10s',
  // Reports a cancellation at once; the running step finds the export ended.
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  priority: PRIORITIES.bulk,
} as const;

/** Steps of an export, retried for a day. A very large file takes long. */
export const exporting = proxyActivities<Omit<ReturnType<typeof createExportActivities>, 'mailExport'>>({
  ...EXPORTS,
  startToCloseTimeout: '2h',
  scheduleToCloseTimeout: '24h',
  retry: RETRIES.patiently,
});

/** The mail of an export. */
export const mailingExports = proxyActivities<Pick<ReturnType<typeof createExportActivities>, 'mailExport'>>({
  ...EXPORTS,
  startToCloseTimeout: '10m',
  retry: RETRIES.exportMail,
});
