import {
  type Client,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { type BookingDecision, RESOLVE_BOOKING } from '../contracts/create-shipment.js';

const ANSWER_WITHIN_MS = 30_000;

/** `taken`: what came of the decision. `refused`: why the creation does not take it. `gone`: it runs no more. */
export type DecisionOutcome =
  | { kind: 'taken'; text: string }
  | { kind: 'refused'; text: string }
  | { kind: 'late' }
  | { kind: 'gone' };

/**
 * Sends a decision to the creation that waits for it, and waits until it was carried out; `late` when that takes too
 * long. Two with one `updateId` are one.
 */
export async function decideBooking(
  temporal: Client,
  args: { workflowId: string; decision: BookingDecision; updateId?: string },
): Promise<DecisionOutcome> {
  const { workflowId, decision, updateId } = args;
  const handle = temporal.workflow.getHandle(workflowId);
  try {
    const text = await temporal.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
      handle.executeUpdate<string, [BookingDecision]>(RESOLVE_BOOKING, {
        args: [decision],
        ...(updateId === undefined ? {} : { updateId }),
      }),
    );
    return { kind: 'taken', text };
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError)
      return { kind: 'refused', text: error.cause?.message ?? error.message };
    if (error instanceof WorkflowNotFoundError) return { kind: 'gone' };
    if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return { kind: 'late' };
    throw error;
  }
}
