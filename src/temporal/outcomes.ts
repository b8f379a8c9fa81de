import type { Client, Workflow, WorkflowResultType } from '@temporalio/client';
import {
  isGrpcDeadlineError,
  isGrpcServiceError,
  WorkflowFailedError,
  type WorkflowHandle,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';

/** How a run ended, as far as the wait went. */
export type RunOutcome<R> =
  | { kind: 'completed'; result: R }
  | { kind: 'failed'; type: string; message: string; details: unknown }
  | { kind: 'running' };

/** Waits for a run's end. `running`: the time is over, or the engine went away; the run goes on by itself. */
export async function waitForRun<W extends Workflow>(
  client: Client,
  handle: WorkflowHandle<W>,
  timeoutMs: number,
): Promise<RunOutcome<WorkflowResultType<W>>> {
  try {
    const result = await client.withDeadline(Date.now() + timeoutMs, () => handle.result());
    return { kind: 'completed', result };
  } catch (error) {
    if (isGrpcDeadlineError(error) || isGrpcServiceError(error)) return { kind: 'running' };
    if (!(error instanceof WorkflowFailedError)) throw error;
    const { cause } = error;
    if (!(cause instanceof ApplicationFailure)) throw error;
    return { kind: 'failed', type: cause.type ?? '', message: cause.message, details: cause.details?.[0] };
  }
}

/** Whether the engine could not be reached. */
export function isEngineTrouble(error: unknown): boolean {
  return isGrpcDeadlineError(error) || isGrpcServiceError(error);
}
