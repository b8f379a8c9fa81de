import { CANCELLED_ITEM } from '../domain/batch.js';
import type { ErrorCode } from '../domain/errors.js';
import type { RefusalCode } from '../domain/events.js';

/** Every code that callers meet: in answers, in the items of batches and in the event `shipment.refused`. */
export type PublishedCode = ErrorCode | RefusalCode | (typeof CANCELLED_ITEM)['code'];

/**
 * Whether a program may repeat what was answered with a code, without a person.
 * - `same`: the same request, with the same key where it creates something, after `Retry-After` where the answer has it.
 * - `mended`: not before what the answer names is mended; the same key may be used.
 * - `never`: a repeat gets the same answer, or is another request.
 */
export type Repeat = 'same' | 'mended' | 'never';

/** The page of an error code. Texts are Markdown. */
export interface ErrorHelp {
  /** In a few words, in small letters, for the lists of the reference. */
  meaning: string;
  /** A message as callers get it. */
  message: string;
  /** When this is answered. */
  when: string;
  repeat: Repeat;
  /** Why a repeat is safe or not. */
  repeating: string;
  /** Steps of the mend, in order. */
  steps: readonly string[];
}

/** Why a repeated creation makes no second parcel. */
const ONE_PARCEL =
  'The `Idempotency-Key`, and without one the body itself, makes every repeat the same shipment, whether the first try came through or not.';
const NOTHING_DONE = 'Nothing was done.';
const MEND_IT = `${NOTHING_DONE} The same request gets the same answer until it is mended.`;

