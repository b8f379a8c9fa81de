import { choice, id, instant, int, jsonObject, table, text } from './table.js';

/** The table `batch_items`. */
export const batchItems = table('batch_items', {
  id: id().primary(),
  batchId: id(),
  position: int('INT UNSIGNED'),
  status: choice('pending', 'created', 'failed'),
  shipmentUuid: text('CHAR(36)').null(),
  payload: text('MEDIUMTEXT').null(),
  error: jsonObject().null(),
  startedAt: instant().null(),
  createdAt: instant(),
  updatedAt: instant(),
});
