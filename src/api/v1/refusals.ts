import type { AppError, FieldErrors } from '../../domain/errors.js';
import { shortened } from '../../lib/text.js';
import type { Reply } from '../operation.js';
import type { Messages } from './messages/messages.js';
import { appFailure, bare, failed, Refusal } from './reply.js';
import { firstOf, summaryOf } from './validate.js';

/** The parts of a request that decide the format of a validation failure. */
interface Asking {
  wantsJson: boolean;
  headerValues(name: string): readonly string[];
}

/** A validation failure in the framework's shape; a redirect back if the caller did not ask for JSON. */
export function refuseFields(errors: FieldErrors, asking: Asking, say: Messages): Refusal {
  if (asking.wantsJson) return new Refusal(bare(422, { message: summaryOf(errors, say), errors }));
  return new Refusal({ status: 302, headers: { Location: backTo(asking) } });
}

/** A validation failure in the recipient app's shape. */
export function refuseAppFields(errors: FieldErrors): Refusal {
  return new Refusal(appFailure(422, firstOf(errors), errors));
}

/** A key as sent, shortened if it is longer than any record's. */
export function shownKey(key: string): string {
  return shortened(key, 255);
}

/** 404 for a missing record: `model` by the framework's name, `key` as the caller sent it. */
export function modelNotFound(model: string, key: string): Refusal {
  const none = `No query results for model [${model}]`;
  const message = key === '' ? none : `${none} ${shownKey(key)}`;
  return new Refusal(bare(404, { message }));
}

/** 404 for a path that no route has. `path`: without a leading slash. */
export function routeNotFound(path: string, say: Messages): Reply {
  return bare(404, { message: say.routeNotFound(path) });
}

/** 405 with the methods that the path has: `GET, HEAD`. */
export function methodNotAllowed(method: string, path: string, allowed: string, say: Messages): Reply {
  const message = say.methodNotAllowed(method, path, allowed);
  return { ...bare(405, { message }), headers: { Allow: allowed } };
}

/** A failure from code that both APIs share, in the words of v1. */
export function replyToError(error: AppError, say: Messages): Reply {
  switch (error.code) {
    case 'rate_limited':
      return { ...bare(429, { message: say.tooManyAttempts }), headers: error.headers };
    case 'service_unavailable':
      return { ...bare(503, { message: say.serviceUnavailable }), headers: error.headers };
    case 'payload_too_large':
      return bare(413, { message: say.payloadTooLarge });
    case 'internal_error':
      return bare(500, { message: say.serverError });
    case 'carrier_rejected':
      return failed(500, error.message);
    case 'not_supported':
      return failed(400, say.notSupportedForProvider);
    default:
      return bare(error.status, { message: error.message });
  }
}

function backTo({ headerValues }: Asking): string {
  const [referer = ''] = headerValues('referer');
  const isUsable = /^https?:\/\/[\x21-\x7e]+$/i.test(referer) && URL.canParse(referer);
  return isUsable ? referer : '/';
}
