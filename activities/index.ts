import { type BookApp, createBookActivity } from './carrier-booking.js';
import { createCancelActivity } from './carrier-cancelling.js';
import { createPollActivity } from './carrier-polling.js';
import { createExportMailingActivities, type ExportMailingApp } from './export-mailing.js';
import { createExportWritingActivities, type ExportWritingApp } from './export-writing.js';
import {
  createListPointCopiesActivity,
  createRefreshPointsActivity,
  type PointsApp,
} from './pickup-points.js';

export { type BatchItemActivities, createBatchItemActivities } from './batch-items.js';
export { type BatchRecordActivities, createBatchRecordActivities } from './batch-records.js';
export { createCarrierSlots, createPointSlots } from './carrier-slots.js';

import type { App } from '../src/services/app.js';
import type { OperatorApp } from '../src/services/operations/tell-operators.js';
import type { SendingApp } from '../src/services/webhooks/webhook-attempts.js';
import { createTellOperatorsActivity } from './operator-telling.js';
import { createTellOwnerActivity } from './webhook-owner.js';
import { createSendDueActivity } from './webhook-sending.js';
import { createWakeOverdueActivity } from './webhook-waking.js';

export { createInboundActivities, type InboundActivities } from './inbound-applying.js';
export { type CarrierLabelActivities, createCarrierLabelActivities } from './label-fetching.js';
export { createDocumentActivities, type DocumentActivities } from './label-rendering.js';
export { createNotificationActivities, type NotificationActivities } from './notification-mails.js';
export { createRetentionActivities, type RetentionActivities } from './retention.js';
export {
  createShipmentRecordActivities,
  type ShipmentRecordActivities,
} from './shipment-records.js';
export { createUpkeepActivities, type UpkeepActivities } from './upkeep.js';

export type CarrierActivities = ReturnType<typeof createCarrierActivities>;

/** Activities on a carrier's task queue. */
export function createCarrierActivities(app: BookApp & PointsApp) {
  return {
    book: createBookActivity(app),
    cancelAtCarrier: createCancelActivity(app),
    pollPage: createPollActivity(app),
    refreshPoints: createRefreshPointsActivity(app),
    listPointCopies: createListPointCopiesActivity(app),
  };
}

export type ExportActivities = ReturnType<typeof createExportActivities>;

/** Activities on the exports queue. */
export function createExportActivities(app: ExportWritingApp & ExportMailingApp) {
  return { ...createExportWritingActivities(app), ...createExportMailingActivities(app) };
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

/** Activities on the webhooks queue. */
export function createWebhookActivities(app: SendingApp & OperatorApp & Pick<App, 'wake'>) {
  return {
    sendDue: createSendDueActivity(app),
    tellOwner: createTellOwnerActivity(app),
    wakeOverdue: createWakeOverdueActivity(app),
    tellOperators: createTellOperatorsActivity(app),
  };
}
