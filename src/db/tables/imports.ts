import { HOLDS } from '../../domain/imports/orders.js';
import { bytes, choice, flag, id, instant, int, json, jsonObject, table, text } from './table.js';

export const importDrafts = table('import_drafts', {
  id: id().primary(),
  uuid: text('CHAR(36)'),
  accountId: id(),
  licenseId: id(),
  fileName: text('VARCHAR(255)'),
  source: text('VARCHAR(64)'),
  packedTable: bytes('MEDIUMBLOB').null(),
  columns: json(),
  corrects: text('CHAR(36)').null(),
  preset: jsonObject().null(),
  round: int('INT UNSIGNED'),
  turn: int('INT UNSIGNED'),
  createdAt: instant(),
  updatedAt: instant(),
});

export const importRows = table('import_rows', {
  id: id().primary(),
  draftId: id(),
  line: int('INT UNSIGNED'),
  item: jsonObject(),
  edits: jsonObject(),
  faults: jsonObject(),
  state: choice('ready', 'faulty', 'held', 'booked'),
  hold: choice(...HOLDS).null(),
  isTaken: flag(),
  shipmentUuid: text('CHAR(36)').null(),
  round: int('INT UNSIGNED').null(),
  batchUuid: text('CHAR(36)').null(),
  orderId: text('VARCHAR(191)'),
  phoneKey: text('VARCHAR(64)'),
  email: text('VARCHAR(255)'),
  createdAt: instant(),
  updatedAt: instant(),
});

export const importMappings = table('import_mappings', {
  accountId: id().primary(),
  headerHash: bytes('BINARY(32)').primary(),
  columns: json(),
  updatedAt: instant(),
});
