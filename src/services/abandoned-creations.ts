import type { Client } from '@temporalio/client';
import type { Database } from '../db/database.js';
import { releaseUnsent } from '../db/queries/recording.js';
import { isWorkflowRunning } from '../temporal/starters.js';

/**
 * Frees at once the reservation of a creation that was ended from outside before anything was sent to the carrier: the
 * same request then books anew. False when something was sent, or the creation runs.
 */
export async function freeUnsent(
  { db, temporal }: { db: Database; temporal: Client },
  { uuid, workflowId }: { uuid: string; workflowId: string },
): Promise<boolean> {
  return await releaseUnsent(db, {
    uuid,
    reason: 'The creation was ended from outside before anything was sent to the carrier.',
    isRunOpen: () => isWorkflowRunning(temporal, workflowId),
  });
}
