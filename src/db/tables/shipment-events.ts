import { isStatusCode } from '../../domain/statuses.js';
import { guarded, id, instant, table, text } from './table.js';

/** The table `shipment_events`. */
export const shipmentEvents = table('shipment_events', {
  id: id().primary(),
  shipmentId: id(),
  code: guarded('VARCHAR(32)', isStatusCode),
  description: text('VARCHAR(500)'),
  occurredAt: instant(),
  carrierCode: text('VARCHAR(64)'),
  carrierDescription: text('VARCHAR(500)').null(),
  location: text('VARCHAR(255)').null(),
  createdAt: instant(),
});
