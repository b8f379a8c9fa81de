import { bytes, choice, id, instant, int, json, table, text } from './table.js';

/** The table `label_sets`. */
export const labelSets = table('label_sets', {
  uuid: text('CHAR(36)').primary(),
  accountId: id(),
  contentHash: bytes('BINARY(32)'),
  shipmentIds: json(),
  labelType: text('VARCHAR(16)').null(),
  startPosition: int('TINYINT UNSIGNED'),
  warehouseSort: choice('asc', 'desc', 'none').null(),
  createdAt: instant(),
});
