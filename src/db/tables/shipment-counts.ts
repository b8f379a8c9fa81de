import { isStatusCode } from '../../domain/statuses.js';
import { guarded, id, int, oneOrTwo, table } from './table.js';

/** The table `shipment_counts`. */
export const shipmentCounts = table('shipment_counts', {
  accountId: id().primary(),
  licenseId: id().primary(),
  statusCode: guarded('VARCHAR(32)', isStatusCode).primary(),
  serviceType: oneOrTwo('TINYINT UNSIGNED').primary(),
  slot: int('TINYINT UNSIGNED').primary(),
  total: int('BIGINT'),
});
