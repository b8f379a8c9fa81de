import { setTimeout as delay } from 'node:timers/promises';
import { type Client, isGrpcServiceError, WorkflowFailedError } from '@temporalio/client';
import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/common';
import { isUnreadable } from './payload-codec.js';

// SQLite's driver in the development server can stay interrupted if a call is cancelled as its run ends.
const LINGER_MS = 2000;
const LOOK_EVERY_MS = 2000;

/** How a run ended within the wait. `ended`: from outside, so its work may or may not be done. */
export type RunOutcome<R> =
  | { kind: 'completed'; result: R }
  | { kind: 'failed'; type: string; message: string; details: unknown }
  | { kind: 'ended' }
  | { kind: 'running'; cause?: Error };

/** Failure type of a run or activity that timed out. */
const RUN_TIMED_OUT = 'TimedOut';

/**
 * Waits for a run's end. `running`: time is up, `endsEarly` said so, `wait.stopping` was aborted, or, with a
 * `cause`, the engine became unavailable or this process lacks the key of the result; the run continues.
 * `wait.sooner` may return the result before the run ends. The call is cancelled instead of having a deadline: a
 * server ends a long poll a second before it, and the client would poll again and again.
 */
export async function waitForRun<R>(
  client: Client,
  handle: { result(): Promise<R> },
  wait: {
    timeoutMs: number;
    stopping?: AbortSignal | undefined;
    sooner?: ((signal: AbortSignal) => Promise<R>) | undefined;
  },
  endsEarly?: () => Promise<boolean>,
): Promise<RunOutcome<R>> {
  const over = new AbortController();
  const asking = new AbortController();
  const { timeoutMs, stopping, sooner } = wait;
  const outcome = client.withAbortSignal(asking.signal, () => outcomeOf(handle));
  try {
    const ends: Promise<RunOutcome<R>>[] = [outcome, waited(over.signal, timeoutMs, endsEarly)];
    if (stopping !== undefined) ends.push(stopped(stopping, over.signal));
    if (sooner !== undefined)
      ends.push(sooner(over.signal).then((result) => ({ kind: 'completed', result })));
    return await Promise.race(ends);
  } finally {
    over.abort();
    setTimeout(() => asking.abort(), LINGER_MS).unref();
  }
}

async function waited(
  signal: AbortSignal,
  timeoutMs: number,
  endsEarly: () => Promise<boolean> = async () => false,
): Promise<{ kind: 'running' }> {
  // A monotonic clock: the machine's may be set back.
  const until = performance.now() + timeoutMs;
  do {
    await delay(Math.min(LOOK_EVERY_MS, until - performance.now()), undefined, { signal });
  } while (performance.now() < until && !(await endsEarly()));
  return { kind: 'running' };
}

/** Resolves when the process stops; `signal` removes the listener. */
function stopped(stopping: AbortSignal, signal: AbortSignal): Promise<{ kind: 'running' }> {
  return new Promise((resolve) => {
    const end = () => resolve({ kind: 'running' });
    if (stopping.aborted) end();
    else stopping.addEventListener('abort', end, { once: true, signal });
  });
}

async function outcomeOf<R>(handle: { result(): Promise<R> }): Promise<RunOutcome<R>> {
  try {
    return { kind: 'completed', result: await handle.result() };
  } catch (error) {
    if (isEngineTrouble(error) || isUnreadable(error)) return { kind: 'running', cause: error };
    if (!(error instanceof WorkflowFailedError)) throw error;
    const { cause } = error;
    if (cause instanceof TerminatedFailure || cause instanceof CancelledFailure) return { kind: 'ended' };
    if (isTimeout(cause)) {
      return { kind: 'failed', type: RUN_TIMED_OUT, message: 'The run timed out.', details: undefined };
    }
    if (!(cause instanceof ApplicationFailure)) throw error;
    return { kind: 'failed', type: cause.type ?? '', message: cause.message, details: cause.details?.[0] };
  }
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof TimeoutFailure || (cause instanceof ActivityFailure && isTimeout(cause.cause));
}

export const GRPC = {
  cancelled: 1,
  invalidArgument: 3,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  failedPrecondition: 9,
  outOfRange: 11,
  unimplemented: 12,
  unauthenticated: 16,
} as const;

/** Codes that concern the call and repeat with it. The others concern the engine's state or our access to it. */
const CODES_OF_CALLS: ReadonlySet<number> = new Set([
  GRPC.invalidArgument,
  GRPC.notFound,
  GRPC.alreadyExists,
  GRPC.outOfRange,
  GRPC.unimplemented,
]);

/** Whether the engine was unreachable or late. The client wraps gRPC errors, so causes are checked too. */
export function isEngineTrouble(error: unknown): error is Error {
  if (isGrpcServiceError(error)) return !CODES_OF_CALLS.has(error.code);
  return error instanceof Error && error.cause !== undefined && isEngineTrouble(error.cause);
}
