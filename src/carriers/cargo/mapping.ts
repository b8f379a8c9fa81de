import type { FieldErrors } from '../../domain/problems/problem.js';
import type { CollectionPlace, ShipmentDetails } from '../../domain/shipment.js';
import { dayInJerusalem } from '../../lib/time.js';
import { endsOf } from '../addresses.js';
import { BookingProblems } from '../booking-problems.js';
import type { BookingRequest, ParcelRef } from '../contract.js';
import { clean, localPhone, otherPhones, words } from '../text.js';
import type { CargoConfig } from './config.js';

type Settings = CargoConfig['settings'];

/** An address in the carrier's fields; all of them are sent. */
type Place = Record<string, string>;

function recipientPlace({ recipient, pickupAddress }: ShipmentDetails): Place {
  return {
    name: clean(recipient.name),
    company: clean(recipient.company),
    // Orders for a box point may lack the recipient's street, but the carrier requires one.
    street1: clean(recipient.street) || clean(pickupAddress),
    street2: words(clean(recipient.number), clean(recipient.secondLine)),
    city: clean(recipient.city),
    phone: localPhone(recipient.phone),
    email: clean(recipient.email),
    floor: clean(recipient.floor),
    apartment: clean(recipient.apartment),
    entrance: clean(recipient.entrance),
  };
}

function merchantPlace(
  { street, number, city, company }: CollectionPlace,
  { sender_phone }: Settings,
): Place {
  return {
    name: clean(company),
    company: clean(company),
    street1: clean(street),
    street2: clean(number),
    city: clean(city),
    phone: localPhone(sender_phone),
  };
}

/** Reasons why this carrier cannot book the shipment: JSON path → messages. Sends nothing. */
export function checkShipment(
  { shipment }: BookingRequest,
  { settings }: CargoConfig,
  now: Date,
): FieldErrors {
  const problems = new BookingProblems();
  const { pickupPointId, serviceType } = shipment;
  const to = recipientPlace(shipment);
  problems.require({
    'ship_data.city': to.city,
    'ship_data.contact_phone': to.phone,
    'ship_data.street': pickupPointId === null ? to.street1 : 'a point',
  });
  const isPoint = pickupPointId === null || /^[1-9]\d{0,8}$/.test(pickupPointId);
  problems.reportIf(!isPoint, 'ship_data.pickup', 'carrier_unknown_point');
  problems.reportIf(
    pickupPointId !== null && serviceType === 2,
    'ship_data.pickup',
    'carrier_collects_at_addresses',
  );
  problems.reportIf(
    shipment.collectOn > dayInJerusalem(now),
    'ship_data.exaction_date',
    'carrier_comes_today',
  );
  problems.cash(shipment, settings.cod_type);
  return problems.errors;
}

/** The merchant's number to book the shipment under. */
export function customerCodeOf(
  { pickupPointId, serviceType }: Pick<ShipmentDetails, 'pickupPointId' | 'serviceType'>,
  settings: Settings,
): number {
  const special = pickupPointId === null ? undefined : settings.box_customer_code;
  const collection = serviceType === 2 ? settings.collection_customer_code : undefined;
  return special ?? collection ?? settings.customer_code;
}

/** Body of `shipments/create`. */
export function shipmentBody(
  { reference, orderNumber, shipment }: BookingRequest,
  { settings }: CargoConfig,
  collectFrom: CollectionPlace,
): Record<string, unknown> {
  const { cod, pickupPointId, serviceType } = shipment;
  const { from, to } = endsOf(shipment, merchantPlace(collectFrom, settings), recipientPlace(shipment));
  return {
    shipping_type: serviceType,
    number_of_parcels: shipment.packages,
    double_delivery: shipment.returnType,
    transaction_id: reference,
    order_id: clean(orderNumber),
    cod_type: cod === null ? 0 : (settings.cod_type ?? 0),
    cash_on_delivery: cod === null ? 0 : Number(cod.amount),
    carrier_id: pickupPointId === null ? 1 : 0,
    ...(pickupPointId === null ? {} : { box_point_id: Number(pickupPointId) }),
    notes: words(otherPhones(shipment.recipient.phone), clean(shipment.note), clean(shipment.extraNote)),
    platform: 'API',
    customer_code: customerCodeOf(shipment, settings),
    to_address: to,
    from_address: from,
  };
}

/** Identifies a parcel in later calls: its number, and the merchant's number it was booked under. */
export function parcelBody(
  { trackingCode, carrierReference }: ParcelRef,
  { settings }: CargoConfig,
): { shipment_id: number; customer_code: number } {
  const isCode = carrierReference !== null && /^\d{1,9}$/.test(carrierReference);
  return {
    shipment_id: shipmentId(trackingCode),
    customer_code: isCode ? Number(carrierReference) : settings.customer_code,
  };
}

/** The number in a tracking code; 0, which no parcel has, when there is none. */
function shipmentId(trackingCode: string): number {
  return /^\d{1,15}$/.test(trackingCode) ? Number(trackingCode) : 0;
}

/** Path and body of the call for a parcel's label, in the paper format of the license. */
export function labelCall(parcel: ParcelRef, { settings }: CargoConfig): { path: string; body: object } {
  const shipment_ids = [shipmentId(parcel.trackingCode)];
  if (settings.label_sheet === 'a4') {
    return {
      path: 'print-label-a4',
      body: { shipment_ids, starting_point: settings.label_position ?? 1 },
    };
  }
  return { path: 'print-label', body: { shipment_ids, format: settings.label_format ?? 'base64' } };
}
