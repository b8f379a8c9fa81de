import { type TSchema, Type } from 'typebox';
import type { ResponseSpec, Responses } from '../operation.js';

/** `{ message }`: the answers of the old service's framework itself. */
const message = Type.String({ description: 'What went wrong, in the language of the server.' });
export const PlainMessage = Type.Object({ message }, { additionalProperties: false });

/** Field → messages. */
const fieldMessages = Type.Unsafe<Record<string, string[]>>({
  type: 'object',
  description: 'Each field that is wrong, with its messages.',
  additionalProperties: { type: 'array', items: { type: 'string' } },
});

/** A validation failure outside the envelope. */
const ValidationFailure = Type.Object(
  {
    message: Type.String({ description: 'The first message, and how many more there are.' }),
    errors: fieldMessages,
  },
  { additionalProperties: false },
);

/** A failure of the recipient app. `errors` is an empty array if no field is wrong. */
const AppFailure = Type.Object(
  {
    errors: Type.Union([fieldMessages, Type.Array(Type.Never(), { maxItems: 0 })], {
      description: 'Each field that is wrong, with its messages; an empty array where none is to blame.',
    }),
    message,
    success: Type.Literal(false, { description: 'Always false.' }),
  },
  { additionalProperties: false },
);

/** A failure in the envelope. */
export const FailureEnvelope = envelopeOf(
  Type.Unknown({ description: "An empty array; the carrier's own body where one came." }),
);

/** The envelope with its payload. */
export function envelopeOf<T extends TSchema>(data: T) {
  return Type.Object(
    {
      data,
      message: Type.String({ description: 'What went wrong; empty after a success.' }),
      success: Type.Boolean({ description: 'The outcome, whatever the HTTP status is.' }),
      warning: Type.String({ description: 'What the caller should know of a success; else empty.' }),
    },
    { additionalProperties: false },
  );
}

/** A success in the envelope. `data`: an example of the payload. */
export function success(description: string, payload: TSchema, data?: unknown): ResponseSpec {
  const example = { data, message: '', success: true, warning: '' };
  return { description, schema: envelopeOf(payload), ...(data === undefined ? {} : { example }) };
}

/** A failure in the envelope, with an example of its message and of the carrier's body. */
export function failure(description: string, message: string, data: unknown = []): ResponseSpec {
  const example = { data, message, success: false, warning: '' };
  return { description, schema: FailureEnvelope, example };
}

/** A failure without envelope, with an example of its message. */
export function plain(description: string, message: string): ResponseSpec {
  return { description, schema: PlainMessage, example: { message } };
}

/** The possible answers of every route. */
const COMMON: Responses = {
  413: plain('The body is larger than 1 MiB.', 'The request body is too large.'),
  429: plain(
    'More requests in a minute than are allowed; `Retry-After` says when to go on.',
    'Too Many Attempts.',
  ),
  500: plain('A failure of the server.', 'Server Error'),
  503: plain('The service is unavailable now; `Retry-After` says when to ask again.', 'Service Unavailable'),
};

const VALIDATION: Responses = {
  302: { description: 'A validation failure where `Accept` names no JSON: to the `Referer`, or to `/`.' },
  422: {
    description: 'A field is missing or wrong.',
    schema: ValidationFailure,
    example: {
      message: 'The license key field is required.',
      errors: { license_key: ['The license key field is required.'] },
    },
  },
};

const APP: Responses = {
  422: {
    description: 'A field is missing or wrong.',
    schema: AppFailure,
    example: {
      errors: { device_name: ['The device name field is required.'] },
      message: 'The device name field is required.',
      success: false,
    },
  },
  500: {
    description: 'The secret is wrong, the recipient is unknown, or the server failed.',
    schema: Type.Union([AppFailure, PlainMessage]),
    example: { errors: [], message: 'Invalid Secret Key', success: false },
  },
};

/** The possible answers of a route's guard. */
export const GUARD_RESPONSES = {
  none: { ...COMMON, ...VALIDATION },
  license: {
    ...COMMON,
    ...VALIDATION,
    403: failure(
      'The license cannot be used, or its company is for premium members only.',
      'Invalid License Key',
    ),
    500: {
      description: "A failure of the server, or the carrier's refusal in the envelope.",
      schema: Type.Union([PlainMessage, FailureEnvelope]),
      example: { message: 'Server Error' },
    },
  },
  user: { ...COMMON, ...VALIDATION, 401: plain("No token of a merchant's user.", 'Unauthenticated.') },
  app: { ...COMMON, ...APP },
  recipient: {
    ...COMMON,
    ...APP,
    401: plain('No token of a recipient.', 'Unauthenticated.'),
  },
} satisfies Record<string, Responses>;
