import { ActivityCancellationType, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type {
  BatchItemActivities,
  BatchRecordActivities,
  CarrierActivities,
  CarrierLabelActivities,
  DocumentActivities,
  ExportActivities,
  InboundActivities,
  NotificationActivities,
  RetentionActivities,
  ShipmentRecordActivities,
  UpkeepActivities,
  WebhookActivities,
} from '../../activities/index.js';
import { taskQueues } from '../../src/contracts/ids.js';
import { PRIORITIES } from '../../src/contracts/priorities.js';
import { RETRIES } from '../../src/contracts/retries.js';

/** MySQL steps: short, repeatable, retried until MySQL is back. */
export const records = proxyLocalActivities<ShipmentRecordActivities>({
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
  return proxyActivities<Pick<CarrierActivities, 'book'>>({
    taskQueue: taskQueues.carrier(provider),
    startToCloseTimeout: CARRIER_TRY,
    heartbeatTimeout: '5s',
    scheduleToCloseTimeout: CARRIER_PATIENCE_MS,
    retry: RETRIES.patiently,
  });
}

/** Cancellations: repeatable, with a waiting caller. */
export function cancellingAt(provider: string) {
  return proxyActivities<Pick<CarrierActivities, 'cancelAtCarrier'>>({
    taskQueue: taskQueues.carrier(provider),
    startToCloseTimeout: CARRIER_TRY,
    heartbeatTimeout: '5s',
    scheduleToCloseTimeout: '1h',
    retry: RETRIES.patiently,
  });
}

/** Polling: after bookings; the Schedule's next tick is the retry. */
export function pollingAt(provider: string) {
  return proxyActivities<Pick<CarrierActivities, 'pollPage'>>({
    taskQueue: taskQueues.carrier(provider),
    startToCloseTimeout: '5m',
    heartbeatTimeout: '5s',
    retry: RETRIES.once,
    priority: PRIORITIES.last,
  });
}

/** Lists of pickup points: large and not urgent. */
export function refreshingPointsAt(provider: string) {
  return proxyActivities<Pick<CarrierActivities, 'refreshPoints' | 'listPointCopies'>>({
    taskQueue: taskQueues.carrier(provider),
    startToCloseTimeout: '5m',
    heartbeatTimeout: '5s',
    scheduleToCloseTimeout: '10m',
    retry: RETRIES.patiently,
  });
}

/** Chunks of a batch: resumed after a worker's death; retried until engine and database are back. */
export const batchItems = proxyActivities<BatchItemActivities>({
  taskQueue: taskQueues.batches,
  startToCloseTimeout: '30m',
  heartbeatTimeout: '6s',
  retry: RETRIES.soon,
});

/** MySQL steps of a batch, retried until MySQL is back. */
export const batchRecords = proxyActivities<BatchRecordActivities>({
  taskQueue: taskQueues.batches,
  startToCloseTimeout: '1m',
  heartbeatTimeout: '20s',
  retry: RETRIES.soon,
});

/** Sweeps: long, heartbeating, repeatable. */
export const upkeep = proxyActivities<UpkeepActivities & RetentionActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: RETRIES.once,
});

/** Mails to recipients in bounded, repeatable rounds. */
export const notifications = proxyActivities<NotificationActivities>({
  taskQueue: taskQueues.mail,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '10s',
  retry: RETRIES.patiently,
  priority: PRIORITIES.bulk,
});

/** Webhooks in bounded, repeatable rounds; dead workers are detected soon. */
export function webhookRounds(failing: boolean) {
  return proxyActivities<Pick<WebhookActivities, 'sendDue'>>({
    taskQueue: taskQueues.webhooks,
    startToCloseTimeout: '2m',
    heartbeatTimeout: '6s',
    retry: RETRIES.soon,
    priority: failing ? PRIORITIES.last : PRIORITIES.webhooks,
  });
}

/** Mails to webhooks' owners, retried until accepted. Deliveries wait meanwhile. */
export const webhookMails = proxyActivities<Pick<WebhookActivities, 'tellOwner'>>({
  taskQueue: taskQueues.webhooks,
  startToCloseTimeout: '6m',
  retry: RETRIES.patiently,
});

/** Carriers' webhooks in bounded, repeatable rounds; before polling. */
export const inboundEvents = proxyActivities<InboundActivities>({
  startToCloseTimeout: '2m',
  heartbeatTimeout: '6s',
  retry: RETRIES.soon,
  priority: PRIORITIES.inbound,
});

/** Messages to operators; the Schedule's next tick is the retry. */
export const operatorMessages = proxyActivities<Pick<WebhookActivities, 'tellOperators'>>({
  taskQueue: taskQueues.webhooks,
  startToCloseTimeout: '2m',
  retry: RETRIES.once,
});

/** Finds missed wakes; the Schedule's next tick is the retry. */
export const webhookWaking = proxyActivities<Pick<WebhookActivities, 'wakeOverdue'>>({
  taskQueue: taskQueues.webhooks,
  startToCloseTimeout: '20s',
  retry: RETRIES.once,
});

/** Printing, with a waiting caller: dead workers are detected soon, and a failed browser is retried at once. */
export const documents = proxyActivities<DocumentActivities>({
  taskQueue: taskQueues.documents,
  startToCloseTimeout: '15m',
  heartbeatTimeout: '5s',
  scheduleToCloseTimeout: '1h',
  retry: RETRIES.printing,
});

/**
 * Carriers' labels: repeatable, with a waiting caller. Tries are not limited, because one without a free slot
 * asked nobody.
 */
export function labelsAt(provider: string) {
  return proxyActivities<CarrierLabelActivities>({
    taskQueue: taskQueues.carrier(provider),
    startToCloseTimeout: '5m',
    heartbeatTimeout: '5s',
    scheduleToCloseTimeout: '10m',
    retry: RETRIES.patiently,
  });
}

const EXPORTS = {
  taskQueue: taskQueues.exports,
  heartbeatTimeout: '10s',
  // Reports a cancellation at once; the running step finds the export ended.
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  priority: PRIORITIES.bulk,
} as const;

/** Steps of an export, retried for a day. A very large file takes long. */
export const exporting = proxyActivities<Omit<ExportActivities, 'mailExport'>>({
  ...EXPORTS,
  startToCloseTimeout: '2h',
  scheduleToCloseTimeout: '24h',
  retry: RETRIES.patiently,
});

/** The mail of an export. */
export const mailingExports = proxyActivities<Pick<ExportActivities, 'mailExport'>>({
  ...EXPORTS,
  startToCloseTimeout: '10m',
  retry: RETRIES.exportMail,
});
