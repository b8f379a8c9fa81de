/** Text at the head of the document. */
export const INTRODUCTION = `Creates, follows and cancels parcel shipments with carriers.

- **Credentials**: \`X-Client-Id\` and \`X-Client-Secret\` with every request.
- **License**: \`license_key\` chooses the carrier account. It may be omitted where the account has exactly one usable
  license, and on the lists of shipments, orders and batches, which then span all of them.
- **Answers**: \`{ data }\`, or \`{ error: { code, message, status } }\`; the HTTP status decides. Timestamps are ISO
  8601 in UTC with microseconds.
- **Queries**: a parameter without a value (\`filter[status]=\`) counts as absent.
- **Repeating**: send an \`Idempotency-Key\` with what creates, and the same request with the same key until the answer
  is below 500. It makes one shipment.
- **Errors**: each code has [a page](/docs/errors), which the header \`Link\` of the answer names with \`rel="help"\`.
- **Limits**: 1 MiB a body, 600 requests a minute; all are in the guide [Limits](/docs/guides/limits).`;

/**
 * The tag of what is sent to receivers. With that of the routes, openapi-generator writes the class of the events over
 * that of the operations.
 */
export const EVENTS_TAG = 'Webhook events';

/** Groups of operations. */
export const TAGS = [
  { name: 'Service', description: 'The API itself.' },
  { name: 'Account', description: 'The merchant account and its licenses.' },
  { name: 'Shipments', description: 'Create, list, follow and cancel shipments.' },
  { name: 'Labels', description: 'Print what goes on the parcels.' },
  { name: 'Orders', description: "The store's orders, as they came with shipments." },
  { name: 'Batches', description: 'Create shipments in bulk.' },
  { name: 'Pickup points', description: 'Places where recipients fetch parcels.' },
  { name: 'Tracking', description: 'Where a parcel is, by its tracking code.' },
  { name: 'Notifications', description: 'Mails to the recipients of shipments.' },
  { name: 'Exports', description: 'Shipments as a file, by e-mail.' },
  { name: 'Webhooks', description: 'Events sent to your URLs, signed, with a log of what was answered.' },
  { name: EVENTS_TAG, description: 'What is sent to your URLs.' },
  { name: 'Reference', description: 'Lists of values.' },
];

/** The one failure body. */
export const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      description: 'What went wrong.',
      required: ['code', 'message', 'status'],
      properties: {
        code: { type: 'string', description: 'The kind of failure; programs branch on it.' },
        message: { type: 'string', description: 'The same in words, for people.' },
        status: { type: 'integer', description: 'The HTTP status of the answer.' },
        fields: {
          type: 'object',
          description: 'With `validation_failed`: JSON path of the input to its messages.',
          additionalProperties: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
};

const text = (description: string) => ({ description, schema: { type: 'string' } });
const integer = (description: string) => ({ description, schema: { type: 'integer' } });

/** Response headers. */
export const headerComponents = {
  'X-Request-Id': text("The caller's request id, or a new one."),
  ETag: text('Weak tag of the body.'),
  Link: text('`rel="help"`: the page of the error code, where the service shows its documentation.'),
  Location: text('Address of what was created.'),
  'Retry-After': integer('Seconds to wait.'),
  'Accept-Encoding': text('`identity`, where the body came in a content coding.'),
  'Idempotent-Replayed': text('`true` when the answer is the stored first one.'),
  'X-RateLimit-Limit': integer('Requests in a minute.'),
  'X-RateLimit-Remaining': integer('Requests left in this minute.'),
  'X-RateLimit-Reset': integer('When the minute ends, in Unix seconds.'),
};

/** Headers that say how much of a limit is left. */
export const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** Response headers by their names. */
export function headerRefs(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Request headers that many operations take. */
export const parameterComponents = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: '1 to 128 visible ASCII characters; comes back with the answer.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Tags of bodies that the caller has; a match answers 304.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Binds the creation to a key of the caller for 30 days, without it to the body itself for 24 hours, while its ' +
      'shipment is alive. 1 to 255 visible ASCII characters; double quotes around them are not part of it.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    example: '0d6f1c1e-6c5b-4e0b-9a53-3f2f6a2f9b1d',
  },
};
