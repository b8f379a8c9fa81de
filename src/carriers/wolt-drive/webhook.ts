import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { JsonObject } from '../../domain/shipment.js';
import type { StatusCode } from '../../domain/statuses.js';
import { jsonOf, objectAt, textAt } from '../../lib/json.js';
import type { InboundReader, InboundReading } from '../contract.js';
import { isoMicros } from '../readings.js';
import { carrierText } from '../text.js';
import { webhookSecretOf } from './config.js';

/** The carrier's events and our statuses. */
export const WOLT_STATUSES: ReadonlyMap<string, StatusCode> = new Map([
  ['order.received', 'created'],
  ['order.pickup_started', 'created'],
  ['order.pickup_arrival', 'created'],
  ['order.picked_up', 'collected'],
  ['order.dropoff_started', 'out_for_delivery'],
  ['order.dropoff_arrival', 'out_for_delivery'],
  ['order.delivered', 'delivered'],
  ['order.dropoff_completed', 'delivered'],
  ['order.customer_no_show', 'delivery_failed'],
  ['order.rejected', 'cancelled'],
]);

/** Events without a status, which are not stored: they come every few seconds or hold the recipient's PIN. */
const IGNORED = new Set([
  'order.location_updated',
  'order.pickup_eta_updated',
  'order.dropoff_eta_updated',
  'order.handshake_delivery',
]);

/** A JWT: head, claims, signature. The head is limited, because it is parsed before the signature is checked. */
const TOKEN = /^([\w-]{1,2000})\.([\w-]+)\.([\w-]+)$/;

/** Allowed clock difference. */
const LEEWAY_S = 60;

const forged = (text: string): InboundReading => ({ kind: 'forged', text });
const unreadable = (text: string): InboundReading => ({ kind: 'unreadable', text });

/** Reads `{"token": <JWT>}`, signed with the license's secret. */
export const woltWebhook: InboundReader = {
  read({ body, nowMs }, account) {
    const token = textAt(jsonOf(body), 'token');
    if (token === '') return unreadable('The body has no token.');
    const secret = webhookSecretOf(account);
    if (secret === null) return forged('The license has no webhook secret.');
    const payload = verified(token, secret);
    if (payload === null) return forged('The token is not signed with the webhook secret of the license.');
    if (!isTimely(payload, nowMs / 1000)) return forged('The token is not valid at this time.');
    return readEvent(payload);
  },
};

/** The payload of a token with a valid HS256 signature; null otherwise. */
function verified(token: string, secret: string): JsonObject | null {
  const parts = TOKEN.exec(token);
  if (parts === null) return null;
  const [, head = '', claims = '', signature = ''] = parts;
  const header = objectAt(jsonOf(Buffer.from(head, 'base64url')));
  if (header?.alg !== 'HS256' || 'crit' in header) return null;
  const expected = createHmac('sha256', secret).update(`${head}.${claims}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return objectAt(jsonOf(Buffer.from(claims, 'base64url'))) ?? {};
}

/** Whether the token's times, if it has any, allow it now. */
function isTimely({ exp, nbf, iat }: JsonObject, nowS: number): boolean {
  if (exp !== undefined && !(typeof exp === 'number' && exp > nowS - LEEWAY_S)) return false;
  return [nbf, iat].every(
    (from) => from === undefined || (typeof from === 'number' && from <= nowS + LEEWAY_S),
  );
}

function readEvent(payload: JsonObject): InboundReading {
  const name = textAt(payload, 'type');
  if (!/^[\w.]{1,64}$/.test(name)) return unreadable('The token names no event.');
  if (IGNORED.has(name)) return { kind: 'events', events: [] };
  const trackingCode = textAt(payload, 'details', 'wolt_order_reference_id') || null;
  const reference = textAt(payload, 'details', 'merchant_order_reference_id') || null;
  const dispatchedAt = textAt(payload, 'dispatched_at');
  const occurredAt = isoMicros(dispatchedAt);
  if ((trackingCode ?? reference) === null) return unreadable('The event names no order.');
  if (occurredAt === null) return unreadable('The event has no readable time.');
  const code = WOLT_STATUSES.get(name);
  const reason = textAt(payload, 'details', 'purchase_rejected_reason');
  const carrierDescription = carrierText(code === undefined ? name : reason);
  const id = createHash('sha256').update(JSON.stringify([trackingCode, reference, name, dispatchedAt]));
  const event = { code, carrierCode: name, carrierDescription, occurredAt, location: null };
  return { kind: 'events', events: [{ id: id.digest('hex'), trackingCode, reference, event }] };
}
