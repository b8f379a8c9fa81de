import { patched } from '@temporalio/workflow';
import type { HousekeepingResult } from '../src/contracts/housekeeping.js';
import { upkeep } from './lib/proxies.js';

/** Sweeps up: expired keys and rate windows, reservations and exports whose workflow was ended from outside. */
export async function housekeeping(): Promise<HousekeepingResult> {
  const expiredKeys = await upkeep.deleteExpired.executeWithOptions({ summary: 'expired keys' }, []);
  const orphans = await upkeep.flagOrphans.executeWithOptions({ summary: 'reservations without a run' }, []);
  if (!patched('abandoned-exports')) return { expiredKeys, orphans };
  const exports = await upkeep.failAbandonedExports.executeWithOptions(
    { summary: 'exports without a run' },
    [],
  );
  return { expiredKeys, orphans, exports };
}
