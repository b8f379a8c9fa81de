import { type Static, Type } from 'typebox';
import { SHIPMENT_SORTS } from '../../../domain/shipment-list.js';
import { SETTABLE_STATUSES, type SettableStatus, SHIPPING_STATUSES } from '../../../domain/statuses.js';
import { closedObject, nullableText, stamps, when, whenOrNull } from '../../schemas.js';
import { MOMENT_PATTERN } from '../../validation.js';
import { carrierOf, licenseKeyQuery, optionalText, pathUuid, perPageQuery } from '../schemas.js';

const STATUS_CODES = SHIPPING_STATUSES.map((status) => status.code);
type StatusCodeText = (typeof STATUS_CODES)[number];

const MEANINGS: Readonly<Record<StatusCodeText, string>> = {
  pending: 'the carrier has not answered yet',
  needs_attention: 'it is not known whether the carrier booked it, or cancelled it; an operator decides',
  created: 'the carrier accepted it',
  collected: 'the carrier has it in hand',
  in_transit: 'on its way',
  at_pickup_point: 'waits for the recipient at the pickup point',
  out_for_delivery: 'a courier brings it now',
  delivery_failed: 'an attempt to deliver failed; another may follow',
  returning: 'on its way back to the sender',
  delivered: 'the recipient has it; final',
  returned: 'the sender has it back; final',
  cancelled: 'cancelled; final',
  lost: 'the carrier lost it; final',
};

function meaningsOf(codes: readonly StatusCodeText[]): string {
  return codes.map((code) => `\`${code}\`: ${MEANINGS[code]}.`).join(' ');
}

function statusCode(description: string) {
  return Type.Unsafe<StatusCodeText>({ type: 'string', enum: STATUS_CODES, description });
}

const StatusCodeSchema = statusCode(meaningsOf(STATUS_CODES));

const Address = closedObject('Address', 'Where the parcel goes, or is collected.', {
  street: Type.String({ description: 'Street, without the house number.' }),
  number: Type.String({ description: 'House number.' }),
  city: Type.String({ description: 'City.' }),
  state: nullableText('State or district; null when none was given.'),
  zip: Type.String({ description: 'Postal code; empty when none was given.' }),
  country: Type.String({
    description: 'ISO 3166-1 alpha-2; `ZZ` where an order of API v1 names no country that we know.',
  }),
});

const Status = closedObject('Status', 'Status of the parcel.', {
  code: StatusCodeSchema,
  description: Type.String({
    description: "The carrier's own text, in the carrier's language, or the name of the status.",
  }),
  is_delivered: Type.Boolean({ description: 'Whether the recipient has it.' }),
});

export const CodSchema = Type.Union(
  [
    closedObject('CashOnDelivery', 'Cash that the courier collects.', {
      amount: Type.String({ description: 'Decimal text with two places.', examples: ['120.00'] }),
      currency: Type.String({ description: 'ISO 4217.', examples: ['ILS'] }),
    }),
    Type.Null(),
  ],
  { description: 'Cash on delivery; null when nothing is collected.' },
);

export const ShipmentSchema = closedObject('Shipment', 'A shipment.', {
  uuid: Type.String({ format: 'uuid', description: 'Names the shipment in every route.' }),
  tracking_code: nullableText('Carrier tracking code; null until the carrier accepted.'),
  carrier: carrierOf('ShipmentCarrier', 'The carrier that has the parcel.'),
  status: Status,
  service_type: Type.Enum(['1', '2'], {
    description: '`1`: delivery to the recipient. `2`: collection from the recipient.',
  }),
  is_active: Type.Boolean({
    description: 'False once cancelled, returned or lost; then the order may be shipped again.',
  }),
  recipient: closedObject('Recipient', 'Who receives the parcel, or hands it over at a collection.', {
    name: Type.String({ description: 'Name of the recipient.' }),
    phone: Type.String({ description: 'Phone of the recipient.' }),
    company: nullableText('Company of the recipient; null when none was given.'),
    address: Address,
  }),
  pickup_point_id: nullableText(
    'The pickup point to which the parcel goes; null for a delivery to an address.',
  ),
  packages: Type.Integer({ minimum: 1, description: 'Number of packages.' }),
  cod: CodSchema,
  order: closedObject('ShipmentOrder', 'The order of the store that the shipment is for.', {
    id: Type.String({ description: "The store's own order id." }),
    number: Type.String({ description: 'The order number for people.' }),
  }),
  references: closedObject('References', 'Ids of the caller.', {
    external_id: nullableText('`order.external_id` of the creation.'),
  }),
  short_tracking_code: nullableText('Key of the public tracking page.'),
  label_generated: Type.Boolean({ description: 'Whether a label was made.' }),
  collection_status: Type.Unsafe<'awaiting_collection' | 'collected' | null>({
    type: ['string', 'null'],
    enum: ['awaiting_collection', 'collected', null],
    description:
      '`awaiting_collection` until the carrier has the parcel, then `collected`. Null for deliveries.',
  }),
  collected_at: whenOrNull('When the carrier received the parcel; null before.'),
  ready_at: whenOrNull('When the first label was made; null before.'),
  ...stamps,
});
export type Shipment = Static<typeof ShipmentSchema>;

