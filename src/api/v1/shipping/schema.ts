import { type Static, type TProperties, Type } from 'typebox';
import { SHIPPING_STATUSES, type StatusCode } from '../../../domain/statuses.js';
import type { StoredType } from '../../../domain/stored-type.js';
import { closed, closedObject, nullableText, oneOf, stamps, when, whenOrNull } from '../../schemas.js';
import { plain } from '../responses.js';

const STATUS_TEXT = `One of ${SHIPPING_STATUSES.map(({ code, name }) => `\`${code}\` (${name})`).join(', ')}.`;

const Status = Type.Unsafe<StatusCode>({
  type: 'string',
  enum: SHIPPING_STATUSES.map(({ code }) => code),
  description: STATUS_TEXT,
  examples: ['in_transit'],
});

const KindSchema = oneOf<StoredType>(
  ['regular', 'double', 'collecting'],
  '`regular`: delivery. `collecting`: collection from the recipient. `double`: with a return leg, either way.',
);

const ShippingIdOut = Type.Integer({ description: 'Our id of the shipment.', examples: [5012] });
const IsActive = Type.Boolean({ description: 'False once cancelled, returned or lost.' });
const IsDelivered = Type.Boolean({ description: 'Whether the recipient has it.' });
const StatusText = Type.String({ description: "The carrier's text, or the status's name." });
const Code = Type.String({ description: "The carrier's tracking code.", examples: ['74100231'] });

/** 404 without envelope. */
export const shipmentMissing = plain(
  'The license has no shipment with this tracking code, or none was named.',
  'No query results for model [Shipment] 74100231',
);

/** A stored status. */
export const StatusSchema = closedObject('ShippingStatus', 'Status of a parcel.', {
  status: Status,
  description: StatusText,
  is_delivered: IsDelivered,
  updated_at: stamps.updated_at,
});

/** A stored status with the tracking code. */
export const CodedStatusSchema = closedObject(
  'CodedShippingStatus',
  'Status of a parcel, with its tracking code.',
  { code: Code, ...StatusSchema.properties },
);

const Step = closed('A step of a parcel.', {
  code: Status,
  description: StatusText,
  occurred_at: when('Time of the event, by the carrier.'),
  carrier_code: nullableText("The carrier's own code; null for steps recorded by us."),
  carrier_description: nullableText("The carrier's own text; null for steps recorded by us."),
  location: nullableText('Location; null when the carrier reports none.'),
});

/** A shipment in `get_order_details`. Logged responses omit the receiver. */
export const DetailsSchema = closedObject('ShippingDetails', 'A parcel with its history.', {
  code: Type.String({
    description:
      "The carrier's own status code, else a number. 1: open. 2: on the way. 3: delivered. 4: collected from the " +
      'customer. 5: returned. 8: cancelled. 12: on hold.',
    examples: ['2'],
  }),
  text: Type.String({
    description:
      "The carrier's text, or the status's name, without markup; for a cancelled parcel always the name.",
    examples: ['In transit'],
  }),
  receiver: Type.String({ description: 'Name of the recipient, without markup.' }),
  shipped_on: Type.Union([Type.String(), Type.Null()], {
    description: 'Day on which the carrier received it, d-m-Y in Israel; null before.',
    examples: ['25-11-2026'],
  }),
  tracking_code: Code,
  shipping_id: ShippingIdOut,
  status: Status,
  status_description: StatusText,
  is_delivered: IsDelivered,
  is_active: IsActive,
  type: KindSchema,
  packages: Type.Integer({ description: 'Number of packages.' }),
  order_id: Type.String({ description: "The store's order id." }),
  order_number: Type.String({ description: 'The order number for people.' }),
  created_at: stamps.created_at,
  updated_at: stamps.updated_at,
  checked_at: whenOrNull('When the carrier was last asked; null before.'),
  history: Type.Array(Step, { description: 'The history, oldest first.' }),
});

/** The look-up inside the envelope; always a success. */
export const LookupSchema = closed('The shipment, and whether the carrier answered.', {
  data: DetailsSchema,
  success: Type.Boolean({
    description: 'Whether the carrier answered; otherwise `data` is the last known state.',
  }),
  message: Type.String({ description: 'Why there is no answer of the carrier; else empty.' }),
});

/** A shipment in `POST /shipping/order`. */
export const ListedSchema = closed('A shipment of an order.', {
  shipping_id: ShippingIdOut,
  code: Code,
  type: KindSchema,
  status: Status,
  is_active: IsActive,
  created_at: stamps.created_at,
});

/** Order id → its shipments; the response to `orders`. */
export const ListSchema = Type.Unsafe<Record<string, Static<typeof ListedSchema>[]>>({
  type: 'object',
  additionalProperties: Type.Array(ListedSchema),
  description: 'Every requested order id with its shipments, newest first; empty when there are none.',
});

export const Company = closed('The company that ships.', {
  name: Type.String({ description: 'Display name of the company.' }),
});

/** A shipment in the form that stores keep; the response to `ids`. */
export const RowSchema = closed('A shipment as stores keep it.', {
  delivery_number: Code,
  company: Company,
  type: oneOf(['1', '2'], '1 delivery, 2 collection from the recipient.'),
  return: oneOf(['1', '2'], '1 one way, 2 with a return leg.'),
  delivery_time: Type.String({
    description: 'When it was made, `d-m-Y g-i-s` in Israel.',
    examples: ['25-11-2026 3-06-38'],
  }),
  license_key: Type.String({ description: 'The license that it was made with.' }),
  code: Code,
  status: Status,
  is_active: IsActive,
  created_at: stamps.created_at,
});

export const RowsSchema = Type.Array(RowSchema, {
  description: 'The shipments of all these orders, newest last; empty when there are none.',
});

/** A pickup point. Missing values are empty. */
export const SpotSchema = closedObject('PickupLocation', 'A place where recipients fetch parcels.', {
  name: Type.String({ description: 'Name of the place.' }),
  city: Type.String({ description: 'City.' }),
  street: Type.String({ description: 'Street, without the house number.' }),
  house: Type.String({ description: 'House number.' }),
  n_code: Type.String({ description: 'Id of the place: `ship_data.pickup` of `open_new_order`.' }),
  street_code: Type.String({ description: "The carrier's code of the street; empty when it has none." }),
  latitude: Type.String({ description: 'Degrees.' }),
  longitude: Type.String({ description: 'Degrees.' }),
  remarks: Type.String({ description: 'Opening hours and the like, as the carrier words them.' }),
});

const holder = <T extends TProperties>(properties: T) =>
  Type.Object(properties, { description: 'Holds the places.' });

export const LocationsSchema = Type.Object(
  {
    locations: holder({
      spots: holder({ spot_detail: Type.Array(SpotSchema, { description: 'Every place.' }) }),
    }),
  },
  { description: "The carrier's pickup points." },
);
