import { createHash } from 'node:crypto';
import type { BookedParcel } from '../../domain/shipment.js';
import type { StatusCode } from '../../domain/statuses.js';
import type { CarrierStatus, InboundReading, Outcome, ParcelRef, PickupPoint } from '../contract.js';
import type { HttpReply } from '../http.js';
import { israelToIso, toSlashDate } from '../israel-time.js';
import { jsonOf, messagesOf, pointsOf, textAt, valueAt } from '../json.js';
import { carrierText } from '../text.js';

/** The carrier's statuses and ours. A license may give any of them another meaning. */
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

const UNREADABLE = { kind: 'unknown', text: 'The reply of the carrier cannot be read.' } as const;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Event = CarrierStatus['events'][number];
type Rejected = Extract<Outcome<never>, { kind: 'rejected' }>;
type Meanings = ReadonlyMap<string, StatusCode>;

/** A refusal by the reply's status, or by `errors` that come with success; null where there is none. */
function refusalOf({ status }: HttpReply, json: unknown): Rejected | null {
  const errors = valueAt(json, 'errors') ?? false;
  if (status < 400 && (errors === false || (Array.isArray(errors) && errors.length === 0))) return null;
  const said = messagesOf(valueAt(json, 'message')) || messagesOf(errors);
  const text = carrierText(said) || `The carrier refused with HTTP ${status}.`;
  return { kind: 'rejected', code: status < 400 ? 'errors' : `http_${status}`, text };
}

/** Reply of `create`. One with neither a parcel nor errors is `unknown`, and stays so: nothing can be looked up. */
export function readBooking(reply: HttpReply, customerCode: number): Outcome<BookedParcel> {
  const json = jsonOf(reply.body);
  const refusal = refusalOf(reply, json);
  if (refusal !== null) return refusal;
  const number = textAt(json, 'data', 'shipment_id');
  if (!/^[1-9]\d{0,14}$/.test(number)) return UNREADABLE;
  const carrierReference = String(customerCode);
  return { kind: 'accepted', value: { trackingCode: number, carrierReference, description: null } };
}

/**
 * Reply of `get-status`; `accepted` with null for a parcel that the carrier does not know, or that is booked under
 * another's reference. `nowIso` dates a status that comes without a time.
 */
export function readStatus(
  reply: HttpReply,
  parcel: ParcelRef,
  meanings: Meanings,
  nowIso: string,
): Outcome<Event | null> {
  const json = jsonOf(reply.body);
  if (reply.status === 404) return { kind: 'accepted', value: null };
  const refusal = refusalOf(reply, json);
  if (refusal !== null) return refusal;
  const data = valueAt(json, 'data');
  const code = textAt(data, 'status_code');
  if (textAt(data, 'shipment_id') !== parcel.trackingCode || code === '') return UNREADABLE;
  const reference = textAt(data, 'transaction_id');
  const isOurs = reference === '' || reference.toLowerCase() === parcel.reference.toLowerCase();
  if (!isOurs) return { kind: 'accepted', value: null };
  const text = textAt(data, 'status_text') || textAt(data, 'status_text_en');
  return {
    kind: 'accepted',
    value: eventOf(code, text, meanings, localToIso(textAt(data, 'status_date')) ?? nowIso),
  };
}

function eventOf(code: string, text: string, meanings: Meanings, occurredAt: string): Event {
  return {
    code: meanings.get(code) ?? CARGO_STATUSES.get(code),
    carrierCode: carrierText(code),
    carrierDescription: carrierText(text),
    occurredAt,
    location: null,
    isCurrent: true,
  };
}

/** `YYYY-MM-DD HH:MM:SS` on the wall in Israel as ISO 8601 UTC; null when it is none. */
function localToIso(text: string): string | null {
  const [day = '', time = ''] = text.split(' ');
  return time === '' ? null : israelToIso(toSlashDate(day), time);
}

/** Reply of `update-status`: cancelled when it says updated, or that the status is the one asked for. */
export function readCancellation(reply: HttpReply): Outcome<{ text: string }> {
  const json = jsonOf(reply.body);
  const refusal = refusalOf(reply, json);
  if (refusal !== null) return refusal;
  const text = carrierText(textAt(json, 'message'));
  const updated = valueAt(json, 'data', 'updated');
  if (updated === true || textAt(json, 'data', 'status_code') === String(CANCELLED)) {
    return { kind: 'accepted', value: { text } };
  }
  return updated === false
    ? { kind: 'rejected', code: 'not_updated', text: text || 'The carrier did not cancel the shipment.' }
    : UNREADABLE;
}

/** Reply of `print-label` and `print-label-a4`: the address of a file, or the file itself. */
export function readLabel(
  reply: HttpReply,
): Outcome<{ address: string; bytes: null } | { address: null; bytes: Uint8Array }> {
  const json = jsonOf(reply.body);
  const refusal = refusalOf(reply, json);
  if (refusal !== null) return refusal;
  const data = textAt(json, 'data');
  if (/^https?:\/\//i.test(data)) return { kind: 'accepted', value: { address: data, bytes: null } };
  if (!/^[A-Za-z0-9+/\s]+=*$/.test(data)) return UNREADABLE;
  return { kind: 'accepted', value: { address: null, bytes: Buffer.from(data, 'base64') } };
}

/** Reply of `get-pickup-points`: a list, bare or as `data`. */
export function readPoints(reply: HttpReply): Outcome<PickupPoint[]> {
  const json = jsonOf(reply.body);
  const refusal = refusalOf(reply, json);
  if (refusal !== null) return refusal;
  const list = Array.isArray(json) ? json : valueAt(json, 'data');
  if (!Array.isArray(list)) return UNREADABLE;
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
  return { kind: 'accepted', value: pointsOf(list, names) };
}

/** A posted status change. Nothing in it is signed or dated: the same content is the same event. */
export function readPosted(
  body: Buffer,
  isForm: boolean,
  meanings: Meanings,
  nowIso: string,
): InboundReading {
  const posted = isForm ? Object.fromEntries(new URLSearchParams(body.toString('utf8'))) : jsonOf(body);
  const number = textAt(posted, 'shipment_id');
  const code = textAt(posted, 'new_status_code');
  const type = textAt(posted, 'type') || 'status-update';
  if (!/^[1-9]\d{0,14}$/.test(number) || !/^\d{1,9}$/.test(code) || type !== 'status-update') {
    return { kind: 'unreadable', text: 'The message is no status update of a shipment.' };
  }
  const reference = textAt(posted, 'transaction_id');
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 32);
  const event = eventOf(code, textAt(posted, 'new_status'), meanings, nowIso);
  const named = UUID.test(reference) ? reference.toLowerCase() : null;
  return {
    kind: 'events',
    events: [{ id: `${number}:${code}:${digest}`, trackingCode: number, reference: named, event }],
  };
}
