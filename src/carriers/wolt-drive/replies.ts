import type { BookedParcel, JsonObject } from '../../domain/shipment.js';
import { objectAt, textAt, valueAt } from '../../lib/json.js';
import type { Outcome } from '../contract.js';
import { codeAt, type JsonReply, saidIn } from '../json-api.js';
import { accepted, bookingOf, UNREADABLE } from '../outcomes.js';
import { carrierText } from '../text.js';

/** The promise's whole body, and the parts that a delivery needs. */
export interface WoltPromise {
  id: string;
  coordinates: JsonObject;
  price: JsonObject;
  isBinding: boolean;
  body: JsonObject;
}

/** The carrier's codes for a repeated reference and for an expired promise. */
const DUPLICATE = 'DUPLICATE_ORDER';
export const PROMISE_GONE = 'SHIPMENT_PROMISE_NOT_FOUND';

/** The refusal in a reply, with the carrier's code, reason and JSON; null when it is none. */
function refusalOf(reply: JsonReply): Extract<Outcome<never>, { kind: 'rejected' }> | null {
  const { status, json } = reply;
  const errorCode = textAt(json, 'error_code');
  if (status < 400 && errorCode === '') return null;
  const detail = valueAt(json, 'detail');
  const wrong = Array.isArray(detail) ? detail.map((one) => valueAt(one, 'msg')) : detail;
  const text = saidIn(reply, textAt(json, 'reason'), wrong, valueAt(json, 'message'), errorCode);
  const code = carrierText(errorCode || `http_${status}`);
  return { kind: 'rejected', code, text, ...(json === undefined ? {} : { body: json }) };
}

/** Reads the reply of a promise. One that lacks what a delivery needs is `unknown`. */
export function readPromise(reply: JsonReply): Outcome<WoltPromise> {
  const refusal = refusalOf(reply);
  if (refusal !== null) return refusal;
  const body = objectAt(reply.json);
  const id = textAt(body, 'id');
  const price = objectAt(body, 'price');
  const coordinates = objectAt(body, 'dropoff', 'location', 'coordinates');
  if (body === null || id === '' || price === null || coordinates === null) return UNREADABLE;
  return accepted({ id, price, coordinates, isBinding: body.is_binding !== false, body });
}

/** Reads the reply of a delivery. A success without the order's reference is `unknown`. */
export function readBooking(reply: JsonReply): Outcome<BookedParcel> {
  const refusal = refusalOf(reply);
  if (refusal?.code === DUPLICATE) return { kind: 'duplicate', text: refusal.text };
  return bookingOf(reply, refusal, parcelOf(reply.json));
}

function parcelOf(json: unknown): BookedParcel | null {
  const trackingCode = codeAt(json, 'wolt_order_reference_id');
  if (trackingCode === null) return null;
  return { trackingCode, carrierReference: codeAt(json, 'id'), description: null };
}

export function readCancellation(reply: JsonReply): Outcome<{ text: string }> {
  return refusalOf(reply) ?? accepted({ text: 'Cancelled' });
}
