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

/** MySQL steps: short, safe to run again, tried until MySQL is back. */
export const records = proxyLocalActivities<ShipmentRecordActivities>({
  startToCloseTimeout: '15s',
  localRetryThreshold: '1m',
  retry: RETRIES.soon,
});

/** A carrier that is down is asked again for this long before an operator is. */
export const CARRIER_PATIENCE_MS = 24 * 3600 * 1000;

/**
 * Longer than what one try may need: a license may give each call 120 s, and a booking may look for its parcel before and
 * after. A dead worker is noticed within the heartbeat time-out all the same.
 */
const CARRIER_TRY = '10m';

/** Bookings. */
export function bookingAt(provider: string) {
  return proxyActivities<Pick<CarrierActivities, 'book'>>({
    taskQueue: taskQueues.carrier(provider),
    startToCloseTimeout: CARRIER_TRY,
    heartbeatTimeout: '5s',
    scheduleToCloseTimeout: CARRIER_PATIENCE_MS,
    retry: RETRIES.patiently,
  });
}

/** Cancellations: may be repeated; somebody waits for the answer. */
export function cancellingAt(provider: string) {
  return proxyActivities<Pick<CarrierActivities, 'cancelAtCarrier'>>({
    taskQueue: taskQueues.carrier(provider),
    startToCloseTimeout: CARRIER_TRY,
    heartbeatTimeout: '5s',
    scheduleToCloseTimeout: '1h',
    retry: RETRIES.patiently,
  });
}

/** Polling yields to bookings; the next tick of the Schedule is its retry. */
export function pollingAt(provider: string) {
  return proxyActivities<Pick<CarrierActivities, 'pollPage'>>({
    taskQueue: taskQueues.carrier(provider),
    startToCloseTimeout: '5m',
    heartbeatTimeout: '5s',
    retry: RETRIES.once,
    priority: PRIORITIES.last,
  });
}

/** Lists of pickup points: large, and nobody loses anything while they are late. */
export function refreshingPointsAt(provider: string) {
  return proxyActivities<Pick<CarrierActivities, 'refreshPoints' | 'listPointCopies'>>({
    taskQueue: taskQueues.carrier(provider),
    startToCloseTimeout: '5m',
    heartbeatTimeout: '5s',
    scheduleToCloseTimeout: '10m',
    retry: RETRIES.patiently,
  });
}

/** Chunks of a batch: a dead worker's chunk goes on elsewhere; an engine or a database that is away is waited for. */
export const batchItems = proxyActivities<BatchItemActivities>({
  taskQueue: taskQueues.batches,
  startToCloseTimeout: '30m',
  heartbeatTimeout: '6s',
  retry: RETRIES.patiently,
});

/** MySQL steps of a batch, tried until MySQL is back. */
export const batchRecords = proxyActivities<BatchRecordActivities>({
  taskQueue: taskQueues.batches,
  startToCloseTimeout: '1m',
  heartbeatTimeout: '20s',
  retry: RETRIES.soon,
});

/** Sweeps: long, heartbeating, safe to run again. */
export const upkeep = proxyActivities<UpkeepActivities & RetentionActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: RETRIES.once,
});

/** Mails to recipients: a round is bounded, and may be made again at any time. */
export const notifications = proxyActivities<NotificationActivities>({
  taskQueue: taskQueues.mail,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '10s',
  retry: RETRIES.patiently,
  priority: PRIORITIES.bulk,
});

/** Rounds of sending webhooks: bounded, may be made again at any time; a dead worker is noticed soon. */
export function webhookRounds(failing: boolean) {
  return proxyActivities<Pick<WebhookActivities, 'sendDue'>>({
    taskQueue: taskQueues.webhooks,
    startToCloseTimeout: '2m',
    heartbeatTimeout: '6s',
    retry: RETRIES.soon,
    priority: failing ? PRIORITIES.last : PRIORITIES.webhooks,
  });
}

/** Mails to the owners of webhooks: tried until the mail server takes them. Deliveries wait behind a try. */
export const webhookMails = proxyActivities<Pick<WebhookActivities, 'tellOwner'>>({
  taskQueue: taskQueues.webhooks,
  startToCloseTimeout: '6m',
  retry: RETRIES.patiently,
});

/** Rounds of applying carriers' webhooks: bounded, may be made again at any time; goes before polling. */
export const inboundEvents = proxyActivities<InboundActivities>({
  startToCloseTimeout: '2m',
  heartbeatTimeout: '6s',
  retry: RETRIES.soon,
  priority: PRIORITIES.inbound,
});

/** Looks for what was not woken; the next tick of the Schedule is its retry. */
export const webhookWaking = proxyActivities<Pick<WebhookActivities, 'wakeOverdue'>>({
  taskQueue: taskQueues.webhooks,
  startToCloseTimeout: '20s',
  retry: RETRIES.once,
});

/** Printing: somebody waits, so a dead worker is noticed soon and a browser that fails is tried again at once. */
export const documents = proxyActivities<DocumentActivities>({
  taskQueue: taskQueues.documents,
  startToCloseTimeout: '15m',
  heartbeatTimeout: '5s',
  scheduleToCloseTimeout: '1h',
  retry: RETRIES.printing,
});

/**
 * Labels that a carrier makes: may be asked for again; somebody waits for the answer. Tries are not counted, since one that
 * finds no place with a slow host asked nobody.
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
  // A cancelled export is told of at once; what still runs finds it ended.
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  priority: PRIORITIES.bulk,
} as const;

/** Steps of an export, tried for a day. Writing a very large file takes its time. */
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
