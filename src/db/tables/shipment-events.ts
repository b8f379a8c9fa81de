import { id, instant, table, text } from './table.js';

/** The table `shipment_events`. */
export const shipmentEvents = table('shipment_events', {
  id: id().auto(),
  shipmentId: id(),
  code: text('VARCHAR(32)'),
  description: text('VARCHAR(500)'),
  occurredAt: instant(),
  carrierCode: text('VARCHAR(64)'),
  carrierDescription: text('VARCHAR(500)').null(),
  location: text('VARCHAR(255)').null(),
  createdAt: instant(),
});
