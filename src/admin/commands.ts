import type { Client } from '@temporalio/client';
import { type BookingDecision, RESOLVE_BOOKING } from '../contracts/shipments.js';
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

/** New API credentials of an account, shown this once. The old ones stop working. */
export async function rotateCredentials(
  deps: AdminDeps,
  accountId: number,
): Promise<{ clientId: string; clientSecret: string }> {
  const clientId = randomToken('ci_', 12);
  const clientSecret = randomToken('sk_');
  await setClientCredentials(deps.db, {
    accountId,
    clientId,
    secretHash: hashSecret(clientSecret, deps.appKey),
    last4: clientSecret.slice(-4),
  });
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
 * @throws Error when there is no such shipment, or it does not wait.
 */
export async function resolveShipment(
  deps: AdminDeps,
  uuid: string,
  decision: BookingDecision,
): Promise<string> {
  const workflowId = await workflowIdOf(deps.db, uuid);
  if (workflowId === null) throw new Error(`There is no shipment ${uuid} that waits for a decision.`);
  const handle = deps.temporal.workflow.getHandle(workflowId);
  return await handle.executeUpdate<string, [BookingDecision]>(RESOLVE_BOOKING, { args: [decision] });
}
