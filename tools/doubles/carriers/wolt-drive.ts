import { createHash, createHmac } from 'node:crypto';
import { Type } from 'typebox';
import { WOLT_STATUSES } from '../../../src/carriers/wolt-drive/webhook.js';
import type { JsonObject } from '../../../src/domain/shipment.js';
import { jsonOf, objectAt, textAt, valueAt } from '../../../src/lib/json.js';
import { compileOnUse } from '../../../src/lib/schema.js';
import type { Operation } from './faults.js';
import { jsonReply } from './json.js';
import type { Parcel } from './ledger.js';
import type {
  SandboxCall,
  SandboxConfig,
  SandboxProtocol,
  SandboxReply,
  SandboxRequest,
  SandboxWebhook,
} from './protocol.js';
import { type SandboxStatuses, statusesOf, statusOf } from './statuses.js';

const VENUE = /^POST \/v1\/venues\/([\w-]+)\/(shipment-promises|deliveries)$/;
const CANCEL = /^PATCH \/order\/([\w-]+)\/status\/cancel$/;
const REJECTED = 'order.rejected';
/** Lifetime of a promise. */
const PROMISE_MS = 15 * 60_000;

const strict = { additionalProperties: false };
const Word = Type.String({ minLength: 1 });
const Phone = Type.String({ pattern: '^\\+[1-9]\\d{6,14}$' });
const Minutes = Type.Optional(Type.Integer({ minimum: 0, maximum: 60 }));
const Coordinates = Type.Object({ lat: Type.Number(), lon: Type.Number() }, strict);
const Price = Type.Object({ amount: Type.Integer({ minimum: 0 }), currency: Word }, strict);

const promiseCheck = compileOnUse<JsonObject>(
  Type.Object(
    {
      street: Word,
      city: Word,
      post_code: Type.Optional(Word),
      min_preparation_time_minutes: Minutes,
      scheduled_dropoff_time: Type.Optional(Type.String({ format: 'date-time' })),
    },
    strict,
  ),
);
const deliveryCheck = compileOnUse<JsonObject>(
  Type.Object(
    {
      shipment_promise_id: Word,
      pickup: Type.Optional(
        Type.Object({ options: Type.Object({ min_preparation_time_minutes: Minutes }, strict) }, strict),
      ),
      dropoff: Type.Object(
        {
          location: Type.Object({ coordinates: Coordinates }, strict),
          comment: Type.Optional(Word),
          options: Type.Object(
            {
              is_no_contact: Type.Boolean(),
              scheduled_time: Type.Optional(Type.String({ format: 'date-time' })),
            },
            strict,
          ),
        },
        strict,
      ),
      price: Price,
      recipient: Type.Object({ name: Word, phone_number: Phone, email: Type.Optional(Word) }, strict),
      parcels: Type.Array(
        Type.Object({ count: Type.Integer({ minimum: 1 }), description: Word, identifier: Word }, strict),
        { minItems: 1 },
      ),
      customer_support: Type.Optional(
        Type.Object({ email: Type.Optional(Word), phone_number: Type.Optional(Phone) }, strict),
      ),
      merchant_order_reference_id: Word,
      order_number: Type.Optional(Word),
    },
    strict,
  ),
);

/** The carrier sends events; only a rejection has a text. */
const statuses: SandboxStatuses = {
  known: statusesOf(WOLT_STATUSES, { [REJECTED]: 'No courier was available' }),
  others: { pattern: /^order\.[a-z_]{2,40}$/, description: 'any other word that begins with order.' },
};

/** Refusals selectable by number; any other number selects the first. */
const REFUSALS = ['INVALID_DROPOFF_ADDRESS', 'SHIPMENT_PROMISE_NOT_FOUND', 'VENUE_CLOSED', 'DUPLICATE_ORDER'];

function operationOf({ method, target }: Pick<SandboxRequest, 'method' | 'target'>): Operation | undefined {
  const route = `${method} ${target.split('?')[0]}`;
  if (CANCEL.test(route)) return 'cancel';
  const kind = VENUE.exec(route)?.[2];
  if (kind === undefined) return undefined;
  return kind === 'deliveries' ? 'book' : 'quote';
}

function answer(operation: Operation, call: SandboxCall): SandboxReply {
  const route = `${call.method} ${call.target.split('?')[0]}`;
  const [, venue = ''] = VENUE.exec(route) ?? [];
  if (operation === 'quote') return promise(venue, call);
  if (operation === 'book') return book(venue, call);
  return cancel(CANCEL.exec(route)?.[1] ?? '', call);
}

/** A promise, encoded in its id so that nothing must be stored. */
function promiseOf(venue: string, asked: JsonObject, madeAtMs: number) {
  const id = Buffer.from(JSON.stringify({ venue, asked, madeAtMs })).toString('base64url');
  // Derives place and price from the address.
  const [first = 0, second = 0] = createHash('sha256').update(`${asked.street} ${asked.city}`).digest();
  return {
    id,
    coordinates: { lat: 32 + first / 1000, lon: 34.7 + second / 1000 },
    price: { amount: 1500 + first * 10 + 5, currency: 'ILS' },
    validUntilMs: madeAtMs + PROMISE_MS,
    asked,
  };
}

