import type { IncomingMessage } from 'node:http';
import type { HttpDeps } from '../api/deps.js';
import { describeError, toAppError } from '../api/errors.js';
import { AppError, Overloaded } from '../domain/errors.js';
import { factsOf } from './middleware/access-log.js';
import { ClientGone } from './raw-body.js';

/** A thrown value as a publishable failure, noted for the access log; what nobody expected is logged by itself. */
export function noteFailure(deps: Pick<HttpDeps, 'log'>, req: IncomingMessage, thrown: unknown): AppError {
  const facts = factsOf(req);
  if (thrown instanceof ClientGone) {
    deps.log.info({ requestId: facts.requestId, route: facts.route, errorCode: 'client_gone' }, 'gone');
    return new AppError('malformed_json', 'The body is not whole.');
  }
  const error = toAppError(thrown);
  facts.errorCode = error.code;
  if (error.status >= 500 && !(error instanceof Overloaded)) {
    deps.log.error(
      {
        requestId: facts.requestId,
        route: facts.route,
        error: describeError(thrown),
      },
      'failed',
    );
  }
  return error;
}