export const ShipmentStatusSchema = closedObject('ShipmentStatus', 'Status and history of a parcel.', {
  uuid: Type.String({ format: 'uuid', description: 'The uuid of the shipment.' }),
  tracking_code: nullableText("The carrier's tracking code; null until the carrier accepted."),
  status: Status,
  is_active: Type.Boolean({ description: 'False once cancelled, returned or lost.' }),
  checked_at: whenOrNull('When the carrier was last asked; null before.'),
  history: Type.Array(
    closedObject('StatusEvent', 'A step of a parcel.', {
      code: StatusCodeSchema,
      description: Type.String({
        description: "The carrier's own text, in the carrier's language, or the name of the status.",
      }),
      occurred_at: when('Time of the event, by the carrier.'),
      carrier_code: nullableText("The carrier's own code; null for steps recorded by us."),
      carrier_description: nullableText(
        "The carrier's own text, in the carrier's language; null for steps recorded by us.",
      ),
      location: nullableText('Location; null when the carrier reports none.'),
    }),
    {
      description: "The history, oldest first. The carrier's own `created` replaces ours.",
    },
  ),
});
export type ShipmentStatus = Static<typeof ShipmentStatusSchema>;

const moment = (which: string) =>
  Type.Optional(
    Type.String({
      pattern: MOMENT_PATTERN,
      description: `Only shipments created ${which} this moment: ISO 8601 with a zone, or a day (UTC).`,
      examples: ['2026-11-21T00:00:00Z'],
    }),
  );

export const ListShipmentsQuery = Type.Object({
  license_key: licenseKeyQuery,
  'filter[active]': Type.Optional(
    Type.Boolean({ description: 'true, false, 1 or 0. Omitted: active and inactive ones.' }),
  ),
  'filter[type]': Type.Optional(
    Type.Enum([1, 2], { description: 'Only deliveries (1) or only collections (2).' }),
  ),
  'filter[status]': Type.Optional(
    statusCode(
      'Only shipments in this status. `pending` and `needs_attention` list creations in progress, which no other ' +
        'list shows.',
    ),
  ),
  'filter[label_generated]': Type.Optional(
    Type.Boolean({ description: 'Only shipments with a label (true), or without one (false).' }),
  ),
  'filter[order_id]': Type.Optional(
    Type.String({ maxLength: 191, description: "Only shipments of this order: the store's own order id." }),
  ),
  'filter[tracking_code]': Type.Optional(
    Type.String({ maxLength: 64, description: "Only the shipment with this carrier's tracking code." }),
  ),
  'filter[created_from]': moment('at or after'),
  'filter[created_to]': moment('at or before'),
  sort: Type.Optional(
    Type.Enum([...SHIPMENT_SORTS, ...SHIPMENT_SORTS.map((column) => `-${column}`)], {
      description: 'Column, with `-` in front for descending. Default `-created_at`.',
    }),
  ),
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Number of the page.' }),
  ),
  per_page: perPageQuery,
});

/** Optional body. */
export const CancelShipmentBody = Type.Object(
  { reason: optionalText('Why; kept in the history.', { maxLength: 255 }) },
  { title: 'CancelShipment', description: 'Why a shipment is cancelled.' },
);

export const SetStatusBody = Type.Object(
  {
    code: Type.Unsafe<SettableStatus>({
      type: 'string',
      enum: [...SETTABLE_STATUSES],
      description: meaningsOf(SETTABLE_STATUSES),
    }),
    description: optionalText('What recipients read in its place; the name of the status by default.', {
      maxLength: 500,
    }),
    occurred_at: optionalText('When it happened: ISO 8601 with a zone; now by default.', {
      pattern: MOMENT_PATTERN,
      examples: ['2026-11-21T11:58:00Z'],
    }),
  },
  { title: 'SetShipmentStatus', description: 'A status that a person reports.' },
);

export const StatusQuery = Type.Object({
  refresh: Type.Optional(Type.Boolean({ description: 'Ask the carrier now, for 10 seconds at most.' })),
});

export const ShipmentParams = Type.Object({
  uuid: pathUuid('The uuid of the shipment.', '019aa5a6-7c3a-7d4e-8f00-3f1c1d2e4b5a'),
});
