import type { HousekeepingResult } from '../src/contracts/housekeeping.js';
import { upkeep } from './lib/proxies.js';

/**
 * Sweeps up: expired keys and rate windows, reservations and exports whose workflow was ended from outside, and what was
 * kept long enough. No sweep waits for another, and none that fails keeps the others away.
 */
export async function housekeeping(): Promise<HousekeepingResult> {
  const sweeps = [
    upkeep.deleteExpired.executeWithOptions({ summary: 'expired keys' }, []),
    upkeep.flagOrphans.executeWithOptions({ summary: 'reservations without a run' }, []),
    upkeep.failAbandonedExports.executeWithOptions({ summary: 'exports without a run' }, []),
    upkeep.deleteOld.executeWithOptions({ summary: 'what was kept long enough' }, []),
    upkeep.recountShipments.executeWithOptions({ summary: 'counts of shipments' }, []),
  ] as const;
  await Promise.allSettled(sweeps);
  const [expiredKeys, orphans, exports, old, recounted] = await Promise.all(sweeps);
  return { expiredKeys, orphans, exports, old, recounted };
}
