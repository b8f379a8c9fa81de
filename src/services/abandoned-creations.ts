import type { Client } from '@temporalio/client';
import type { Database } from '../db/database.js';
import { type Release, releaseUnsent } from '../db/queries/refusals.js';
import { findReservedCreation } from '../db/queries/reserved-creations.js';
import { promptly } from '../temporal/client.js';
import { isWorkflowRunning, restartCreateShipment } from '../temporal/starters.js';

/**
 * Frees at once the reservation of a creation that was ended from outside before anything was sent to the carrier: the
 * same request then books anew.
 */
export async function freeUnsent(
  { db, temporal }: { db: Database; temporal: Client },
  { uuid, workflowId }: { uuid: string; workflowId: string },
): Promise<Release> {
  return await releaseUnsent(db, {
    uuid,
    reason: 'The creation was ended from outside before anything was sent to the carrier.',
    // The answer is waited for in a transaction, which must not stand while the engine is away.
    isRunOpen: () => promptly(temporal, () => isWorkflowRunning(temporal, workflowId)),
  });
}

/**
 * Starts a creation that was ended from outside anew, so that it waits for an operator's decision. False for a
 * reservation whose rows do not hold what the creation was given.
 */
export async function resumeToDecide(
  { db, temporal }: { db: Database; temporal: Client },
  { uuid, workflowId }: { uuid: string; workflowId: string },
): Promise<boolean> {
  const stored = await findReservedCreation(db, uuid);
  if (stored === null || stored.workflowId !== workflowId) return false;
  await restartCreateShipment(temporal, stored);
  return true;
}
