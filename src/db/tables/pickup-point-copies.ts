import { id, instant, int, table } from './table.js';

/** The table `pickup_point_copies`. */
export const pickupPointCopies = table('pickup_point_copies', {
  licenseId: id().primary(),
  accountId: id(),
  carrierId: id(),
  generation: int('INT UNSIGNED'),
  points: int('INT UNSIGNED'),
  refreshedAt: instant(),
  askedAt: instant(),
});
