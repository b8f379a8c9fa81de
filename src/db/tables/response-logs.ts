import { id, instant, int, table, text } from './table.js';

/** The table `response_logs`. */
export const responseLogs = table('response_logs', {
  id: id().primary(),
  licenseId: id().null(),
  route: text('VARCHAR(128)'),
  status: int('SMALLINT UNSIGNED'),
  body: text('MEDIUMTEXT'),
  createdAt: instant(),
});
