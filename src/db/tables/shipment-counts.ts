import { id, int, table, text } from './table.js';

/** The table `shipment_counts`. */
export const shipmentCounts = table('shipment_counts', {
  accountId: id().primary(),
  licenseId: id().primary(),
  statusCode: text('VARCHAR(32)').primary(),
  serviceType: int('TINYINT UNSIGNED').primary(),
  slot: int('TINYINT UNSIGNED').primary(),
  total: int('BIGINT'),
});
