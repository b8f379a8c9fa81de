import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { workflowIds } from '../src/contracts/ids.js';
import type { Database } from '../src/db/database.js';
import { failExport, listStaleExports } from '../src/db/queries/exports.js';
import { deleteExpiredKeys } from '../src/db/queries/idempotency.js';
import { deleteOldWindows } from '../src/db/queries/rate-limits.js';
import {
  listStaleReservations,
  markNeedsAttention,
  type StaleReservation,
} from '../src/db/queries/recording.js';
import { listLicenseSlice, repairShipmentCounts } from '../src/db/queries/shipment-counts.js';
import { nowIso } from '../src/lib/time.js';
import { freeUnsent } from '../src/services/abandoned-creations.js';
import type { App } from '../src/services/app.js';
import { isWorkflowRunning } from '../src/temporal/starters.js';
import { inBudget } from './budget.js';

const BATCH = 1000;
/** A reservation this old whose workflow is gone was left behind by a terminated run. */
const STALE_AFTER_SECONDS = 900;
/** An export this old that has no run will not get one any more. */
const ABANDONED_AFTER_SECONDS = 60;
/** What one kind of sweeping may take of a run, so that no backlog keeps the others away. */
const BUDGET_MS = 90_000;
const ENDED =
  'The creation was ended from outside. Decide on it, or send the same request again to resume it.';
/** As often as housekeeping runs; so many parts make a day. */
const RECOUNT_EVERY_MS = 900_000;
const RECOUNT_SLICES = 96;
const KEEP_RATE_WINDOWS_SECONDS = 3600;

/** `pageSize`: reservations that are looked at together; 1000 by default. */
type UpkeepApp = Pick<App, 'db' | 'temporal'> & { pageSize?: number };

export type UpkeepActivities = ReturnType<typeof createUpkeepActivities>;

/** The sweeps of the workflow `housekeeping`. Each may be run again at any time. */
export function createUpkeepActivities({ db, temporal, pageSize = BATCH }: UpkeepApp) {
  return {
    /** Deletes expired keys and rate-limit windows; returns how many keys. */
    async deleteExpired(): Promise<number> {
      await deleteOldWindows(db, Math.floor(Date.now() / 1000) - KEEP_RATE_WINDOWS_SECONDS);
      return await inBudget(() => deleteExpiredKeys(db, BATCH), BUDGET_MS);
    },

    /**
     * Compares the counts of shipments with the rows, for another part of the licenses in each run, for all of them in a
     * day; returns how many were wrong. A part is chosen by the time alone, so that a run that fails misses only its own.
     */
    recountShipments: () => recountSlice(db),

    /** Ends exports in flight whose run was ended from outside, which frees their licenses' places; returns how many. */
    async failAbandonedExports(): Promise<number> {
      const stale = await listStaleExports(db, { olderThanSeconds: ABANDONED_AFTER_SECONDS, limit: BATCH });
      let failed = 0;
      for (const found of stale) {
        if (cancellationSignal().aborted) break;
        heartbeat(failed);
        if (await isWorkflowRunning(temporal, workflowIds.exportShipments(found.licenseId))) continue;
        if (await failExport(db, { ...found, error: 'The export was ended from outside.' })) failed += 1;
      }
      return failed;
    },

    /**
     * Brings reservations without a running workflow before an operator, and frees those of which nothing was sent;
     * returns how many an operator must look at.
     */
    async flagOrphans(): Promise<number> {
      const until = Date.now() + BUDGET_MS;
      let flagged = 0;
      let page: StaleReservation[] = [];
      do {
        const after = page.at(-1);
        page = await listStaleReservations(db, {
          olderThanSeconds: STALE_AFTER_SECONDS,
          limit: pageSize,
          after,
        });
        for (const { uuid, workflowId } of page) {
          if (cancellationSignal().aborted) return flagged;
          heartbeat(flagged);
          if (await isWorkflowRunning(temporal, workflowId)) continue;
          // The same request may have resumed it since.
          if ((await freeUnsent({ db, temporal }, { uuid, workflowId })) !== 'kept') continue;
          await markNeedsAttention(db, { uuid, reason: ENDED, at: nowIso() });
          flagged += 1;
        }
      } while (page.length === pageSize && Date.now() < until);
      return flagged;
    },
  };
}

async function recountSlice(db: Database): Promise<number> {
  const slice = Math.floor(Date.now() / RECOUNT_EVERY_MS) % RECOUNT_SLICES;
  let wrong = 0;
  const troubles: unknown[] = [];
  for (const licenseId of await listLicenseSlice(db, slice, RECOUNT_SLICES)) {
    if (cancellationSignal().aborted) break;
    heartbeat(wrong);
    try {
      wrong += await repairShipmentCounts(db, licenseId);
    } catch (error) {
      troubles.push(error);
    }
  }
  if (troubles.length > 0) throw troubles[0];
  return wrong;
}
