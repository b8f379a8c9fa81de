import { addressOf, checkDoor, doorNote, endsOf } from '../../src/carriers/addresses.js';
import { BookingProblems, USUAL_LIMITS } from '../../src/carriers/booking-problems.js';
import type { BookingRequest, CarrierAccount, Outcome } from '../../src/carriers/contract.js';
import { filled, messagesOf } from '../../src/carriers/json.js';
import { codeAt, type JsonReply } from '../../src/carriers/json-api.js';
import { accepted, readable, UNREADABLE } from '../../src/carriers/outcomes.js';
import { type CarrierEvent, isoMicros } from '../../src/carriers/readings.js';
import type { Meanings } from '../../src/carriers/settings.js';
import { carrierText, clean, cut, localPhone } from '../../src/carriers/text.js';
import type { FieldErrors } from '../../src/domain/problems/problem.js';
import type { BookedParcel, JsonObject } from '../../src/domain/shipment.js';
import type { StatusCode } from '../../src/domain/statuses.js';
import { textAt, valueAt } from '../../src/lib/json.js';

/** The carrier's statuses and ours. A missing one keeps our status and shows the carrier's word. */
export const ACME_STATUSES: ReadonlyMap<string, StatusCode> = new Map([
  ['BOOKED', 'created'],
  ['PICKED_UP', 'collected'],
  ['IN_TRANSIT', 'in_transit'],
  ['AT_POINT', 'at_pickup_point'],
  ['OUT_FOR_DELIVERY', 'out_for_delivery'],
  ['FAILED', 'delivery_failed'],
  ['RETURNING', 'returning'],
  ['DELIVERED', 'delivered'],
  ['RETURNED', 'returned'],
  ['CANCELLED', 'cancelled'],
]);

/** The current state of a parcel. */
export interface Parcel {
  booked: BookedParcel;
  /** Oldest first. */
  events: CarrierEvent[];
  isCancelled: boolean;
}

/** Reasons why this carrier cannot book the shipment: JSON path → messages. Sends nothing. */
export function checkShipment({ shipment }: BookingRequest): FieldErrors {
  const problems = new BookingProblems();
  const { recipient, pickupPointId, cod, returnType } = shipment;
  const texts = {
    'ship_data.contact_name': clean(recipient.name),
    'ship_data.contact_phone': localPhone(recipient.phone),
    'ship_data.city': clean(recipient.city),
    'ship_data.street': clean(recipient.street),
  };
  problems.require(texts);
  problems.fit(USUAL_LIMITS, texts);
  checkDoor(problems, shipment);
  // Remove the services that the real carrier has, and add them to the body below.
  problems.reportIf(pickupPointId !== null, 'ship_data.pickup', 'carrier_without_points');
  problems.reportIf(cod !== null, 'ship_data.cod_amount', 'carrier_without_cash');
  problems.reportIf(returnType === 2, 'ship_data.return', 'carrier_without_round_trips');
  return problems.errors;
}

/** Body of a booking; use the real protocol's fields. `reference` is ours and finds the parcel again. */
export function parcelBody(
  { reference, orderNumber, shipment }: BookingRequest,
  collectFrom: CarrierAccount['collectFrom'],
): JsonObject {
  const { recipient } = shipment;
  const customer = {
    name: cut(clean(recipient.name), 100),
    phone: localPhone(recipient.phone),
    city: clean(recipient.city),
    street: addressOf(recipient).street,
  };
  const { company, city, street, number } = collectFrom;
  const shop = { name: clean(company), city: clean(city), street: clean(street), number: clean(number) };
  const { from, to } = endsOf<Record<string, string>>(shipment, shop, customer);
  return {
    reference,
    packages: shipment.packages,
    day: shipment.collectOn,
    from: filled(from),
    to: filled(to),
    ...filled({ order: cut(clean(orderNumber), 64), note: doorNote(shipment).text }),
  };
}

/** The refusal in a reply, by its HTTP status or inside a 200; null when there is none. */
function refusalOf({ status, json }: JsonReply): Extract<Outcome<never>, { kind: 'rejected' }> | null {
  const error = valueAt(json, 'error');
  if (status < 400 && error === undefined) return null;
  const text = carrierText(messagesOf(valueAt(error, 'message') ?? error));
  const code = carrierText(textAt(error, 'code')) || `http_${status}`;
  return { kind: 'rejected', code, text: text || `The carrier answered HTTP ${status}.` };
}

/** Reads the reply of a booking. A success without a code is `unknown`: the parcel may be booked. */
export function readBooking(reply: JsonReply): Outcome<BookedParcel> {
  const refusal = refusalOf(reply);
  if (refusal !== null && reply.status === 409) return { kind: 'duplicate', text: refusal.text };
  return refusal ?? readable(bookedOf(reply.json));
}

function bookedOf(json: unknown): BookedParcel | null {
  const trackingCode = codeAt(json, 'code');
  return trackingCode === null ? null : { trackingCode, carrierReference: null, description: null };
}

/** Reads the reply of a look-up; null only when the carrier says that it has no such reference. */
export function readFound(reply: JsonReply, reference: string): Outcome<BookedParcel | null> {
  const refusal = refusalOf(reply);
  if (refusal !== null) return refusal;
  const parcels = valueAt(reply.json, 'parcels');
  if (!Array.isArray(parcels)) return UNREADABLE;
  const ours = parcels.filter((parcel) => textAt(parcel, 'reference') === reference);
  return ours.length === 0 ? accepted(null) : readable(bookedOf(ours[0]));
}

/** Reads a parcel; null when the carrier does not have it. */
export function readParcel(reply: JsonReply, meanings: Meanings): Outcome<Parcel | null> {
  if (reply.status === 404) return accepted(null);
  const refusal = refusalOf(reply);
  if (refusal !== null) return refusal;
  const booked = bookedOf(reply.json);
  const told = valueAt(reply.json, 'events');
  if (booked === null || !Array.isArray(told)) return UNREADABLE;
  const events = told.flatMap((event) => eventOf(event, meanings));
  return accepted({ booked, events, isCancelled: textAt(reply.json, 'status') === 'CANCELLED' });
}

/** Drops events with an unreadable time. For a carrier without history, use `currentEvent` of `readings.ts`. */
function eventOf(event: unknown, meanings: Meanings): CarrierEvent[] {
  const status = textAt(event, 'status');
  const occurredAt = isoMicros(textAt(event, 'at'));
  if (status === '' || occurredAt === null) return [];
  const code = meanings.get(status) ?? ACME_STATUSES.get(status);
  const carrierDescription = carrierText(textAt(event, 'text'));
  return [{ code, carrierCode: carrierText(status), carrierDescription, occurredAt, location: null }];
}

/** Reads the reply of a cancellation, which must say that the parcel is cancelled. */
export function readCancellation(reply: JsonReply): Outcome<{ text: string }> {
  const isDone = textAt(reply.json, 'status') === 'CANCELLED';
  return refusalOf(reply) ?? (isDone ? accepted({ text: 'Cancelled' }) : UNREADABLE);
}
