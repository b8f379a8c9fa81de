import type { FieldErrors } from '../../domain/problems/problem.js';
import type { CollectionPlace, JsonObject } from '../../domain/shipment.js';
import { addressOf, checkDoor, doorNote, endsOf } from '../addresses.js';
import { BookingProblems, USUAL_LIMITS } from '../booking-problems.js';
import type { BookingRequest, PackageSize, StreetAddress } from '../contract.js';
import { clean, cut, labelled, lengthOf, localPhone, words } from '../text.js';
import type { GetpackageConfig } from './config.js';
import type { Slot } from './replies.js';

/** Shortest text that the carrier accepts in any field, and shortest phone number. */
const MIN_LENGTH = 2;
const MIN_PHONE = 8;

/** Leaves out texts that are too short: one letter in an optional field would refuse the whole booking. */
function longEnough(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => lengthOf(text) >= MIN_LENGTH));
}

function placeOf({ city, street, number }: StreetAddress, country = 'IL'): JsonObject {
  return { country, ...longEnough({ city: clean(city), street: words(clean(street), clean(number)) }) };
}

/** The courier's instructions: the rest of the address, the notes and the order number. */
function noteOf({ shipment, orderNumber }: Pick<BookingRequest, 'orderNumber' | 'shipment'>) {
  return doorNote(shipment, labelled('הזמנה', orderNumber));
}

/** Whether the notes are longer than the courier's instructions can hold. */
export function cutsNote(request: Pick<BookingRequest, 'orderNumber' | 'shipment'>): boolean {
  return noteOf(request).isCut;
}

function recipientPoint(request: BookingRequest): JsonObject {
  const { recipient } = request.shipment;
  const point = { contactName: cut(clean(recipient.name), 100), instructions: noteOf(request).text };
  const contactPhoneNumber = localPhone(recipient.phone);
  const address = placeOf(addressOf(recipient), recipient.country);
  return { address, ...longEnough({ ...point, contactPhoneNumber }) };
}

function merchantPoint({ settings }: GetpackageConfig, collectFrom: CollectionPlace): JsonObject {
  const contactName = cut(clean(collectFrom.company), 100);
  const contactPhoneNumber = localPhone(settings.collect_phone ?? '');
  return { address: placeOf(collectFrom), ...longEnough({ contactName, contactPhoneNumber }) };
}

/** Body of a quote or of a request for the next window: two addresses and a size. */
export function quoteBody(from: StreetAddress, to: StreetAddress, size: PackageSize): JsonObject {
  return {
    pickUpPoint: { address: placeOf(from) },
    dropOffPoint: { address: placeOf(to) },
    package: { size },
  };
}

/** Body of the request for the next window of a booking. */
export function slotBody(
  request: BookingRequest,
  { settings }: GetpackageConfig,
  collectFrom: CollectionPlace,
): JsonObject {
  const { from, to } = endsOf<StreetAddress>(
    request.shipment,
    collectFrom,
    addressOf(request.shipment.recipient),
  );
  return quoteBody(from, to, settings.package_size ?? 'SMALL');
}

/** Body of a booking; `packageId` is our reference. */
export function bookingBody(
  request: BookingRequest,
  config: GetpackageConfig,
  collectFrom: CollectionPlace,
  slot: Slot,
): JsonObject {
  const { from, to } = endsOf(request.shipment, merchantPoint(config, collectFrom), recipientPoint(request));
  return {
    pickUpPoint: from,
    dropOffPoint: { ...to, validationMethodType: 'SMS' },
    package: { size: config.settings.package_size ?? 'SMALL', packageId: request.reference },
    ...slot,
  };
}

/** Reasons why this carrier cannot book the shipment: JSON path → messages. Sends nothing. */
export function checkShipment({ shipment }: BookingRequest): FieldErrors {
  const problems = new BookingProblems();
  const { recipient } = shipment;
  const texts = {
    'ship_data.contact_name': clean(recipient.name),
    'ship_data.contact_phone': localPhone(recipient.phone),
    'ship_data.city': clean(recipient.city),
    'ship_data.street': addressOf(recipient).street,
  };
  for (const [path, text] of Object.entries(texts)) {
    const shortest = path === 'ship_data.contact_phone' ? MIN_PHONE : MIN_LENGTH;
    const isTooShort = lengthOf(text) < shortest;
    problems.reportIf(isTooShort, path, 'carrier_least', { limit: shortest });
  }
  problems.fit(USUAL_LIMITS, texts);
  checkDoor(problems, shipment);
  const { packages, pickupPointId, cod, returnType } = shipment;
  problems.reportIf(packages > 1, 'ship_data.packages', 'carrier_one_package');
  problems.reportIf(pickupPointId !== null, 'ship_data.pickup', 'carrier_without_points');
  problems.reportIf(cod !== null, 'ship_data.cod_amount', 'carrier_without_cash');
  problems.reportIf(returnType === 2, 'ship_data.return', 'carrier_without_round_trips');
  return problems.errors;
}
