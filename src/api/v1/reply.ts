import type { AppError } from '../../domain/errors.js';
import { isObject } from '../../lib/json.js';
import { shortened } from '../../lib/text.js';
import type { Reply } from '../operation.js';
import type { Messages } from './messages/messages.js';
import { type FieldTexts, summaryOf } from './validate.js';

/** An answer thrown to end the request. */
export class Refusal extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(`refused with ${reply.status}`);
    this.name = 'Refusal';
    this.reply = reply;
  }
}

/** 200 in the one envelope of the shipping group, and of the recipient app's successes. */
export function succeeded(data: unknown, message = '', warning = ''): Reply {
  return { status: 200, json: { data, message, success: true, warning } };
}

/** A failure in the envelope; its `data` is an empty array, or the carrier's answer. */
export function failed(status: number, message: string, data: unknown = []): Reply {
  return { status, json: { data, message, success: false, warning: '' } };
}

/** A body without envelope. */
export function bare(status: number, json: unknown): Reply {
  return { status, json };
}

/** The failure body of the recipient app. */
export function appFailure(
  status: number,
  message: string,
  errors: Readonly<Record<string, readonly string[]>> = {},
): Reply {
  const isEmpty = Object.keys(errors).length === 0;
  return { status, json: { errors: isEmpty ? [] : errors, message, success: false } };
}

/**
 * The shipping group's normalisation: a `code` directly in an envelope's `data` becomes a text. Deeper ones, and those
 * of bodies without envelope, stay unchanged.
 */
export function normalised(reply: Reply): Reply {
  const { json } = reply;
  if (!isObject(json) || !isObject(json.data) || !Object.hasOwn(json.data, 'code')) return reply;
  const { code } = json.data;
  const text = typeof code === 'object' && code !== null ? JSON.stringify(code) : String(code ?? '');
  return { ...reply, json: { ...json, data: { ...json.data, code: text } } };
}

/** The parts of a request that decide the format of a validation failure. */
interface Asking {
  wantsJson: boolean;
  headerValues(name: string): readonly string[];
}

/** A validation failure in the framework's shape; a redirect back if the caller did not ask for JSON. */
export function refuseFields(errors: FieldTexts, asking: Asking, say: Messages): Refusal {
  if (asking.wantsJson) return new Refusal(bare(422, { message: summaryOf(errors, say), errors }));
  return new Refusal({ status: 302, headers: { Location: backTo(asking) } });
}

/** A validation failure in the recipient app's shape. */
export function refuseAppFields(errors: FieldTexts): Refusal {
  return new Refusal(appFailure(422, Object.values(errors)[0]?.[0] ?? '', errors));
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
