import { cancellationSignal, heartbeat } from '@temporalio/activity';
import type { Database } from '../src/db/database.js';
import { deleteOldForms } from '../src/db/queries/accounts/panel-sent-forms.js';
import { deleteExpiredKeys } from '../src/db/queries/creation/idempotency.js';
import { markNeedsAttention } from '../src/db/queries/creation/recording.js';
import {
  listStaleReservations,
  type StaleReservation,
} from '../src/db/queries/creation/stale-reservations.js';
import { listStaleExports } from '../src/db/queries/exports/exports.js';
import { deleteOldWindows } from '../src/db/queries/rate-limits.js';
import { listLicenseSlice, repairShipmentCounts } from '../src/db/queries/shipments/shipment-counts.js';
import { LIMITS } from '../src/lib/limits/values.js';
import { DAY_SECONDS } from '../src/lib/time.js';
import { continueForgotten, freeUnsent } from '../src/services/creation/abandoned-creations.js';
import { type RestoringApp, restoreOfKey } from '../src/services/creation/restoring.js';
import { endAbandoned } from '../src/services/exports/abandoned-exports.js';
import { stateOfRun } from '../src/temporal/run-state.js';
import { inBudget, sumOf } from './budget.js';

const ABANDONED_EXPORT_SECONDS = 60;
const SWEEP_MS = 90_000;
const STALE_SECONDS = 900;
const FORM_KEPT_SECONDS = 3600;

const ENDED =
  'The creation was ended from outside. Decide on it, or send the same request again to resume it.';
/** Each run of housekeeping recounts a part of the licenses; this many parts make a day. */
const RECOUNT_SLICES = DAY_SECONDS / LIMITS.upkeep.housekeepingSeconds;

/** `pageSize`: reservations read at once; 1000 by default. */
type UpkeepApp = RestoringApp & { pageSize?: number };

/** Sweeps of the workflow `housekeeping`, all repeatable. */
export function createUpkeepActivities(app: UpkeepApp) {
  const { db, pageSize = LIMITS.database.rows } = app;
  return {
    /** Deletes expired keys, rate-limit windows and forms of the panel; returns the number of keys. */
    deleteExpired: () => deleteExpired(db),

    /**
     * Corrects counts of shipments for a part of the licenses, all within a day; returns how many were wrong.
     * The time alone selects the part, so a failed run misses only its own.
     */
    recountShipments: () => recountSlice(db),

    /**
     * Fails exports in flight whose run was ended from outside, which frees their licenses; returns the number. Those
     * whose run the engine has forgotten go on.
     */
    async failAbandonedExports(): Promise<number> {
      const stale = await listStaleExports(db, {
        olderThanSeconds: ABANDONED_EXPORT_SECONDS,
        limit: LIMITS.database.rows,
      });
      let failed = 0;
      for (const found of stale) {
        if (cancellationSignal().aborted) break;
        heartbeat(failed);
        if (await endAbandoned(app, found)) failed += 1;
      }
      return failed;
    },

    /**
     * Flags reservations without a running workflow for an operator and frees those of which nothing was sent; where the
     * engine has forgotten the run, these go on. Returns the number flagged.
     */
    async flagOrphans(): Promise<number> {
      const until = Date.now() + SWEEP_MS;
      let flagged = 0;
      let page: StaleReservation[] = [];
      do {
        const after = page.at(-1);
        page = await listStaleReservations(db, {
          olderThanSeconds: STALE_SECONDS,
          limit: pageSize,
          after,
        });
        for (const creation of page) {
          if (cancellationSignal().aborted) return flagged;
          heartbeat(flagged);
          if (!(await needsPerson(app, creation))) continue;
          await markNeedsAttention(db, { uuid: creation.uuid, reason: ENDED });
          flagged += 1;
        }
      } while (page.length === pageSize && Date.now() < until);
      return flagged;
    },
  };
}

/** Whether nothing but a person brings the reservation on: its run is over, and something was sent. */
async function needsPerson(
  app: UpkeepApp,
  creation: Pick<StaleReservation, 'uuid' | 'workflowId' | 'createdAt'>,
): Promise<boolean> {
  const state = await stateOfRun(app.temporal, creation.workflowId, { at: creation.createdAt });
  if (state === 'open') return false;
  if (state === 'closed' && (await restoreOfKey(app, creation.workflowId))) return false;
  if (state === 'unknown' && (await continueForgotten(app, creation))) return false;
  // The same request may have resumed it meanwhile.
  return (await freeUnsent(app, creation)) === 'kept';
}

async function deleteExpired(db: Database): Promise<number> {
  const { rows } = LIMITS.database;
  await deleteOldWindows(db, Math.floor(Date.now() / 1000) - 3600);
  await inBudget(() => deleteOldForms(db, FORM_KEPT_SECONDS, rows), SWEEP_MS);
  return await inBudget(() => deleteExpiredKeys(db, rows), SWEEP_MS);
}

async function recountSlice(db: Database): Promise<number> {
  const slice = Math.floor(Date.now() / (1000 * LIMITS.upkeep.housekeepingSeconds)) % RECOUNT_SLICES;
  const licenseIds = await listLicenseSlice(db, slice, RECOUNT_SLICES);
  return await sumOf(licenseIds, (licenseId) => repairShipmentCounts(db, licenseId));
}
