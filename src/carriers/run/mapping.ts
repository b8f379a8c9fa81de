import { readPhone } from '../../domain/phone.js';
import type { FieldErrors } from '../../domain/problems/problem.js';
import type { CollectionPlace, Money, Recipient } from '../../domain/shipment.js';
import { toSlashDate } from '../../lib/israel-time.js';
import { BookingProblems } from '../booking-problems.js';
import type { BookingRequest } from '../contract.js';
import { cut, divided, lengthOf, clean as plainText, words } from '../text.js';
import type { RunConfig } from './config.js';

/** Characters that separate arguments or URL parameters; in a value they would shift the rest. */
const SEPARATORS = ',&|';
/** Maximum characters of the street, the address notes and the notes. */
const STREET = 30;
const ADDRESS_NOTES = 70;
const NOTES = 80;

/** Maximum characters of fields that must not be cut, by path. */
const LIMITS = {
  'ship_data.city': 30,
  'ship_data.contact_phone': 20,
  'ship_data.contact_mail': 100,
} as const;

/** Maximum packages of a shipment; for more than the contract allows the carrier answers 1200 or 1300. */
const MAX_PACKAGES = 99;

const clean = (text: string | null | undefined): string => plainText(text, SEPARATORS);
const field = (text: string | null | undefined, max: number): string => cut(clean(text), max);

/** The recipient in the carrier's fields. */
interface Address {
  name: string;
  phone: string;
  secondPhone: string;
  email: string;
  city: string;
  street: string;
  house: string;
  entrance: string;
  floor: string;
  flat: string;
  /** Texts that did not fit into their fields, by path. */
  overflow: readonly { path: string; text: string }[];
}

function addressOf(recipient: Recipient): Address {
  const overflow: { path: string; text: string }[] = [];
  const goesOn = (path: string, text: string) => {
    if (text !== '') overflow.push({ path: `ship_data.${path}`, text });
  };
  const fit = (path: string, text: string | null, max: number, label: string): string => {
    const value = clean(text);
    if (lengthOf(value) <= max) return value;
    goesOn(path, `${label} ${value}`);
    return '';
  };
  const street = divided(clean(recipient.street), STREET);
  goesOn('street', street.tail);
  const house = fit('number', recipient.number, 5, 'מס');
  goesOn('number', clean(recipient.secondLine));
  const doors = {
    entrance: fit('entrance', recipient.entrance, 1, 'כניסה'),
    floor: fit('floor', recipient.floor, 2, 'קומה'),
    flat: fit('apartment', recipient.apartment, 4, 'דירה'),
  };
  const phone = readPhone(recipient.phone);
  const second = readPhone(phone?.others ?? '');
  const others = clean(second?.others ?? phone?.others);
  goesOn('contact_phone', others === '' ? '' : `טלפון ${others}`);
  return {
    name: field(recipient.name, 20),
    phone: phone?.number ?? '',
    secondPhone: second?.number ?? '',
    email: clean(recipient.email),
    city: clean(recipient.city),
    street: street.head,
    house,
    ...doors,
    overflow,
  };
}

/** The rest of the address for the address notes, and what does not fit there. */
function overflowOf({ overflow }: Address): { head: string; tail: string } {
  return divided(words(...overflow.map(({ text }) => text)), ADDRESS_NOTES);
}

/** The carrier's two notes: the rest of the address, the order number, then the caller's notes. */
function notesOf(
  address: Address,
  { orderNumber, shipment }: Pick<BookingRequest, 'orderNumber' | 'shipment'>,
) {
  const { head, tail } = overflowOf(address);
  const order = clean(orderNumber);
  const beside = divided(words(head, clean(shipment.note)), ADDRESS_NOTES);
  // When the address fills the first note, the whole caller's note goes into the second.
  const [first, note] = tail === '' ? [beside.head, beside.tail] : [head, clean(shipment.note)];
  const others = words(tail, order === '' ? '' : `#${order}`, note, clean(shipment.extraNote));
  const second = divided(others, NOTES);
  return { first, second: second.head, isCut: second.tail !== '' };
}

/** Whether the carrier's two notes are too short for the shipment's. */
export function cutsNote(request: Pick<BookingRequest, 'orderNumber' | 'shipment'>): boolean {
  return notesOf(addressOf(request.shipment.recipient), request).isCut;
}

