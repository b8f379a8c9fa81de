import { upkeep } from './lib/proxies.js';

/** Totals of one sweep, for the operator. */
export interface HousekeepingResult {
  expiredKeys: number;
  orphans: number;
}

/** Sweeps up: expired keys and rate windows, reservations whose workflow was ended from outside. */
export async function housekeeping(): Promise<HousekeepingResult> {
  const expiredKeys = await upkeep.deleteExpired.executeWithOptions({ summary: 'expired keys' }, []);
  const orphans = await upkeep.flagOrphans.executeWithOptions({ summary: 'reservations without a run' }, []);
  return { expiredKeys, orphans };
}
