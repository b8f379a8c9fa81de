import type { FieldErrors } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/shipment.js';
import type { BookingRequest, CarrierAccount, FieldLimit, PackageSize, StreetAddress } from '../contract.js';
import { cut, lengthOf, localPhone, plainText } from '../text.js';
import type { GetpackageConfig } from './config.js';
import type { Slot } from './replies.js';

/** The carrier publishes no greatest lengths: these are this project's own caution. */
export const GETPACKAGE_LIMITS = [
  { path: 'ship_data.contact_name', maxLength: 100, whenTooLong: 'cut' },
  { path: 'ship_data.city', maxLength: 100, whenTooLong: 'report' },
  { path: 'ship_data.street', maxLength: 150, whenTooLong: 'report' },
  { path: 'ship_data.contact_phone', maxLength: 20, whenTooLong: 'report' },
  { path: 'ship_data.note', maxLength: 500, whenTooLong: 'cut' },
] as const satisfies readonly FieldLimit[];

/** Shortest text that the carrier takes in any field, and shortest phone number. */
const MIN_LENGTH = 2;
const MIN_PHONE = 8;

const clean = (text: string | null | undefined): string => plainText(text ?? '');
const words = (...parts: string[]): string => parts.filter((part) => part !== '').join(' ');

/** Leaves out what is too short for the carrier: an optional text of one letter would refuse the whole booking. */
function longEnough(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => lengthOf(text) >= MIN_LENGTH));
}

function addressOf({ city, street, number }: StreetAddress): JsonObject {
  return { country: 'IL', ...longEnough({ city: clean(city), street: words(clean(street), clean(number)) }) };
}

/** Where the parcel goes from and to: collections go the other way round. */
function endsOf<T>({ shipment }: BookingRequest, merchant: T, recipient: T): { from: T; to: T } {
  const collection = shipment.serviceType === 2;
  return collection ? { from: recipient, to: merchant } : { from: merchant, to: recipient };
}

function recipientAddress({ shipment: { recipient } }: BookingRequest): StreetAddress {
  return { city: recipient.city ?? '', street: recipient.street ?? '', number: recipient.number };
}

function recipientPoint(request: BookingRequest): JsonObject {
  const { recipient, note, extraNote } = request.shipment;
  const labelled = (label: string, text: string | null) =>
    clean(text) === '' ? '' : `${label} ${clean(text)}`;
  const instructions = words(
    labelled('כניסה', recipient.entrance),
    labelled('קומה', recipient.floor),
    labelled('דירה', recipient.apartment),
    clean(recipient.company),
    clean(note),
    clean(extraNote),
    labelled('הזמנה', request.orderNumber),
  );
  const point = { contactName: cut(clean(recipient.name), 100), instructions: cut(instructions, 500) };
  const contactPhoneNumber = localPhone(recipient.phone);
  return { address: addressOf(recipientAddress(request)), ...longEnough({ ...point, contactPhoneNumber }) };
}

function merchantPoint(
  { settings }: GetpackageConfig,
  collectFrom: CarrierAccount['collectFrom'],
): JsonObject {
  const contactName = cut(clean(collectFrom.company), 100);
  const contactPhoneNumber = localPhone(settings.collect_phone ?? '');
  return { address: addressOf(collectFrom), ...longEnough({ contactName, contactPhoneNumber }) };
}

/** Body of a quote, and of the question for the next window: addresses and a size, nothing else is taken. */
export function quoteBody(from: StreetAddress, to: StreetAddress, size: PackageSize): JsonObject {
  return {
    pickUpPoint: { address: addressOf(from) },
    dropOffPoint: { address: addressOf(to) },
    package: { size },
  };
}

/** Body of the question for the next window of a booking. */
export function slotBody(
  request: BookingRequest,
  { settings }: GetpackageConfig,
  collectFrom: CarrierAccount['collectFrom'],
): JsonObject {
  const { from, to } = endsOf<StreetAddress>(request, collectFrom, recipientAddress(request));
  return quoteBody(from, to, settings.package_size ?? 'SMALL');
}

/** Body of a booking; `packageId` is our reference. */
export function bookingBody(
  request: BookingRequest,
  config: GetpackageConfig,
  collectFrom: CarrierAccount['collectFrom'],
  slot: Slot,
): JsonObject {
  const { from, to } = endsOf(request, merchantPoint(config, collectFrom), recipientPoint(request));
  return {
    pickUpPoint: from,
    dropOffPoint: { ...to, validationMethodType: 'SMS' },
    package: { size: config.settings.package_size ?? 'SMALL', packageId: request.reference },
    ...slot,
  };
}

/** What cannot be booked with this carrier as it stands: JSON path → messages. Nothing is sent. */
export function checkShipment({ shipment }: BookingRequest): FieldErrors {
  const errors: FieldErrors = {};
  const report = (path: string, message: string) => {
    errors[path] = [...(errors[path] ?? []), message];
  };
  const { recipient } = shipment;
  const fields: [string, string, number][] = [
    ['ship_data.contact_name', clean(recipient.name), MIN_LENGTH],
    ['ship_data.contact_phone', localPhone(recipient.phone), MIN_PHONE],
    ['ship_data.city', clean(recipient.city), MIN_LENGTH],
    ['ship_data.street', words(clean(recipient.street), clean(recipient.number)), MIN_LENGTH],
  ];
  for (const [path, text, shortest] of fields) {
    if (lengthOf(text) < shortest)
      report(path, `The carrier needs at least ${shortest} characters in ${path}.`);
    const limit = GETPACKAGE_LIMITS.find((one) => one.path === path && one.whenTooLong === 'report');
    if (limit === undefined || lengthOf(text) <= limit.maxLength) continue;
    report(path, `The carrier takes at most ${limit.maxLength} characters in ${path}.`);
  }
  if (shipment.packages > 1) report('ship_data.packages', 'The carrier takes one package a delivery.');
  if (shipment.pickupPointId !== null) report('ship_data.pickup', 'The carrier has no pickup points.');
  if (shipment.cod !== null) report('ship_data.cod', 'The carrier collects no cash.');
  if (shipment.returnType === 2) report('ship_data.return', 'The carrier has no round trips.');
  return errors;
}
