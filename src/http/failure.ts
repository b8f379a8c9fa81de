import type { IncomingMessage } from 'node:http';
import type { HttpDeps } from '../api/deps.js';
import { describeError, toAppError } from '../api/errors.js';
import type { AppError } from '../domain/errors.js';
import { factsOf } from './middleware/access-log.js';

/** A thrown value as a publishable failure, noted for the access log; what nobody expected is logged by itself. */
export function noteFailure(deps: Pick<HttpDeps, 'log'>, req: IncomingMessage, thrown: unknown): AppError {
  const error = toAppError(thrown);
  const facts = factsOf(req);
  facts.errorCode = error.code;
  if (error.status >= 500) {
    deps.log.error(
      { requestId: facts.requestId, route: facts.route, error: describeError(thrown) },
      'failed',
    );
  }
  return error;
}