/** Help with every code, from which the reference and the pages below `/docs/errors` are made. */
export const ERROR_HELP: Readonly<Record<PublishedCode, ErrorHelp>> = {
  malformed_json: {
    meaning: 'the body is no JSON that can be kept',
    message: 'The request body is not valid JSON at position 12.',
    when: 'The body is empty, is not UTF-8, is no JSON, has a key named `__proto__`, is nested more than 32 levels deep, or holds a whole number beyond 2^53. The request line or the headers are not valid HTTP.',
    repeat: 'mended',
    repeating: MEND_IT,
    steps: [
      'Write the body with a JSON library, not by joining texts.',
      'Send long numbers, such as ids and phones, as texts.',
    ],
  },
  unauthenticated: {
    meaning: 'the credentials are missing or wrong',
    message: 'Invalid API client credentials.',
    when: 'One of the headers `X-Client-Id` and `X-Client-Secret` is missing, or the two are not a pair of an account, or the pair was revoked or has expired.',
    repeat: 'mended',
    repeating: `${MEND_IT} After 60 failures in a minute from one address further wrong tries are answered \`rate_limited\`; right credentials still get in.`,
    steps: [
      'Check that both headers are sent, without blanks or quotes around their values.',
      'Check with `GET /account` which account the pair is of.',
      'Make a new pair in the panel where the secret is lost: it is shown only once.',
    ],
  },
  forbidden: {
    meaning: 'the license is not yours, inactive or expired',
    message: 'The license is not available to this account.',
    when: 'The license of `license_key` is not of this account, is switched off or has expired, or the account has no usable license. Or the credentials are read-only and the request is no GET.',
    repeat: 'mended',
    repeating: MEND_IT,
    steps: [
      'List the licenses that you may use with `GET /licenses`.',
      'Use a pair of credentials that may write where the message says that these are read-only.',
    ],
  },
  not_found: {
    meaning: 'it does not exist, or is not yours',
    message: 'The requested resource was not found.',
    when: 'No route has this path, or the object does not exist, or is another account’s: the answer is the same for both.',
    repeat: 'never',
    repeating: `${NOTHING_DONE} A repeat gets the same answer.`,
    steps: [
      'Check the path: every route of v2 begins with `/api/v2`.',
      'Check that the id is a `uuid` where the route asks for one, and that the credentials are those of its account.',
    ],
  },
  creation_refused: {
    meaning: 'the creation, answered 202 before, ended without a parcel; the message says why',
    message: 'The carrier does not serve this address.',
    when: 'A creation was answered 202, and then the carrier refused it or an operator gave it up. No parcel exists. The message has the reason; the event `shipment.refused` had it too.',
    repeat: 'never',
    repeating:
      'The `GET` gets the same answer as long as refusals are kept. The key of the creation is free again.',
    steps: [
      'Mend what the message names.',
      'Create the shipment anew. The same `Idempotency-Key` may be used.',
    ],
  },
  method_not_allowed: {
    meaning: 'the path has no such method',
    message: 'The method is not allowed on this route.',
    when: 'The path exists, with other methods. The header `Allow` names them.',
    repeat: 'never',
    repeating: `${NOTHING_DONE} A repeat gets the same answer.`,
    steps: ['Use a method of `Allow`.', 'Check that no redirect has made a `GET` of a `POST` on the way.'],
  },
  request_timeout: {
    meaning: 'headers or body came too slowly',
    message: 'The request body came too slowly.',
    when: 'The headers were not there after 10 seconds, or the body came too slowly.',
    repeat: 'same',
    repeating: `${NOTHING_DONE} ${ONE_PARCEL}`,
    steps: ['Send the same request again.', 'Send large batches in smaller parts over a slow line.'],
  },
  idempotency_key_conflict: {
    meaning: 'the key was used with another body',
    message: 'The Idempotency-Key was already used with another request.',
    when: 'The `Idempotency-Key` stands for another request: another body, or another route. The message names the shipment of the first one where there is one.',
    repeat: 'never',
    repeating: `${NOTHING_DONE} The key keeps the first request’s answer; a repeat with it gets this answer again.`,
    steps: [
      'Look at the shipment that the message names: it is the parcel of this key.',
      'Send the first body again, unchanged, to get its answer. A date or a counter inside the body makes it another one.',
      'Choose a new key only if a further parcel is wanted.',
    ],
  },
  duplicate_request: {
    meaning: 'there is one already',
    message: 'There is one already.',
    when: 'The thing exists: an active shipment of the order and service type, a batch or an export under way, a template for the same event and language.',
    repeat: 'never',
    repeating: `${NOTHING_DONE} A repeat gets this answer as long as the first one is active.`,
    steps: [
      'Find the parcel with `GET /orders/{order}/shipments`: often it is the one that you want.',
      'Cancel it first if it is to be replaced.',
      'Switch `multiple_shipment` of the license on if orders go out in several parcels.',
    ],
  },
  shipment_not_cancellable: {
    meaning: 'it is too late to cancel',
    message: 'The shipment was delivered and cannot be cancelled.',
    when: 'The parcel was delivered, or is on its way and the carrier does not take it back, or the carrier refused; then the message has its words.',
    repeat: 'never',
    repeating:
      'Repeating is harmless: a shipment is cancelled once. It gets the same answer as long as the parcel is where it is.',
    steps: ['Ask the carrier.', 'Book a collection from the recipient if the parcel should come back.'],
  },
  payload_too_large: {
    meaning: 'the body is too large',
    message: 'The request body is larger than 1048576 bytes.',
    when: 'The body has more than 1 MiB, that of a batch more than 16 MiB.',
    repeat: 'mended',
    repeating: MEND_IT,
    steps: ['Send less, or a batch in several parts, each with a key of its own.'],
  },
  unsupported_media_type: {
    meaning: 'the body is not sent as JSON in UTF-8, or is coded',
    message: 'Send the body as Content-Type: application/json.',
    when: 'The body is not `application/json`, names another charset than UTF-8, or has a `Content-Encoding`.',
    repeat: 'mended',
    repeating: MEND_IT,
    steps: [
      'Send `Content-Type: application/json`, and the body in UTF-8.',
      'Send the body uncompressed where the answer has `Accept-Encoding: identity`.',
    ],
  },
  validation_failed: {
    meaning: '`fields` names what is wrong',
    message: 'The ship_data.contact_phone field is required.',
    when: 'A field is missing or breaks a rule: ours, or a limit of the carrier. `fields` names every wrong field at once by its path, such as `ship_data.contact_name`, with a message for each rule.',
    repeat: 'mended',
    repeating: `${MEND_IT} The \`Idempotency-Key\` stays free: the mended request may carry it.`,
    steps: [
      'Show each message beside its field.',
      'Correct the fields and send the request again.',
      'Send `license_key` where the account has several licenses.',
    ],
  },
  carrier_rejected: {
    meaning: 'the carrier refused; the message says why',
    message: 'The carrier does not serve this address.',
    when: 'The carrier looked at the data and refused them. The message has its words, often in Hebrew.',
    repeat: 'mended',
    repeating:
      'No parcel was booked, and the `Idempotency-Key` is free again. The same request is asked of the carrier anew, and mostly refused anew.',
    steps: [
      'Show the message to whoever sends the parcel.',
      'Correct what it names, mostly town, street or phone, and send the request again.',
      'Ask the carrier where it names the account or its limits.',
    ],
  },
  not_supported: {
    meaning: 'the carrier has no such feature',
    message: 'The carrier has no such feature.',
    when: 'The carrier of the license cannot do this: it has no pickup points, or no such service.',
    repeat: 'never',
    repeating: `${NOTHING_DONE} A repeat gets the same answer.`,
    steps: ['Use a license of another carrier.', '`GET /licenses` names the carrier of each.'],
  },
  rate_limited: {
    meaning: 'too many requests; wait for `Retry-After`',
    message: 'Too many requests. Try again later.',
    when: 'The account, or without credentials the address, has sent too many requests or too many bytes in this minute. `X-RateLimit-Limit` and its like say how many there are.',
    repeat: 'same',
    repeating: `${NOTHING_DONE} Send the same request, with the same key, after \`Retry-After\` seconds.`,
    steps: [
      'Wait for `Retry-After` seconds.',
      'Send many parcels as a batch, and be told by webhooks instead of asking.',
    ],
  },
  headers_too_large: {
    meaning: 'the headers are too large',
    message: 'The headers of the request are too large.',
    when: 'All headers together have more than 16 KiB.',
    repeat: 'mended',
    repeating: MEND_IT,
    steps: ['Send fewer or shorter headers: mostly cookies that belong to another program.'],
  },
  internal_error: {
    meaning: 'a fault of the service',
    message: 'The server failed to handle the request.',
    when: 'Something failed that should not. The service has logged it under the `X-Request-Id` of the answer.',
    repeat: 'same',
    repeating: `The outcome is unknown. ${ONE_PARCEL}`,
    steps: [
      'Send the same request with the same key again, after a growing pause.',
      'Tell the operator the `X-Request-Id` if it stays.',
    ],
  },
  service_unavailable: {
    meaning: 'try again after `Retry-After`',
    message: 'The service is temporarily unavailable. Try again shortly.',
    when: 'The service is busy, is being restarted, or cannot reach its database, its engine or, where it has to be asked at once, the carrier.',
    repeat: 'same',
    repeating: `The outcome may be unknown. ${ONE_PARCEL}`,
    steps: [
      'Send the same request with the same key again after `Retry-After` seconds.',
      'Go on until the answer is below 500.',
    ],
  },
  cancelled: {
    meaning: 'the batch was cancelled before this item began',
    message: CANCELLED_ITEM.message,
    when: 'An item of a batch has this code when the batch was cancelled before the item began. No parcel was booked for it.',
    repeat: 'mended',
    repeating: 'No parcel was booked. The item can be sent again.',
    steps: [
      'Retry the failed items with `POST /batches/{uuid}/retry`.',
      'Or send the shipments that are still wanted anew, alone or in a new batch.',
    ],
  },
  given_up: {
    meaning: 'an operator gave the creation up',
    message: 'Ordered twice.',
    when: 'The event `shipment.refused` has this code when nobody could tell whether the carrier has the parcel, and an operator decided that it has not. The message has the reason that the operator wrote.',
    repeat: 'mended',
    repeating:
      'No parcel counts for the order, and the key is free again. Ask before you create it anew: the operator has looked at it.',
    steps: ['Read the reason in the message.', 'Create the shipment anew if it is still wanted.'],
  },
};

/** The page of a code, from the root of the service. */
export function errorPage(code: PublishedCode): string {
  return `/docs/errors/${code}`;
}
