import { id, instant, int, table, text } from './table.js';

/** The table `carrier_labels`. */
export const carrierLabels = table('carrier_labels', {
  uuid: text('CHAR(36)').primary(),
  accountId: id(),
  shipmentId: id(),
  bytes: int('INT UNSIGNED'),
  createdAt: instant(),
});
