import { type Client, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { type BookingDecision, RESOLVE_BOOKING } from '../contracts/create-shipment.js';
import type { Database } from '../db/database.js';
import { setClientCredentials } from '../db/queries/accounts.js';
import { listNeedingAttention, workflowIdOf } from '../db/queries/attention.js';
import { hashSecret, randomToken } from '../lib/secrets.js';

/** What the administrator's commands work with. */
export interface AdminDeps {
  db: Database;
  temporal: Client;
  appKey: Buffer;
}

/** What an administrator asked for cannot be done; the message says why. */
export class AdminError extends Error {}

/**
 * New API credentials of an account, shown this once. The old ones stop working.
 * @throws AdminError when there is no such account.
 */
export async function rotateCredentials(
  deps: AdminDeps,
  accountId: number,
): Promise<{ clientId: string; clientSecret: string }> {
  const clientId = randomToken('ci_', 12);
  const clientSecret = randomToken('sk_');
  const found = await setClientCredentials(deps.db, {
    accountId,
    clientId,
    secretHash: hashSecret(clientSecret, deps.appKey),
    last4: clientSecret.slice(-4),
  });
  if (!found) throw new AdminError(`There is no account ${accountId}.`);
  return { clientId, clientSecret };
}

/** Shipments that wait for a decision, oldest first. */
export async function needsAttention(
  deps: AdminDeps,
): Promise<{ uuid: string; provider: string; orderId: string; reason: string; since: string }[]> {
  return await listNeedingAttention(deps.db);
}

/**
 * Sends an operator's decision to the creation that waits for it, and returns what came of it.
 * @throws AdminError when there is no such shipment, or it does not wait.
 */
export async function resolveShipment(
  deps: AdminDeps,
  uuid: string,
  decision: BookingDecision,
): Promise<string> {
  const workflowId = await workflowIdOf(deps.db, uuid);
  if (workflowId === null) throw new AdminError(`There is no shipment ${uuid} that waits for a decision.`);
  const handle = deps.temporal.workflow.getHandle(workflowId);
  try {
    return await handle.executeUpdate<string, [BookingDecision]>(RESOLVE_BOOKING, { args: [decision] });
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError)
      throw new AdminError(error.cause?.message ?? error.message);
    if (error instanceof WorkflowNotFoundError) throw new AdminError('The creation is not running any more.');
    throw error;
  }
}
