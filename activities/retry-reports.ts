import { ApplicationFailure, activityInfo, cancellationSignal } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { CARRIER_TROUBLE, type CarrierTrouble } from '../src/contracts/create-shipment.js';

// The engine gives up at once if the next try would come after the last.
const LONGEST_PAUSE_MS = 3_600_000;
const SIGNAL_MS = 2000;

export type Signaller = Pick<Client, 'workflow' | 'withDeadline'>;

/**
 * Runs a booking and reports its retries to the creation: at the second try, then each time the number of tries
 * has doubled. A Signal costs the engine as much as a try, and an outage keeps many creations waiting.
 */
export async function reportRetries<T>(temporal: Signaller, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (cancellationSignal().aborted) throw error;
    const pauseMs = pauseOf(error);
    await tell(temporal, error, pauseMs);
    throw pauseMs === null ? error : ApplicationFailure.fromError(error, { nextRetryDelay: pauseMs });
  }
}

async function tell(temporal: Signaller, error: unknown, pauseMs: number | null): Promise<void> {
  const { attempt, workflowExecution } = activityInfo();
  const isPowerOfTwo = (attempt & (attempt - 1)) === 0;
  if (workflowExecution === undefined || (pauseMs === null && (attempt === 1 || !isPowerOfTwo))) return;
  const { workflowId, runId } = workflowExecution;
  const trouble: CarrierTrouble = {
    tries: attempt,
    text: textOf(error),
    nextTryAt: pauseMs === null ? null : new Date(Date.now() + pauseMs).toISOString(),
  };
  try {
    await temporal.withDeadline(Date.now() + SIGNAL_MS, () =>
      temporal.workflow.getHandle(workflowId, runId).signal(CARRIER_TROUBLE, trouble),
    );
  } catch {
    // Only people read it, and the next one will tell.
  }
}

/** The delay that the carrier asked for, if longer than usual. */
function pauseOf(error: unknown): number | null {
  const delay = error instanceof ApplicationFailure ? error.nextRetryDelay : undefined;
  // Longer than the engine's usual pauses.
  return typeof delay === 'number' && delay > 60_000 ? Math.min(delay, LONGEST_PAUSE_MS) : null;
}

/** Our own failures are worded for people; other messages may hold anything. */
function textOf(error: unknown): string {
  if (error instanceof ApplicationFailure) return error.message;
  return `A step on our side failed (${error instanceof Error ? error.name : 'unknown'}).`;
}
