import { choice, id, instant, int, jsonObject, table, text } from './table.js';

/** The table `exports`. */
export const exports = table('exports', {
  id: id().primary(),
  accountId: id(),
  licenseId: id(),
  inFlightLicenseId: id().null(),
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
  createdAt: instant(),
  updatedAt: instant(),
});
