import type { Client } from '@temporalio/client';
import type { BookingDecision } from '../contracts/create-shipment.js';
import type { Database } from '../db/database.js';
import { setClientCredentials } from '../db/queries/accounts.js';
import { listNeedingAttention, workflowIdOf } from '../db/queries/attention.js';
import { hashSecret, randomToken } from '../lib/secrets.js';
import { decideBooking } from '../services/booking-decisions.js';

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
  const outcome = await decideBooking(deps.temporal, { workflowId, decision });
  switch (outcome.kind) {
    case 'taken':
      return outcome.text;
    case 'refused':
      throw new AdminError(outcome.text);
    case 'late':
      throw new AdminError('The creation has not answered yet. Look at it again in a while.');
    case 'gone':
      throw new AdminError('The creation is not running any more.');
  }
}
