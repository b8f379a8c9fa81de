import type { Client } from '@temporalio/client';
import type { Database } from '../../db/database.js';
import { releaseUnsent } from '../../db/queries/creation/refusals.js';
import { findReservedCreation } from '../../db/queries/creation/reserved-creations.js';
import { promptly } from '../../temporal/client.js';
import { isWorkflowRunning } from '../../temporal/run-state.js';
import { restartCreateShipment } from '../../temporal/starters.js';

/**
 * Frees the reservation of a creation that was ended from outside before anything was sent to the carrier: a
 * repeated request then books.
 */
export async function freeUnsent(
  { db, temporal }: { db: Database; temporal: Client },
  { uuid, workflowId }: { uuid: string; workflowId: string },
) {
  return await releaseUnsent(db, {
    uuid,
    reason: 'The creation was ended from outside before anything was sent to the carrier.',
    // The transaction waits for the answer, so it must fail quickly when the engine is unavailable.
    isRunOpen: () => promptly(temporal, () => isWorkflowRunning(temporal, workflowId)),
  });
}

/**
 * Restarts a creation that was ended from outside, to wait for an operator's decision. False when the
 * reservation's rows do not hold its input.
 */
export async function resumeToDecide(
  { db, temporal }: { db: Database; temporal: Client },
  { uuid, workflowId }: { uuid: string; workflowId: string },
): Promise<boolean> {
  const stored = await findReservedCreation(db, uuid);
  if (stored === null || stored.workflowId !== workflowId) return false;
  await restartCreateShipment(temporal, stored, true);
  return true;
}

/**
 * Continues a creation that the engine does not know, as after the loss of its store. Its booking begins with what the
 * rows say of calls before: where one may have reached the carrier, it looks there, or asks a person. False where the
 * reservation's rows do not hold its input.
 */
export async function continueForgotten(
  { db, temporal }: { db: Database; temporal: Client },
  { uuid, workflowId }: { uuid: string; workflowId: string },
): Promise<boolean> {
  const stored = await findReservedCreation(db, uuid);
  if (stored === null || stored.workflowId !== workflowId) return false;
  await restartCreateShipment(temporal, stored, false);
  return true;
}