function promise(venue: string, { body, nowMs }: SandboxCall): SandboxReply {
  const asked = jsonOf(Buffer.from(body));
  if (!promiseCheck()(asked)) return invalid(promiseCheck().errors);
  const { id, coordinates, price, validUntilMs } = promiseOf(venue, asked, nowMs);
  return jsonReply(201, {
    id,
    created_at: new Date(nowMs).toISOString(),
    valid_until: new Date(validUntilMs).toISOString(),
    is_binding: true,
    price,
    pickup: { venue_id: venue, eta_minutes: 15 },
    dropoff: {
      location: { coordinates, formatted_address: `${asked.street}, ${asked.city}` },
      eta_minutes: 40,
    },
    time_estimate_minutes: 40,
  });
}

function readPromise(id: string, venue: string, nowMs: number) {
  const told = objectAt(jsonOf(Buffer.from(id, 'base64url')));
  const asked = objectAt(told, 'asked');
  if (asked === null || told?.venue !== venue || typeof told.madeAtMs !== 'number') return null;
  const promised = promiseOf(venue, asked, told.madeAtMs);
  return promised.validUntilMs > nowMs ? promised : null;
}

function book(venue: string, { body, ledger, config, nowMs }: SandboxCall): SandboxReply {
  const request = jsonOf(Buffer.from(body));
  if (!deliveryCheck()(request)) return invalid(deliveryCheck().errors);
  const promised = readPromise(textAt(request, 'shipment_promise_id'), venue, nowMs);
  if (promised === null) return refusal('SHIPMENT_PROMISE_NOT_FOUND');
  const place = valueAt(request, 'dropoff', 'location', 'coordinates');
  if (JSON.stringify(place) !== JSON.stringify(promised.coordinates))
    return refusal('INVALID_DROPOFF_ADDRESS');
  if (JSON.stringify(request.price) !== JSON.stringify(promised.price)) return refusal('INVALID_PRICE');
  const reference = textAt(request, 'merchant_order_reference_id');
  const earlier = ledger.byReference(reference);
  if (earlier !== undefined) {
    earlier.requests += 1;
    ledger.save(earlier);
    if (config.rejectDuplicates) return refusal('DUPLICATE_ORDER');
  }
  const parcel = ledger.book(reference, venue, nowMs, { ...request, promise: promised.asked });
  return jsonReply(201, {
    id: parcel.random,
    wolt_order_reference_id: parcel.code,
    merchant_order_reference_id: reference,
    status: 'INFO_RECEIVED',
    tracking: { id: `t-${parcel.random}`, url: `https://tracking.example/${parcel.random}` },
    price: promised.price,
  });
}

function cancel(code: string, { ledger }: SandboxCall): SandboxReply {
  const parcel = ledger.byCode(code);
  if (parcel === undefined) return jsonReply(404, { error_code: 'ORDER_NOT_FOUND', reason: 'No such order' });
  const { word } = statusOf(statuses, parcel.events.at(-1) ?? { status: '' });
  if (!parcel.cancelled && word !== 'order.received') return refusal('ORDER_CANNOT_BE_CANCELLED');
  parcel.cancelled = true;
  ledger.save(parcel);
  return jsonReply(200, { status: 'CANCELLED' });
}

/** The newest event as a signed token. */
function webhook(parcel: Parcel, { webhookSecret }: SandboxConfig, nowMs: number): SandboxWebhook {
  const event = parcel.events.at(-1) ?? { status: 'created', atMs: nowMs };
  const { word, text } = statusOf(statuses, event);
  const payload = {
    dispatched_at: new Date(event.atMs).toISOString(),
    type: word,
    details: {
      id: parcel.random,
      venue_id: parcel.customer,
      wolt_order_reference_id: parcel.code,
      merchant_order_reference_id: parcel.reference,
      tracking_reference: `t-${parcel.random}`,
      ...(text === '' ? {} : { purchase_rejected_reason: text }),
    },
  };
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}`;
  const signature = createHmac('sha256', webhookSecret).update(signed).digest('base64url');
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: `${signed}.${signature}` }),
  };
}

function refusal(code: string): SandboxReply {
  return jsonReply(400, { error_code: code, reason: `Refused: ${code}`, details: null });
}

function invalid(
  errors: readonly { instancePath: string; message?: string }[] | null | undefined,
): SandboxReply {
  const detail = (errors ?? []).map(({ instancePath, message }) => ({
    loc: ['body', ...instancePath.split('/').slice(1)],
    msg: `${instancePath} ${message}`,
  }));
  return jsonReply(422, { detail });
}

/** The platform's calls for venues, strict about fields, promises and references; webhooks are signed. */
export const woltDriveProtocol: SandboxProtocol = {
  operationOf,
  isAuthorized: ({ headers }, token) => headers.authorization === `Bearer ${token}`,
  answer,
  // The carrier never reports errors inside HTTP 200: its refusals are 400.
  refuse: (_, carrierCode) => refusal(REFUSALS[carrierCode] ?? REFUSALS[0] ?? ''),
  statuses,
  webhook,
};
