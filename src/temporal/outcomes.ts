import {
  type Client,
  isGrpcDeadlineError,
  isGrpcServiceError,
  ServiceError,
  WorkflowFailedError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';

/** How a run ended, as far as the wait went. */
export type RunOutcome<R> =
  | { kind: 'completed'; result: R }
  | { kind: 'failed'; type: string; message: string; details: unknown }
  | { kind: 'running' };

/** Waits for a run's end. `running`: the time is over, or the engine went away; the run goes on by itself. */
export async function waitForRun<R>(
  client: Client,
  handle: { result(): Promise<R> },
  timeoutMs: number,
): Promise<RunOutcome<R>> {
  try {
    const result = await client.withDeadline(Date.now() + timeoutMs, () => handle.result());
    return { kind: 'completed', result };
  } catch (error) {
    if (isEngineTrouble(error)) return { kind: 'running' };
    if (!(error instanceof WorkflowFailedError)) throw error;
    const { cause } = error;
    if (!(cause instanceof ApplicationFailure)) throw error;
    return { kind: 'failed', type: cause.type ?? '', message: cause.message, details: cause.details?.[0] };
  }
}

/**
 * Whether the engine could not be reached or did not answer in time. The client wraps what gRPC said, once or
 * twice by the call, so the causes are looked at too.
 */
export function isEngineTrouble(error: unknown): boolean {
  if (error instanceof ServiceError || isGrpcDeadlineError(error) || isGrpcServiceError(error)) return true;
  return error instanceof Error && error.cause !== undefined && isEngineTrouble(error.cause);
}
