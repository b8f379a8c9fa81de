import type { Answer, RawAnswer } from './answer.js';
import type { ErrorCode } from './generated/types.js';

/** The request of a call that failed. */
export interface Failed {
  /** The Idempotency-Key of a creation: the same call with it cannot make a second parcel. */
  key: string | undefined;
  /** By this the service's operator finds the request. */
  requestId: string;
  tries: number;
  /** Whether the same call, with {@link key}, may be sent again without doing anything twice. */
  isSafeToRepeat: boolean;
}

/** Any failure of a call. */
export abstract class ParcelworksError extends Error implements Failed {
  readonly key: string | undefined;
  readonly requestId: string;
  readonly tries: number;
  readonly isSafeToRepeat: boolean;

  constructor(message: string, failed: Failed, cause?: unknown) {
    super(message, { cause });
    this.key = failed.key;
    this.requestId = failed.requestId;
    this.tries = failed.tries;
    this.isSafeToRepeat = failed.isSafeToRepeat;
  }
}

/** The service refused, or could not do it. */
export class ApiError extends ParcelworksError {
  override readonly name = 'ApiError';
  readonly status: number;
  /** `unreadable` where the answer is none of the API's, such as a page of a proxy. */
  readonly code: ErrorCode | 'unreadable' | (string & {});
  /** With `validation_failed`: the path of each wrong field, and what is wrong. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | undefined;
  readonly raw: RawAnswer;

  constructor(raw: RawAnswer, failed: Failed, retryAfterMs: number | undefined) {
    const told = errorIn(raw.json);
    super(told?.message ?? foreign(raw), failed);
    this.status = raw.status;
    this.code = told?.code ?? 'unreadable';
    this.fields = told?.fields ?? {};
    this.retryAfterMs = retryAfterMs;
    this.raw = raw;
  }
}

/** No answer that could be read: to a read, to a change that has no key, or to a creation of which no byte left. */
export class ConnectionError extends ParcelworksError {
  override readonly name = 'ConnectionError';

  constructor(failed: Failed, cause: unknown) {
    // `fetch` says why in the cause of what it throws.
    const inner = cause instanceof Error && cause.cause instanceof Error ? ` (${cause.cause.message})` : '';
    const reason =
      cause instanceof Error
        ? `${cause.message}${inner}`
        : "the answer is none of the API's. Is baseUrl right?";
    super(`No answer that could be read: ${reason}`, failed, cause);
  }
}

/** Options of {@link UnknownOutcomeError.resolve}. */
export interface ResolveOptions {
  signal?: AbortSignal | undefined;
  /** After this it throws the error again. Default: until it is known. */
  timeoutMs?: number | undefined;
}

/** Nobody told whether a creation happened: it may have. Never answer it with another key. */
export class UnknownOutcomeError extends ParcelworksError {
  override readonly name = 'UnknownOutcomeError';
  /**
   * Asks by the key until the outcome is known: returns the answer, or throws the ApiError that refused it. A creation
   * that had not arrived is made by it, once.
   */
  readonly resolve: (options?: ResolveOptions) => Promise<Answer<unknown>>;

  constructor(error: ParcelworksError, resolve: UnknownOutcomeError['resolve']) {
    super(
      `It is not known whether the creation with the key ${error.key} happened. ${error.message}`,
      error,
      error,
    );
    this.resolve = resolve;
  }
}

function foreign({ status, headers }: RawAnswer): string {
  const location = headers.get('location');
  const isRedirect = status >= 300 && status < 400 && location !== null;
  const what = isRedirect ? `leads to ${location}, and redirects are not followed` : "is none of the API's";
  return `The answer ${status} ${what}. Is baseUrl right?`;
}

interface Told {
  code: string;
  message: string;
  fields?: Record<string, string[]>;
}

function errorIn(json: unknown): Told | undefined {
  const error = typeof json === 'object' && json !== null && 'error' in json ? json.error : undefined;
  return isTold(error) ? error : undefined;
}

function isTold(error: unknown): error is Told {
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}
