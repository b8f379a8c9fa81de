import type { BookedParcel } from '../../domain/shipment.js';
import type { StatusCode } from '../../domain/statuses.js';
import { israelToIso, toSlashDate } from '../../lib/israel-time.js';
import { jsonOf, textAt, valueAt } from '../../lib/json.js';
import type { InboundReading, Outcome, ParcelRef, PickupPoint } from '../contract.js';
import { filled, pointsOf } from '../json.js';
import { type JsonReply, saidIn } from '../json-api.js';
import { accepted, bookingOf, UNREADABLE } from '../outcomes.js';
import { type CarrierEvent, currentEvent, unsignedEvent } from '../readings.js';
import type { Meanings } from '../settings.js';
import { carrierText } from '../text.js';

/** The carrier's statuses and ours; a license may override any of them. */
export const CARGO_STATUSES: ReadonlyMap<string, StatusCode> = new Map([
  ['1', 'created'],
  ['2', 'created'],
  ['7', 'created'],
  ['12', 'created'],
  ['4', 'collected'],
  ['25', 'in_transit'],
  ['51', 'in_transit'],
  ['50', 'out_for_delivery'],
  ['9', 'out_for_delivery'],
  ['55', 'at_pickup_point'],
  ['52', 'at_pickup_point'],
  ['5', 'returning'],
  ['3', 'delivered'],
  ['8', 'cancelled'],
]);
export const CANCELLED = 8;

type Rejected = Extract<Outcome<never>, { kind: 'rejected' }>;

/** The refusal in a reply, by its HTTP status or by `errors` in a success; null when there is none. */
function refusalOf(reply: JsonReply): Rejected | null {
  const { status, json } = reply;
  const errors = valueAt(json, 'errors');
  if (status < 400 && isEmpty(errors)) return null;
  const text = saidIn(reply, valueAt(json, 'message'), errors);
  return { kind: 'rejected', code: status < 400 ? 'errors' : `http_${status}`, text };
}

/** PHP encodes empty values in many ways, also as lists of empty lists. */
function isEmpty(errors: unknown, levels = 5): boolean {
  if (typeof errors === 'object' && errors !== null) {
    return levels > 0 && Object.values(errors).every((one) => isEmpty(one, levels - 1));
  }
  const text = typeof errors === 'string' ? errors.trim().toLowerCase() : errors;
  return [undefined, null, false, 0, '', '0', 'false'].some((none) => none === text);
}

/**
 * Reads the reply of `create`. A reply with neither a parcel nor errors is `unknown`, for good: there is no
 * look-up.
 */
export function readBooking(reply: JsonReply, customerCode: number): Outcome<BookedParcel> {
  return bookingOf(reply, refusalOf(reply), parcelOf(reply.json, customerCode));
}

function parcelOf(json: unknown, customerCode: number): BookedParcel | null {
  const number = textAt(json, 'data', 'shipment_id');
  if (!/^[1-9]\d{0,14}$/.test(number)) return null;
  return { trackingCode: number, carrierReference: String(customerCode), description: null };
}

/**
 * Reads the reply of `get-status`; null when the carrier does not know the parcel, or it has another reference.
 * `askedAt` dates a status that has no time.
 */
export function readStatus(
  reply: JsonReply,
  parcel: ParcelRef,
  meanings: Meanings,
  askedAt: string,
): Outcome<CarrierEvent | null> {
  if (reply.status === 404) return accepted(null);
  const refusal = refusalOf(reply);
  if (refusal !== null) return refusal;
  const data = valueAt(reply.json, 'data');
  const code = textAt(data, 'status_code');
  if (textAt(data, 'shipment_id') !== parcel.trackingCode || code === '') return UNREADABLE;
  const reference = textAt(data, 'transaction_id');
  const isOurs = reference === '' || reference.toLowerCase() === parcel.reference.toLowerCase();
  if (!isOurs) return accepted(null);
  const text = textAt(data, 'status_text') || textAt(data, 'status_text_en');
  return accepted(eventOf(code, text, meanings, localToIso(textAt(data, 'status_date')) ?? askedAt));
}

