import { patched } from '@temporalio/workflow';
import type { HousekeepingResult } from '../src/contracts/housekeeping.js';
import { upkeep } from './lib/proxies.js';

/** Sweeps up: expired keys and rate windows, reservations and exports whose workflow was ended from outside. */
export async function housekeeping(): Promise<HousekeepingResult> {
  if (patched('independent-sweeps')) return await sweepSideBySide();
  const expiredKeys = await upkeep.deleteExpired.executeWithOptions({ summary: 'expired keys' }, []);
  const orphans = await upkeep.flagOrphans.executeWithOptions({ summary: 'reservations without a run' }, []);
  if (!patched('abandoned-exports')) return { expiredKeys, orphans };
  const exports = await upkeep.failAbandonedExports.executeWithOptions(
    { summary: 'exports without a run' },
    [],
  );
  return { expiredKeys, orphans, exports };
}

/** None waits for another, and none that fails keeps the others away. */
async function sweepSideBySide(): Promise<HousekeepingResult> {
  const sweeps = [
    upkeep.deleteExpired.executeWithOptions({ summary: 'expired keys' }, []),
    upkeep.flagOrphans.executeWithOptions({ summary: 'reservations without a run' }, []),
    upkeep.failAbandonedExports.executeWithOptions({ summary: 'exports without a run' }, []),
  ] as const;
  const retention = patched('retention')
    ? [upkeep.deleteOld.executeWithOptions({ summary: 'what was kept long enough' }, [])]
    : [];
  const recounts = patched('counted-shipments')
    ? [upkeep.recountShipments.executeWithOptions({ summary: 'counts of shipments' }, [])]
    : [];
  await Promise.allSettled([...sweeps, ...retention, ...recounts]);
  const [expiredKeys, orphans, exports] = await Promise.all(sweeps);
  const [[old], [recounted]] = await Promise.all([Promise.all(retention), Promise.all(recounts)]);
  return {
    expiredKeys,
    orphans,
    exports,
    ...(old === undefined ? {} : { old }),
    ...(recounted === undefined ? {} : { recounted }),
  };
}
