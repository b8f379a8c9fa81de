import type { FieldErrors } from '../../domain/errors.js';
import type { ShipmentDetails } from '../../domain/shipment.js';
import type { BookingRequest, CarrierAccount, StreetAddress } from '../contract.js';
import { toSlashDate } from '../israel-time.js';
import { localPhone, plainText } from '../text.js';
import type { LionwheelConfig } from './config.js';

const clean = (text: string | null | undefined): string => plainText(text ?? '');

/** One end of a task in the carrier's fields, whose names begin with `source_` or `destination_`. */
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

function merchantPlace({ street, number, city, company }: CarrierAccount['collectFrom']): Place {
  return {
    name: clean(company),
    recipient_name: clean(company),
    city: clean(city),
    street: clean(street),
    number: clean(number),
  };
}

/** What cannot be booked with this carrier as it stands: JSON path → messages. Nothing is sent. */
export function checkShipment(
  { shipment }: BookingRequest,
  { settings }: LionwheelConfig,
  collectFrom: CarrierAccount['collectFrom'],
): FieldErrors {
  const errors: FieldErrors = {};
  const report = (path: string, message: string) => {
    errors[path] = [...(errors[path] ?? []), message];
  };
  const { recipient, pickupPointId, cod, serviceType } = shipment;
  if (clean(recipient.city) === '')
    report('ship_data.city', 'The ship_data.city field is required by the carrier.');
  if (serviceType === 2 && clean(collectFrom.city) === '') {
    report(
      'ship_data.type',
      'The license has no address to which the carrier could bring a collected parcel.',
    );
  }
  if (pickupPointId !== null && !/^[\w-]{1,64}$/.test(pickupPointId)) {
    report('ship_data.pickup', 'The carrier has no such pickup point.');
  }
  if (cod !== null && settings.cod_type === undefined) {
    report('ship_data.cod', 'The carrier account has no cash on delivery service.');
  }
  if (cod !== null && cod.currency !== 'ILS') report('ship_data.cod', 'The carrier collects ILS only.');
  return errors;
}

/** Body of `tasks/create`. Empty fields are left out. */
export function taskBody(
  { reference, orderNumber, shipment }: BookingRequest,
  { settings }: LionwheelConfig,
  collectFrom: CarrierAccount['collectFrom'],
): Record<string, string | number | boolean> {
  const { cod, recipient } = shipment;
  const order = clean(orderNumber);
  const ends = [merchantPlace(collectFrom), recipientPlace(shipment)];
  const [source, destination] = shipment.serviceType === 1 ? ends : ends.toReversed();
  const recipientEnd = shipment.serviceType === 1 ? 'destination' : 'source';
  const texts = {
    original_order_id: reference,
    ...prefixed('source', source),
    ...prefixed('destination', destination),
    ...(shipment.serviceType === 1 ? { destination_entrance: clean(recipient.entrance) } : {}),
    [`${recipientEnd}_notes`]: clean(shipment.note),
    notes: [order === '' ? '' : `#${order}`, clean(shipment.extraNote)]
      .filter((part) => part !== '')
      .join(' '),
    pickup_at: toSlashDate(shipment.collectOn),
    self_pickup_point_uuid: shipment.pickupPointId ?? '',
  };
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== '')),
    packages_quantity: shipment.packages,
    is_roundtrip: shipment.returnType === 2,
    urgency: shipment.urgent ? 'URGENT' : 'REGULAR',
    ...(settings.company_id === undefined ? {} : { company_id: settings.company_id }),
    ...(cod === null ? {} : { money_collect: agorot(cod.amount), cod_type: settings.cod_type ?? 0 }),
  };
}

function prefixed(end: string, place: Place = {}): Place {
  return Object.fromEntries(Object.entries(place).map(([name, value]) => [`${end}_${name}`, value]));
}

/** A decimal amount with two places in hundredths, without the detour over fractions. */
function agorot(amount: string): number {
  const [whole = '0', fraction = ''] = amount.split('.');
  return Number(`${whole}${fraction.padEnd(2, '0').slice(0, 2)}`);
}

/** Body of `tasks/check_region`. */
export function regionBody({ city, street, number }: StreetAddress): Record<string, string> {
  return { city: clean(city), street: clean(street), number: clean(number) };
}
