import { type FieldErrors, type Problem, problem, quoted } from './problems/problem.js';
import { keyConflictMessage } from './shipment.js';

/** Error codes of the v2 API, each with its HTTP status. */
export const ERROR_STATUS = {
  malformed_json: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  creation_refused: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_key_conflict: 409,
  duplicate_request: 409,
  shipment_not_cancellable: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  carrier_rejected: 422,
  not_supported: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  service_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Codes of errors that a person may read in the panel: their words are of the catalogue, or quoted. */
type ToldCode =
  | 'forbidden'
  | 'creation_refused'
  | 'duplicate_request'
  | 'idempotency_key_conflict'
  | 'shipment_not_cancellable'
  | 'validation_failed'
  | 'carrier_rejected'
  | 'not_supported';

/** Maximum fields in an error response. */
export const MAX_FIELDS = 100;

interface AppErrorOptions {
  fields?: FieldErrors;
  /** Response headers, such as `Allow` or `Retry-After`. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/** Tells clients when to retry during an outage. */
const COME_BACK = { 'Retry-After': '5' };

/** An error for the caller. `message` is published: no stack, SQL, host name, personal data or secret. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** The rule behind {@link message}. */
  readonly problem: Problem;
  readonly fields: FieldErrors | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: Problem, options?: AppErrorOptions);
  constructor(code: Exclude<ErrorCode, ToldCode>, message: string, options?: AppErrorOptions);
  constructor(code: ErrorCode, message: string | Problem, options: AppErrorOptions = {}) {
    const problem = typeof message === 'string' ? quoted(message) : message;
    super(problem.text, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.problem = problem;
    this.fields = options.fields;
    this.headers = { ...(code === 'service_unavailable' ? COME_BACK : {}), ...options.headers };
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** A configuration problem that keeps the process from starting. Only the message, one line, is shown. */
export class StartError extends Error {}

/** The process is at capacity (`service_unavailable`). Nothing failed, so it is not logged as an error. */
export class Overloaded extends AppError {
  constructor() {
    super('service_unavailable', 'The service is busy. Try again shortly.');
  }
}

/**
 * A `validation_failed` error for at most {@link MAX_FIELDS} fields. Its message is the first field's, with the
 * number of others.
 */
export function validationError(fields: FieldErrors): AppError {
  const named = Object.entries(fields).slice(0, MAX_FIELDS);
  const [first = quoted('The request is invalid.'), ...others] = Object.values(fields).flat();
  const more =
    others.length === 0 ? '' : ` (and ${others.length} more error${others.length === 1 ? '' : 's'})`;
  return new AppError('validation_failed', quoted(`${first.text}${more}`), {
    fields: Object.fromEntries(named),
  });
}

/** An `idempotency_key_conflict` error. `shipmentUuid`: of the creation that has the key, if known. */
export function keyConflict(shipmentUuid?: string): AppError {
  const text = keyConflictMessage(shipmentUuid);
  return new AppError('idempotency_key_conflict', problem('key_conflict', { text }));
}

/** A `service_unavailable` error. `retryAfterSeconds` replaces the default. */
export function unavailable(
  message: string,
  { retryAfterSeconds, cause }: { retryAfterSeconds?: number; cause?: unknown } = {},
): AppError {
  const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  return new AppError('service_unavailable', message, { headers, cause });
}

/** The same error for a missing resource and for another account's. */
export function notFound(what = 'resource'): AppError {
  return new AppError('not_found', `The requested ${what} was not found.`);
}
