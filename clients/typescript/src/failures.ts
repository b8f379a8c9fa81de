import type { RawAnswer } from './answer.js';
import { ApiError, ConnectionError, type ParcelworksError } from './errors.js';
import type { Operation } from './options.js';
import { isUnsent } from './unsent.js';
import { pauseMs, retryAfterMs } from './waits.js';

/** A try without an answer that could be read to its end. */
export class Unanswered {
  constructor(readonly error: unknown) {}
}

/** The meaning of a failed try. */
interface Failure {
  error: ParcelworksError;
  /** Until another try; undefined where none would help. */
  waitMs: number | undefined;
  /** Whether it may have been carried out; undefined where this try says nothing of those before it. */
  leavesOpen: boolean | undefined;
}

/** The service says so before it does anything. */
const NOTHING_DONE: ReadonlySet<number> = new Set([408, 429]);
/** Given before the service looks at the key: they do not tell what became of an earlier try. */
const BEFORE_THE_KEY: ReadonlySet<number> = new Set([401, 403, ...NOTHING_DONE]);

/** Decides about a try. No 409 is tried again: a repeat joins a creation that still runs, and is answered 202. */
export function failureOf(
  tried: RawAnswer | Unanswered,
  sent: { key: string | undefined; requestId: string; tries: number },
  repeat: Operation['repeat'],
): Failure {
  const isRepeatable = repeat !== 'never';
  const jitterMs = pauseMs(sent.tries);
  // A page of a proxy, or half of a body, with a status of success is no answer either.
  if (tried instanceof Unanswered || tried.status < 300) {
    const cause = tried instanceof Unanswered ? tried.error : undefined;
    const nothingSent = isUnsent(cause);
    const isSafeToRepeat = isRepeatable || nothingSent;
    const error = new ConnectionError({ ...sent, isSafeToRepeat }, cause);
    const waitMs = isSafeToRepeat ? jitterMs : undefined;
    return { error, waitMs, leavesOpen: nothingSent ? undefined : true };
  }
  const { status, headers } = tried;
  const isPassing = NOTHING_DONE.has(status) || (status >= 500 && isRepeatable);
  const askedMs = retryAfterMs(headers);
  const error = new ApiError(tried, { ...sent, isSafeToRepeat: isRepeatable || status < 500 }, askedMs);
  const isVerdict = error.code !== 'unreadable' && !BEFORE_THE_KEY.has(status);
  return {
    error,
    waitMs: isPassing ? (askedMs ?? 0) + jitterMs : undefined,
    leavesOpen: status >= 500 ? true : isVerdict ? false : undefined,
  };
}
