import type { Config } from '../config/config.js';
import { isUnavailable } from '../db/database.js';
import { AppError, unavailable } from '../domain/errors.js';
import { textsOf } from '../domain/problems/problem.js';
import { UnreadableSecret } from '../lib/app-keys.js';
import { loggableMessageOf } from '../lib/loggable-message.js';
import { errorPage } from './error-help.js';
import type { Reply } from './operation.js';

/** The message for a change with read-only credentials. */
export const READ_ONLY = 'These credentials are read-only: they can make GET requests alone.';

/** The published body of a failure. `fields` only with `validation_failed`. */
export function errorBody(error: AppError) {
  const { code, message, status, fields } = error;
  return { error: { code, message, status, ...(fields === undefined ? {} : { fields: textsOf(fields) }) } };
}

/** The failure answers of v2, and of paths outside any version. */
export function failureReplies(config: Pick<Config, 'docs'>): (error: AppError) => Reply {
  return (error) => ({
    status: error.status,
    json: errorBody(error),
    headers: { ...error.headers, ...helpHeader(config, error) },
  });
}

/** The header that names the page of the error's code, where pages are served. */
export function helpHeader({ docs }: Pick<Config, 'docs'>, { code }: AppError): Record<string, string> {
  return docs === 'none' ? {} : { Link: `<${errorPage(code)}>; rel="help"` };
}

/**
 * Any thrown value as a publishable failure. A lost database is `service_unavailable`, a path that cannot be decoded is
 * `not_found`, an unexpected error is `internal_error`; none shows its cause.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof URIError) return unknownRoute(error);
  if (isUnavailable(error)) {
    return unavailable('The service is temporarily unavailable. Try again shortly.', { cause: error });
  }
  if (error instanceof UnreadableSecret) {
    // Another process may have the key.
    return unavailable('The service lacks a key for this. Its operator has to add it.', { cause: error });
  }
  return new AppError('internal_error', 'The server failed to handle the request.', { cause: error });
}

/** 404 for a route that does not exist. */
export function unknownRoute(cause?: unknown): AppError {
  return new AppError('not_found', 'The requested route was not found.', { cause });
}

/** 405 with the methods that the path has. */
export function methodNotAllowed(allowed: readonly string[]): AppError {
  const headers = { Allow: allowed.join(', ') };
  return new AppError('method_not_allowed', 'The method is not allowed on this route.', { headers });
}

/**
 * The loggable parts of an error: its name, code and origin, and its message if it is ours: a carrier's may quote the
 * data.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = 'code' in error ? error.code : undefined;
  const isOwn = error instanceof AppError && error.status >= 500;
  const message = isOwn ? error.message : loggableMessageOf(error);
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(message === null ? {} : { message }),
    at: frames.slice(0, 8).map((line) => line.trim()),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
