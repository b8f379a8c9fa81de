import { bytes, choice, flag, id, instant, int, table, text } from './table.js';

/** The table `inbound_events`. */
export const inboundEvents = table('inbound_events', {
  id: id().primary(),
  licenseId: id(),
  eventKey: bytes('BINARY(32)'),
  parcel: text('VARCHAR(64)'),
  trackingCode: text('VARCHAR(64)').null(),
  reference: text('CHAR(36)').null(),
  code: text('VARCHAR(32)').null(),
  carrierCode: text('VARCHAR(64)'),
  carrierDescription: text('VARCHAR(500)'),
  occurredAt: instant(),
  location: text('VARCHAR(255)').null(),
  isCurrent: flag(),
  status: choice('pending', 'applied', 'ignored'),
  reason: text('VARCHAR(32)').null(),
  shipmentId: id().null(),
  attempts: int('INT UNSIGNED'),
  nextAttemptAt: instant().null(),
  receivedAt: instant(),
  finishedAt: instant().null(),
});
