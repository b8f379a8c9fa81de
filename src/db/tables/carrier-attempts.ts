import { choice, id, instant, int, table, text } from './table.js';

/** The table `carrier_attempts`. */
export const carrierAttempts = table('carrier_attempts', {
  id: id().primary(),
  shipmentUuid: text('CHAR(36)'),
  operation: text('VARCHAR(16)'),
  number: int('INT UNSIGNED'),
  state: choice('sending', 'accepted', 'rejected', 'not_sent', 'unknown'),
  outcomeCode: text('VARCHAR(64)').null(),
  outcomeText: text('VARCHAR(1000)').null(),
  sentAt: instant(),
  answeredAt: instant().null(),
  accountIdentity: text('CHAR(27)').null(),
});
