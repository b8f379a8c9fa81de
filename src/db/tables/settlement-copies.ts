import { id, instant, json, table } from './table.js';

/** The table `settlement_copies`. */
export const settlementCopies = table('settlement_copies', {
  licenseId: id().primary(),
  settlements: json(),
  refreshedAt: instant(),
});