/** Reasons why this carrier cannot book the shipment: JSON path → messages. Sends nothing. */
export function checkShipment({ shipment }: BookingRequest, { settings }: RunConfig): FieldErrors {
  const problems = new BookingProblems();
  const { recipient, pickupPointId, packages, returnType } = shipment;
  const address = addressOf(recipient);
  // API v1 accepts orders without a phone, and the carrier does not refuse them.
  const phone = recipient.phone.trim() === '' ? {} : { 'ship_data.contact_phone': address.phone };
  const texts = {
    ...phone,
    'ship_data.contact_name': address.name,
    'ship_data.city': address.city,
    'ship_data.street': address.street,
  };
  problems.require(pickupPointId === null ? texts : { ...texts, 'ship_data.street': 'a point' });
  problems.fit(LIMITS, { ...texts, 'ship_data.contact_mail': address.email });
  if (lengthOf(overflowOf(address).tail) > NOTES) {
    const [longest] = address.overflow.toSorted((a, b) => b.text.length - a.text.length);
    const path = longest?.path ?? 'ship_data.street';
    problems.report(path, 'carrier_address', { other: path });
  }
  const limit = MAX_PACKAGES;
  problems.reportIf(packages > limit, 'ship_data.packages', 'carrier_packages', { limit });
  if (pickupPointId !== null) {
    const hasPoints = settings.pickup_shipment_type !== undefined;
    const path = 'ship_data.pickup';
    problems.reportIf(!hasPoints, path, 'account_without_points');
    problems.reportIf(!/^\d{1,12}$/.test(pickupPointId), path, 'carrier_unknown_point');
  }
  problems.cash(shipment, settings.cod_type);
  const hasRoundTrips = returnType === 1 || settings.cargo_type_back !== undefined;
  problems.reportIf(!hasRoundTrips, 'ship_data.return', 'account_without_round_trips');
  return problems.errors;
}

export function bookingArguments(
  { reference, orderNumber, shipment }: BookingRequest,
  { settings }: RunConfig,
  collectFrom: CollectionPlace,
): string[] {
  const to = addressOf(shipment.recipient);
  const { cod, pickupPointId } = shipment;
  const deliver = shipment.serviceType === 1;
  const roundTrip = shipment.returnType === 2;
  const point = pickupPointId ?? '';
  const date = toSlashDate(shipment.collectOn);
  const notes = notesOf(to, { orderNumber, shipment });
  // Position (from 1) → argument; the others are empty text. P26 stays empty: the carrier refuses a repeated
  // second reference, and two parcels may share an order.
  const filled = new Map([
    [1, numeric(settings.customer_number)],
    [2, textual(deliver ? 'מסירה' : 'איסוף')],
    [3, numeric(shipmentType(pickupPointId, cod !== null, settings))],
    [4, numeric(settings.stage ?? '')],
    [5, textual(field(collectFrom.company, 10))],
    [7, numeric(settings.cargo_type_out)],
    [8, numeric(roundTrip ? (settings.cargo_type_back ?? '') : '')],
    [9, numeric(roundTrip ? '1' : '')],
    [11, textual(to.name)],
    [13, textual(to.city)],
    // A pickup point is found by its number, so the street may be cut.
    [15, textual(point === '' ? to.street : cut(to.street, 30))],
    [16, textual(to.house)],
    [17, textual(to.entrance)],
    [18, textual(to.floor)],
    [19, textual(to.flat)],
    [20, textual(to.phone)],
    [21, textual(to.secondPhone)],
    [22, textual(field(reference, 200))],
    [23, numeric(String(shipment.packages))],
    [24, textual(notes.first)],
    [25, textual(notes.second)],
    [27, textual(date)],
    ...cashArguments(cod, date, settings),
    [34, numeric(deliver ? '' : point)],
    [35, numeric(deliver ? point : '')],
    [36, textual('XML')],
    [37, textual('N')],
    [40, textual(to.email)],
  ]);
  return Array.from({ length: 42 }, (_, index) => filled.get(index + 1) ?? textual(''));
}

function cashArguments(cod: Money | null, date: string, settings: RunConfig['settings']): [number, string][] {
  if (cod === null) return [30, 31].map((position) => [position, numeric('')]);
  return [
    [30, numeric(settings.cod_type ?? '')],
    [31, numeric(cod.amount)],
    [32, textual(date)],
  ];
}

function shipmentType(point: string | null, cod: boolean, settings: RunConfig['settings']): string {
  if (point !== null) return settings.pickup_shipment_type ?? settings.shipment_type;
  return (cod ? settings.cod_shipment_type : undefined) ?? settings.shipment_type;
}

/** Arguments of `ship_status_xml` by parcel number. They match other customers' parcels too: check the owner. */
export function numberArguments(trackingCode: string): string[] {
  return [numeric(trackingCode.replace(/\D/g, '')), textual('')];
}

/** Arguments of `ship_status_xml` by our reference, limited to the customer's own shipments. */
export function referenceArguments(reference: string, { settings }: RunConfig): string[] {
  return [numeric(''), textual(clean(reference)), textual(''), numeric(settings.customer_number)];
}

/** Arguments of `ship_print_ws`. */
export function labelArguments(trackingCode: string): string[] {
  return [numeric(trackingCode.replace(/\D/g, ''))];
}

/** Arguments of `bitul_mishloah`. */
export function cancelArguments(carrierCode: string, { settings }: RunConfig): string[] {
  return [
    textual(clean(carrierCode)),
    textual(''),
    textual(''),
    textual(''),
    numeric(settings.customer_number),
  ];
}

function numeric(value: string): string {
  return `-N${value}`;
}

function textual(value: string): string {
  return `-A${value}`;
}
