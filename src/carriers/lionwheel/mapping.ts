import type { FieldErrors } from '../../domain/problems/problem.js';
import type { CollectionPlace, ShipmentDetails } from '../../domain/shipment.js';
import { toSlashDate } from '../../lib/israel-time.js';
import { endsOf, hundredths } from '../addresses.js';
import { BookingProblems } from '../booking-problems.js';
import type { BookingRequest, StreetAddress } from '../contract.js';
import { filled } from '../json.js';
import { clean, labelled, localPhone, otherPhones, words } from '../text.js';
import type { LionwheelConfig } from './config.js';

/** One end of a task in the carrier's fields, named `source_…` or `destination_…`. */
type Place = Record<string, string>;

function recipientPlace({ recipient }: ShipmentDetails): Place {
  return {
    name: clean(recipient.company),
    recipient_name: clean(recipient.name),
    phone: localPhone(recipient.phone),
    email: clean(recipient.email),
    city: clean(recipient.city),
    street: clean(recipient.street),
    number: clean(recipient.number),
    floor: clean(recipient.floor),
    apartment: clean(recipient.apartment),
    zip_code: clean(recipient.zip),
  };
}

function merchantPlace({ street, number, city, company }: CollectionPlace): Place {
  return {
    name: clean(company),
    recipient_name: clean(company),
    city: clean(city),
    street: clean(street),
    number: clean(number),
  };
}

/** Reasons why this carrier cannot book the shipment: JSON path → messages. Sends nothing. */
export function checkShipment(
  { shipment }: BookingRequest,
  { settings }: LionwheelConfig,
  collectFrom: CollectionPlace,
): FieldErrors {
  const problems = new BookingProblems();
  const { recipient, pickupPointId, serviceType } = shipment;
  problems.require({ 'ship_data.city': clean(recipient.city) });
  problems.reportIf(
    serviceType === 2 && clean(collectFrom.city) === '',
    'ship_data.type',
    'license_without_address',
  );
  const isPoint = pickupPointId === null || /^[\w-]{1,64}$/.test(pickupPointId);
  problems.reportIf(!isPoint, 'ship_data.pickup', 'carrier_unknown_point');
  problems.cash(shipment, settings.cod_type);
  return problems.errors;
}

/** Body of `tasks/create`. Empty fields are left out. */
export function taskBody(
  { reference, orderNumber, shipment }: BookingRequest,
  { settings }: LionwheelConfig,
  collectFrom: CollectionPlace,
): Record<string, string | number | boolean> {
  const { cod, recipient } = shipment;
  const order = clean(orderNumber);
  const { from, to } = endsOf(shipment, merchantPlace(collectFrom), recipientPlace(shipment));
  const recipientEnd = shipment.serviceType === 1 ? 'destination' : 'source';
  const texts = {
    original_order_id: reference,
    ...prefixed('source', from),
    ...prefixed('destination', to),
    ...(shipment.serviceType === 1 ? { destination_entrance: clean(recipient.entrance) } : {}),
    [`${recipientEnd}_notes`]: words(
      clean(recipient.secondLine),
      // The source of a task has no such field.
      shipment.serviceType === 1 ? '' : labelled('כניסה', recipient.entrance),
      otherPhones(recipient.phone),
      clean(shipment.note),
    ),
    notes: words(order === '' ? '' : `#${order}`, clean(shipment.extraNote)),
    pickup_at: toSlashDate(shipment.collectOn),
    self_pickup_point_uuid: shipment.pickupPointId ?? '',
  };
  return {
    ...filled<string>(texts),
    packages_quantity: shipment.packages,
    is_roundtrip: shipment.returnType === 2,
    urgency: shipment.urgent ? 'URGENT' : 'REGULAR',
    ...(settings.company_id === undefined ? {} : { company_id: settings.company_id }),
    ...(cod === null ? {} : { money_collect: hundredths(cod.amount), cod_type: settings.cod_type ?? 0 }),
  };
}

function prefixed(end: string, place: Place): Place {
  return Object.fromEntries(Object.entries(place).map(([name, value]) => [`${end}_${name}`, value]));
}

/** Body of `tasks/check_region`. */
export function regionBody({ city, street, number }: StreetAddress): Record<string, string> {
  return { city: clean(city), street: clean(street), number: clean(number) };
}
