import { bytes, choice, id, instant, int, json, jsonObject, table, text } from './table.js';

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

export const carrierLabels = table('carrier_labels', {
  uuid: text('CHAR(36)').primary(),
  accountId: id(),
  shipmentId: id(),
  bytes: int('INT UNSIGNED'),
  createdAt: instant(),
});

export const exports = table('exports', {
  id: id().primary(),
  accountId: id(),
  licenseId: id().null(),
  inFlightPlace: text('VARCHAR(32)').null(),
  type: text('VARCHAR(32)'),
  platform: text('VARCHAR(32)'),
  format: choice('csv', 'xlsx'),
  filter: jsonObject(),
  status: choice('pending', 'processing', 'completed', 'failed'),
  rowCount: int('INT UNSIGNED').null(),
  filename: text('VARCHAR(255)').null(),
  fileUuid: text('CHAR(36)').null(),
  fileExpiresAt: instant().null(),
  mailedAt: instant().null(),
  error: text('VARCHAR(500)').null(),
  rowsWritten: int('INT UNSIGNED').null(),
  attempts: int('INT UNSIGNED'),
  lastError: text('VARCHAR(500)').null(),
  nextAttemptAt: instant().null(),
  createdAt: instant(),
  updatedAt: instant(),
});
