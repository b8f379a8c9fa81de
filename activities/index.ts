import { type BookApp, createBookActivity } from './carrier-booking.js';
import { createCancelActivity } from './carrier-cancelling.js';
import { createPollActivity } from './carrier-polling.js';
import { createFetchLabelActivity, type LabelApp } from './label-fetching.js';
import {
  createListPointCopiesActivity,
  createRefreshPointsActivity,
  type PointsApp,
} from './pickup-points.js';

export { createBatchItemActivities } from './batch-items.js';
export { createBatchRecordActivities } from './batch-records.js';
export { createCarrierSlots, createPointSlots } from './carrier-slots.js';
export { createExportActivities } from './exports.js';
export { createInboundActivities } from './inbound-applying.js';
export { createDocumentActivities } from './label-rendering.js';
export { createNotificationActivities } from './notification-mails.js';
export { createRetentionActivities } from './retention.js';
export { createShipmentRecordActivities } from './shipment-records.js';
export { createUpkeepActivities } from './upkeep.js';
export { createWebhookActivities } from './webhooks.js';

/** Activities on a carrier's task queue. */
export function createCarrierActivities(app: BookApp & PointsApp & LabelApp) {
  return {
    book: createBookActivity(app),
    cancelAtCarrier: createCancelActivity(app),
    pollPage: createPollActivity(app),
    refreshPoints: createRefreshPointsActivity(app),
    listPointCopies: createListPointCopiesActivity(app),
    fetchLabel: createFetchLabelActivity(app),
  };
}
