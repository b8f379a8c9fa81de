import { flag, id, instant, int, table, text } from './table.js';

/** The table `batches`. */
export const batches = table('batches', {
  id: id().primary(),
  uuid: text('CHAR(36)'),
  accountId: id(),
  licenseId: id(),
  licenseKey: text('VARCHAR(255)'),
  licenseNamed: flag(),
  total: int('INT UNSIGNED'),
  pendingCount: int('INT UNSIGNED'),
  createdCount: int('INT UNSIGNED'),
  failedCount: int('INT UNSIGNED'),
  payloadBytes: int('INT UNSIGNED'),
  cancelledAt: instant().null(),
  createdAt: instant(),
  updatedAt: instant(),
});
