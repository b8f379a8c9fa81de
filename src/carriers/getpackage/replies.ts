import { problem } from '../../domain/problems/problem.js';
import type { BookedParcel, JsonObject } from '../../domain/shipment.js';
import type { StatusCode } from '../../domain/statuses.js';
import { objectAt, textAt, valueAt } from '../../lib/json.js';
import { israelWallClock } from '../../lib/time.js';
import type { Outcome } from '../contract.js';
import { messagesOf } from '../json.js';
import { codeAt, type JsonReply, saidIn } from '../json-api.js';
import { accepted, bookingOf, readable, UNREADABLE } from '../outcomes.js';
import { type CarrierEvent, currentEvent } from '../readings.js';
import { carrierText } from '../text.js';
import type { GetpackageConfig } from './config.js';

/** The carrier's statuses, without `IN_ROUTE`: the sources disagree on its meaning. */
export const GETPACKAGE_STATUSES: ReadonlyMap<string, StatusCode> = new Map([
  ['CREATED', 'created'],
  ['ASSIGNED', 'created'],
  ['STARTED', 'created'],
  ['PICKED_UP', 'collected'],
  ['COMPLETED', 'delivered'],
  ['CANCELED', 'cancelled'],
  ['CANCELED_BY_COURIER_ON_PICKUP', 'cancelled'],
  ['FAILED_DROPOFF', 'delivery_failed'],
  ['RETURNED', 'returned'],
]);

const IN_ROUTE = { to_pickup: 'created', in_transit: 'in_transit' } as const;

/** The refusal in a reply, by its HTTP status or inside a 200, with the carrier's text and JSON; else null. */
function refusalOf(reply: JsonReply): Extract<Outcome<never>, { kind: 'rejected' }> | null {
  const { status, json } = reply;
  const error = messagesOf(valueAt(json, 'error'));
  if (status < 400 && error === '') return null;
  const text = saidIn(reply, valueAt(json, 'message'), error);
  const code = status < 400 ? 'error' : `http_${status}`;
  return { kind: 'rejected', code, text, ...(json === undefined ? {} : { body: json }) };
}

/** The courier's time window. */
export interface Slot {
  date: string;
  timeRange: string;
}

/**
 * Reads the window that the carrier offers. A UTC instant becomes the day in Israel. A later day `collectOn`,
 * which the merchant asked for, replaces the carrier's earliest.
 */
export function readSlot(reply: JsonReply, collectOn: string): Outcome<Slot> {
  const refusal = refusalOf(reply);
  if (refusal !== null) return refusal;
  if (reply.json === undefined) return UNREADABLE;
  const timeRange = textAt(reply.json, 'timeRange');
  const day = dayOf(textAt(reply.json, 'date'));
  if (timeRange === '' || day === null) {
    return { kind: 'rejected', code: 'no_time_window', text: problem('carrier_no_window').text };
  }
  return accepted({ date: collectOn > day ? collectOn : day, timeRange });
}

function dayOf(text: string): string | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? null : israelWallClock(instant).date.split('/').toReversed().join('-');
}

/** Reads the reply of a booking. A success without an id is `unknown`. */
export function readBooking(reply: JsonReply): Outcome<BookedParcel> {
  return bookingOf(reply, refusalOf(reply), parcelOf(reply.json));
}

function parcelOf(json: unknown): BookedParcel | null {
  const trackingCode = codeAt(json, 'id');
  if (trackingCode === null) return null;
  return { trackingCode, carrierReference: codeAt(json, 'routeId'), description: null };
}

/** Reads the reply of a cancellation. A parcel that the carrier no longer has counts as cancelled. */
export function readCancellation(reply: JsonReply): Outcome<{ text: string }> {
  const refusal = reply.status === 404 ? null : refusalOf(reply);
  return refusal ?? accepted({ text: 'Cancelled' });
}

/** Reads a parcel's status; null when the carrier has no such parcel. `askedAt` dates it: the reply has no time. */
export function readStatus(
  reply: JsonReply,
  { settings }: GetpackageConfig,
  askedAt: string,
): Outcome<CarrierEvent[] | null> {
  if (reply.status === 404) return accepted(null);
  const refusal = refusalOf(reply);
  if (refusal !== null) return refusal;
  const status = textAt(reply.json, 'status');
  if (status === '') return UNREADABLE;
  const moving = settings.in_route === undefined ? undefined : IN_ROUTE[settings.in_route];
  const code = status === 'IN_ROUTE' ? moving : GETPACKAGE_STATUSES.get(status);
  // A known status is shown by our name, an unknown one in the carrier's words.
  return accepted([currentEvent(code, status, code === undefined ? status : '', askedAt)]);
}

export function readQuote(reply: JsonReply): Outcome<JsonObject> {
  const refusal = refusalOf(reply);
  if (refusal !== null) return refusal;
  const body = objectAt(reply.json);
  return readable(body);
}

/** Reads the list of settlements: for each, the carrier's name and the local one. */
export function readSettlements(reply: JsonReply): Outcome<string[]> {
  const refusal = refusalOf(reply);
  if (refusal !== null) return refusal;
  if (!Array.isArray(reply.json)) return UNREADABLE;
  const names = reply.json.flatMap((one) => [
    carrierText(textAt(one)),
    carrierText(textAt(one, 'localName')),
    carrierText(textAt(one, 'internalName')),
  ]);
  return accepted([...new Set(names.filter((name) => name !== ''))]);
}