function eventOf(code: string, text: string, meanings: Meanings, occurredAt: string): CarrierEvent {
  return currentEvent(meanings.get(code) ?? CARGO_STATUSES.get(code), code, text, occurredAt);
}

/** `YYYY-MM-DD HH:MM:SS` in Israeli local time as ISO 8601 UTC; null when unreadable. */
function localToIso(text: string): string | null {
  const [day = '', time = ''] = text.split(' ');
  return time === '' ? null : israelToIso(toSlashDate(day), time);
}

/** Reads the reply of `update-status`: cancelled when it was updated, or already had the requested status. */
export function readCancellation(reply: JsonReply): Outcome<{ text: string }> {
  const refusal = refusalOf(reply);
  if (refusal !== null) return refusal;
  const text = carrierText(textAt(reply.json, 'message'));
  const updated = valueAt(reply.json, 'data', 'updated');
  if (updated === true || textAt(reply.json, 'data', 'status_code') === String(CANCELLED)) {
    return accepted({ text });
  }
  return updated === false
    ? { kind: 'rejected', code: 'not_updated', text: text || 'The carrier did not cancel the shipment.' }
    : UNREADABLE;
}

/** Reads the reply of `print-label` and `print-label-a4`: the address of a file, or the file. */
export function readLabel(
  reply: JsonReply,
): Outcome<{ address: string; bytes: null } | { address: null; bytes: Uint8Array }> {
  const refusal = refusalOf(reply);
  if (refusal !== null) return refusal;
  const data = textAt(reply.json, 'data');
  if (/^https?:\/\//i.test(data)) return accepted({ address: data, bytes: null });
  if (!/^[A-Za-z0-9+/\s]+=*$/.test(data)) return UNREADABLE;
  return accepted({ address: null, bytes: Buffer.from(data, 'base64') });
}

/** Reads the reply of `get-pickup-points`: a list, bare or in `data`. */
export function readPoints(reply: JsonReply): Outcome<PickupPoint[]> {
  const names = {
    id: 'DistributionPointID',
    name: 'DistributionPointName',
    city: 'CityName',
    street: 'StreetName',
    number: 'StreetNum',
    latitude: 'Latitude',
    longitude: 'Longitude',
    remarks: 'Comment',
  };
  return refusalOf(reply) ?? pointsOf(reply.json, 'data', names);
}

/** The fields of a posted status change that are read. */
const POSTED = ['shipment_id', 'new_status_code', 'new_status', 'type', 'transaction_id'];

/** Reads a posted form; the last of equal names counts. Names not in `POSTED` are skipped, to save memory. */
function formOf(body: Buffer): Record<string, string> {
  const form = new URLSearchParams(body.toString('utf8'));
  return filled(Object.fromEntries(POSTED.map((name) => [name, form.getAll(name).at(-1)])));
}

/** Reads a posted status change. It has no signature and no date, so equal content is the same event. */
export function readPosted(
  body: Buffer,
  isForm: boolean,
  meanings: Meanings,
  nowIso: string,
): InboundReading {
  const posted = isForm ? formOf(body) : jsonOf(body);
  const number = textAt(posted, 'shipment_id');
  const code = textAt(posted, 'new_status_code');
  const type = textAt(posted, 'type') || 'status-update';
  if (!/^[1-9]\d{0,14}$/.test(number) || !/^\d{1,9}$/.test(code) || type !== 'status-update') {
    return { kind: 'unreadable', text: 'The message is no status update of a shipment.' };
  }
  const event = eventOf(code, textAt(posted, 'new_status'), meanings, nowIso);
  return unsignedEvent(body, number, number, textAt(posted, 'transaction_id'), event);
}
