import type { Workflows } from '../src/contracts/workflows.js';
import { upkeep } from './lib/proxies.js';

/**
 * Cleans up expired keys and rate windows, reservations and exports whose run was ended from outside, and rows
 * past their retention. Sweeps run in parallel and fail independently.
 */
export async function housekeeping(): ReturnType<Workflows['housekeeping']> {
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
