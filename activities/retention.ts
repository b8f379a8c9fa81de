import { cancellationSignal, heartbeat } from '@temporalio/activity';
import type { Database } from '../src/db/database.js';
import { deleteOldInboundEvents } from '../src/db/queries/carriers/inbound-events.js';
import { listExpiredExportFiles, markExportFileDeleted } from '../src/db/queries/exports/exports.js';
import {
  deleteOldAttempts,
  deleteOldBatches,
  deleteOldRefusals,
  deleteOldRows,
} from '../src/db/queries/retention.js';
import { deleteOldDeliveries } from '../src/db/queries/webhooks/deliveries.js';
import { CARRIER_LABELS, LABELS } from '../src/documents/labels/stored.js';
import { type DocumentStorage, INCOMING } from '../src/documents/storage.js';
import { exportFileKey } from '../src/domain/exports.js';
import { LIMITS } from '../src/lib/limits/values.js';
import { DAY_MS } from '../src/lib/time.js';
import type { App } from '../src/services/app.js';
import { inBudget, sumOf } from './budget.js';

const RETENTION_MS = 45_000;
const INCOMING_DAYS = 1;
// Each takes its orders with it.
const DRAFTS_OF_STEP = 10;

/** `folderBudgetMs`: time per run for a folder of documents; 45 s by default. */
export type RetentionApp = Pick<App<'retention'>, 'db' | 'storage' | 'config'> & { folderBudgetMs?: number };

/** Deletes what is past its retention; repeatable. */
export function createRetentionActivities({
  db,
  storage,
  config,
  folderBudgetMs = RETENTION_MS,
}: RetentionApp) {
  const { retention } = config;
  const old = (keepDays: number) => ({ keepDays, limit: LIMITS.database.rows });
  const files = (folder: string, keepDays: number) =>
    folderSweep(() => storage.deleteOld(folder, Date.now() - keepDays * DAY_MS), folderBudgetMs);
  const rows: readonly (() => Promise<number>)[] = [
    () => deleteOldDeliveries(db, old(retention.deliveryDays)),
    () => deleteOldRows(db, 'response_logs', old(retention.responseDays)),
    () => deleteOldInboundEvents(db, old(retention.inboundDays)),
    () => deleteOldBatches(db, old(retention.batchDays)),
    () => deleteOldRows(db, 'notification_logs', old(retention.notificationDays)),
    () => deleteOldAttempts(db, old(retention.attemptDays)),
    () => deleteOldRefusals(db, { keepDays: retention.refusalDays, limit: 100 }),
    () => deleteOldRows(db, 'label_sets', old(retention.labelDays)),
    () =>
      deleteOldRows(db, 'import_drafts', {
        keepDays: LIMITS.imports.keptDays,
        limit: DRAFTS_OF_STEP,
      }),
  ];
  const steps = [
    ...rows.map((deletePage) => () => inBudget(deletePage, RETENTION_MS)),
    () => deleteExpiredExportFiles(db, storage),
    files(LABELS, retention.labelDays),
    files(CARRIER_LABELS, retention.labelDays),
    files(INCOMING, INCOMING_DAYS),
  ];
  return {
    /**
     * Deletes what is past its retention and returns the number. A failing step does not stop the others, but
     * fails the activity at the end.
     */
    deleteOld: (): Promise<number> => sumOf(steps, (step) => step()),
  };
}

/**
 * Walks a folder over several runs, then again the next day: old files are found only by checking all. An
 * unfinished walk ends with the process or an error.
 */
function folderSweep(beginWalk: () => AsyncGenerator<number, void>, budgetMs: number): () => Promise<number> {
  let walk: AsyncGenerator<number, void> | null = null;
  let nextWalkAt = 0;
  return async () => {
    if (walk === null && Date.now() < nextWalkAt) return 0;
    walk ??= beginWalk();
    const present = walk;
    const until = Date.now() + budgetMs;
    let total = 0;
    try {
      do {
        const { done, value } = await present.next();
        if (done === true) {
          walk = null;
          nextWalkAt = Date.now() + DAY_MS;
          return total;
        }
        total += value;
        heartbeat(total);
      } while (Date.now() < until && !cancellationSignal().aborted);
    } catch (error) {
      walk = null;
      throw error;
    }
    return total;
  };
}

/** Deletes files of expired exports. A failure does not stop the others. @throws the first error */
async function deleteExpiredExportFiles(db: Database, storage: DocumentStorage): Promise<number> {
  const troubles: unknown[] = [];
  const looked = await inBudget(async () => {
    const expired = await listExpiredExportFiles(db, { limit: 50, skip: troubles.length });
    for (const file of expired) {
      try {
        await storage.delete(exportFileKey(file));
        await markExportFileDeleted(db, file.exportId);
      } catch (error) {
        troubles.push(error);
      }
    }
    return expired.length;
  }, RETENTION_MS);
  if (troubles.length > 0) throw troubles[0];
  return looked;
}
