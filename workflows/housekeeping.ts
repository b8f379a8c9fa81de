import { patched } from '@temporalio/workflow';
import { upkeep } from './lib/proxies.js';

/** Totals of one sweep, for the operator. */
export interface HousekeepingResult {
  expiredKeys: number;
  orphans: number;
  /** Exports in flight without a run. Absent in runs that began before they were looked for. */
  exports?: number;
}

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
