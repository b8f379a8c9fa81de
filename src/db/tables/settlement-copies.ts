import { id, instant, table, texts } from './table.js';

/** The table `settlement_copies`. */
export const settlementCopies = table('settlement_copies', {
  licenseId: id().primary(),
  settlements: texts(),
  refreshedAt: instant(),
});
