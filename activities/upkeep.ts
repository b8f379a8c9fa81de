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
import { listStaleReservations, markNeedsAttention } from '../src/db/queries/recording.js';
import { deleteOldResponses } from '../src/db/queries/response-logs.js';
import { nowIso } from '../src/lib/time.js';
import { isWorkflowRunning } from '../src/temporal/starters.js';

const BATCH = 1000;
/** A reservation this old whose workflow is gone was left behind by a terminated run. */
const STALE_AFTER_SECONDS = 900;
/** An export this old that has no run will not get one any more. */
const ABANDONED_AFTER_SECONDS = 60;
const KEEP_RATE_WINDOWS_SECONDS = 3600;
const KEEP_DELIVERIES_DAYS = 30;
const KEEP_RESPONSES_DAYS = 30;
const KEEP_INBOUND_DAYS = 30;

/** What the upkeep activities are given. */
export interface UpkeepDeps {
  db: Database;
  temporal: Client;
}

export type UpkeepActivities = ReturnType<typeof createUpkeepActivities>;

/** The sweeps of the workflow `housekeeping`. Each may be run again at any time. */
export function createUpkeepActivities({ db, temporal }: UpkeepDeps) {
  return {
    /** Deletes expired keys and rate-limit windows, old webhooks of either way and old answers; returns how many keys. */
    async deleteExpired(): Promise<number> {
      await deleteOldWindows(db, Math.floor(Date.now() / 1000) - KEEP_RATE_WINDOWS_SECONDS);
      while ((await deleteOldDeliveries(db, { keepDays: KEEP_DELIVERIES_DAYS, limit: BATCH })) > 0)
        heartbeat();
      while ((await deleteOldResponses(db, { keepDays: KEEP_RESPONSES_DAYS, limit: BATCH })) > 0) heartbeat();
      while ((await deleteOldInboundEvents(db, { keepDays: KEEP_INBOUND_DAYS, limit: BATCH })) > 0)
        heartbeat();
      let total = 0;
      for (;;) {
        const deleted = await deleteExpiredKeys(db, BATCH);
        total += deleted;
        if (deleted < BATCH) return total;
        heartbeat(total);
      }
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

    /** Brings reservations without a running workflow before an operator; returns how many. */
    async flagOrphans(): Promise<number> {
      const stale = await listStaleReservations(db, { olderThanSeconds: STALE_AFTER_SECONDS, limit: BATCH });
      let flagged = 0;
      for (const { uuid, workflowId } of stale) {
        heartbeat(flagged);
        if (await isWorkflowRunning(temporal, workflowId)) continue;
        const reason = 'The creation was ended from outside. Send the same request again to resume it.';
        await markNeedsAttention(db, { uuid, reason, at: nowIso() });
        flagged += 1;
      }
      return flagged;
    },
  };
}
