import { heartbeat } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { workflowIds } from '../src/contracts/ids.js';
import type { Database } from '../src/db/database.js';
import { deleteOldDeliveries } from '../src/db/queries/deliveries.js';
import { deleteExportWork } from '../src/db/queries/export-parts.js';
import { failExport, listStaleExports } from '../src/db/queries/exports.js';
import { deleteExpiredKeys } from '../src/db/queries/idempotency.js';
import { deleteOldInboundEvents } from '../src/db/queries/inbound-events.js';
import { deleteOldWindows } from '../src/db/queries/rate-limits.js';
import {
  listStaleReservations,
  markNeedsAttention,
  type StaleReservation,
} from '../src/db/queries/recording.js';
import { deleteOldResponses } from '../src/db/queries/response-logs.js';
import { nowIso } from '../src/lib/time.js';
import { freeUnsent } from '../src/services/abandoned-creations.js';
import { isWorkflowRunning } from '../src/temporal/starters.js';

const BATCH = 1000;
/** A reservation this old whose workflow is gone was left behind by a terminated run. */
const STALE_AFTER_SECONDS = 900;
/** An export this old that has no run will not get one any more. */
const ABANDONED_AFTER_SECONDS = 60;
/** What one kind of sweeping may take of a run, so that no backlog keeps the others away. */
const BUDGET_MS = 90_000;
const ENDED =
  'The creation was ended from outside. Decide on it, or send the same request again to resume it.';
const KEEP_RATE_WINDOWS_SECONDS = 3600;
const KEEP_DELIVERIES_DAYS = 30;
const KEEP_RESPONSES_DAYS = 30;
const KEEP_INBOUND_DAYS = 30;

/** What the upkeep activities are given. */
export interface UpkeepDeps {
  db: Database;
  temporal: Client;
  /** Reservations that are looked at together; 1000 by default. */
  pageSize?: number;
}

export type UpkeepActivities = ReturnType<typeof createUpkeepActivities>;

/** The sweeps of the workflow `housekeeping`. Each may be run again at any time. */
export function createUpkeepActivities({ db, temporal, pageSize = BATCH }: UpkeepDeps) {
  return {
    /** Deletes expired keys and rate-limit windows, old webhooks of either way and old answers; returns how many keys. */
    async deleteExpired(): Promise<number> {
      await deleteOldWindows(db, Math.floor(Date.now() / 1000) - KEEP_RATE_WINDOWS_SECONDS);
      await inBudget(() => deleteOldDeliveries(db, { keepDays: KEEP_DELIVERIES_DAYS, limit: BATCH }));
      await inBudget(() => deleteOldResponses(db, { keepDays: KEEP_RESPONSES_DAYS, limit: BATCH }));
      await inBudget(() => deleteOldInboundEvents(db, { keepDays: KEEP_INBOUND_DAYS, limit: BATCH }));
      return await inBudget(() => deleteExpiredKeys(db, BATCH));
    },

    /** Ends exports in flight whose run was ended from outside, which frees their licences' places; returns how many. */
    async failAbandonedExports(): Promise<number> {
      const stale = await listStaleExports(db, { olderThanSeconds: ABANDONED_AFTER_SECONDS, limit: BATCH });
      let failed = 0;
      for (const found of stale) {
        heartbeat(failed);
        if (await isWorkflowRunning(temporal, workflowIds.exportShipments(found.licenseId))) continue;
        if (await failExport(db, { ...found, error: 'The export was ended from outside.' })) failed += 1;
        await deleteExportWork(db, found);
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
          heartbeat(flagged);
          if (await isWorkflowRunning(temporal, workflowId)) continue;
          if (await freeUnsent({ db, temporal }, { uuid, workflowId })) continue;
          await markNeedsAttention(db, { uuid, reason: ENDED, at: nowIso() });
          flagged += 1;
        }
      } while (page.length === pageSize && Date.now() < until);
      return flagged;
    },
  };
}

/** Deletes page by page until nothing is left or the time is over, and returns how many; the next run goes on. */
async function inBudget(deletePage: () => Promise<number>): Promise<number> {
  const until = Date.now() + BUDGET_MS;
  let total = 0;
  let deleted: number;
  do {
    deleted = await deletePage();
    total += deleted;
    heartbeat(total);
  } while (deleted > 0 && Date.now() < until);
  return total;
}
