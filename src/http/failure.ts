import type { IncomingMessage } from 'node:http';
import { describeError, toAppError } from '../api/errors.js';
import type { HttpApp } from '../api/http-app.js';
import { AppError, Overloaded } from '../domain/errors.js';
import { factsOf } from './middleware/access-log.js';
import { ClientGone } from './raw-body.js';

/** The publishable failure of a thrown value, recorded for the access log; unexpected ones get a log line. */
export function noteFailure(app: Pick<HttpApp, 'log'>, req: IncomingMessage, thrown: unknown): AppError {
  const facts = factsOf(req);
  if (thrown instanceof ClientGone) {
    app.log.info({ requestId: facts.requestId, route: facts.route, errorCode: 'client_gone' }, 'gone');
    return new AppError('malformed_json', 'The body is not whole.');
  }
  const error = toAppError(thrown);
  facts.errorCode = error.code;
  if (error.status >= 500 && !(error instanceof Overloaded)) {
    app.log.error(
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
