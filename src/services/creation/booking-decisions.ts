import { setTimeout as delay } from 'node:timers/promises';
import {
  type Client,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  WorkflowUpdateStage,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type BookingDecision, NOT_WAITING, RESOLVE_BOOKING } from '../../contracts/create-shipment.js';

const DECISION_MS = 30_000;

/**
 * `taken`: the decision's result. `refused`: why it is invalid. `not_waiting`: the creation runs but needs no
 * decision. `late`: it was taken and has not ended yet. `unanswered`: nobody knows whether it was taken. `gone`: the
 * creation runs no more.
 */
export type DecisionOutcome =
  | { kind: 'taken' | 'not_waiting' | 'refused'; text: string }
  | { kind: 'late' | 'unanswered' | 'gone' };

/**
 * Sends a decision to a waiting creation and waits until it is carried out, for a time. Equal
 * `updateId`s count once.
 */
export async function decideBooking(
  temporal: Client,
  args: { workflowId: string; decision: BookingDecision; updateId?: string },
): Promise<DecisionOutcome> {
  const { workflowId, decision, updateId } = args;
  const handle = temporal.workflow.getHandle(workflowId);
  const until = Date.now() + DECISION_MS;
  let isTaken = false;
  try {
    const update = await temporal.withDeadline(until, () =>
      handle.startUpdate<string, [BookingDecision]>(RESOLVE_BOOKING, {
        args: [decision],
        waitForStage: WorkflowUpdateStage.ACCEPTED,
        ...(updateId === undefined ? {} : { updateId }),
      }),
    );
    isTaken = true;
    return { kind: 'taken', text: await temporal.withDeadline(until, () => update.result()) };
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) return refusalOf(error);
    if (error instanceof WorkflowNotFoundError) return { kind: 'gone' };
    if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError)
      return { kind: isTaken ? 'late' : 'unanswered' };
    throw error;
  }
}

/** {@link decideBooking} for a creation that was just restarted: retries until it waits for the decision. */
export async function decideSoon(
  temporal: Client,
  args: Parameters<typeof decideBooking>[1],
): Promise<DecisionOutcome> {
  const until = Date.now() + DECISION_MS;
  for (;;) {
    const outcome = await decideBooking(temporal, args);
    if (outcome.kind !== 'not_waiting' || Date.now() > until) return outcome;
    await delay(250);
  }
}

function refusalOf({ cause, message }: WorkflowUpdateFailedError): DecisionOutcome {
  const kind = cause instanceof ApplicationFailure && cause.type === NOT_WAITING ? 'not_waiting' : 'refused';
  return { kind, text: cause?.message ?? message };
}
