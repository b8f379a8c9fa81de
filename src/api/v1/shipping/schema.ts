import { type Static, Type } from 'typebox';
import { SHIPPING_STATUSES, type StatusCode } from '../../../domain/statuses.js';
import type { StoredType } from '../../../domain/stored-type.js';
import { PlainMessage, type ResponseSpec } from '../responses.js';
import { CreatedAt, nullableText, UpdatedAt, when, whenOrNull } from '../schemas.js';

const STATUS_TEXT = `One of ${SHIPPING_STATUSES.map(({ code, name }) => `\`${code}\` (${name})`).join(', ')}.`;

const Status = Type.Unsafe<StatusCode>({
  type: 'string',
  enum: SHIPPING_STATUSES.map(({ code }) => code),
  description: STATUS_TEXT,
  examples: ['in_transit'],
});

const KindSchema = Type.Unsafe<StoredType>({
  type: 'string',
  enum: ['regular', 'double', 'collecting'],
  description:
    '`regular`: delivery. `collecting`: collection from the recipient. `double`: with a return leg, either way.',
});

const ShippingIdOut = Type.Integer({ description: 'Our id of the shipment.', examples: [5012] });
const Code = Type.String({ description: "The carrier's tracking code.", examples: ['74100231'] });

/** 404 outside the envelope: no such shipment. */
export const shipmentMissing: ResponseSpec = {
  description: 'The license has no shipment with this tracking code, or none was named.',
  schema: PlainMessage,
  example: { message: 'No query results for model [Shipment] 74100231' },
};

/** A shipment's status as its record has it. */
export const StatusSchema = Type.Object(
  {
    status: Status,
    description: Type.String({ description: "The carrier's text, or the status's name." }),
    is_delivered: Type.Boolean({ description: 'Whether the recipient has it.' }),
    updated_at: UpdatedAt,
  },
  { title: 'ShippingStatus', description: 'Where a parcel stands.', additionalProperties: false },
);
export type StatusBody = Static<typeof StatusSchema>;

/** The same with the tracking code. */
export const CodedStatusSchema = Type.Object(
  { code: Code, ...StatusSchema.properties },
  {
    title: 'CodedShippingStatus',
    description: 'Where a parcel stands, with its tracking code.',
    additionalProperties: false,
  },
);
export type CodedStatusBody = Static<typeof CodedStatusSchema>;

const Step = Type.Object(
  {
    code: Status,
    description: Type.String({ description: "The carrier's text, or the status's name." }),
    occurred_at: when('When it happened, by the carrier.'),
    carrier_code: nullableText("The carrier's own code; null for steps that we recorded."),
    carrier_description: nullableText("The carrier's own text; null for steps that we recorded."),
    location: nullableText('Where it was; null where the carrier does not say.'),
  },
  { description: 'A step of a parcel.', additionalProperties: false },
);

/** What `get_order_details` tells of a shipment. Recipients are left out: whole answers are logged. */
const DetailsSchema = Type.Object(
  {
    code: Type.String({ description: "The carrier's tracking code, as the carrier sent it." }),
    shipping_id: ShippingIdOut,
    status: Status,
    status_description: Type.String({ description: "The carrier's text, or the status's name." }),
    is_delivered: Type.Boolean({ description: 'Whether the recipient has it.' }),
    is_active: Type.Boolean({ description: 'False once cancelled, returned or lost.' }),
    type: KindSchema,
    packages: Type.Integer({ description: 'Number of packages.' }),
    order_id: Type.String({ description: "The store's order id." }),
    order_number: Type.String({ description: 'The order number that people know.' }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
    checked_at: whenOrNull('When the carrier was last asked; null before.'),
    history: Type.Array(Step, { description: 'Every step so far, oldest first.' }),
  },
  { title: 'ShippingDetails', description: 'A parcel with its history.', additionalProperties: false },
);
export type DetailsBody = Static<typeof DetailsSchema>;

/** The look-up inside the envelope, which succeeds whatever became of it. */
export const LookupSchema = Type.Object(
  {
    data: DetailsSchema,
    success: Type.Boolean({
      description: 'Whether the carrier answered; when not, `data` is as it was last known.',
    }),
    message: Type.String({ description: 'Why the carrier told nothing; empty when it did.' }),
  },
  { description: 'The shipment, and whether the carrier answered.', additionalProperties: false },
);
export type LookupBody = Static<typeof LookupSchema>;

/** A shipment in the list of `POST /shipping/order`. */
const ListedSchema = Type.Object(
  {
    shipping_id: ShippingIdOut,
    code: Code,
    type: KindSchema,
    status: Status,
    is_active: Type.Boolean({ description: 'False once cancelled, returned or lost.' }),
    created_at: CreatedAt,
  },
  { title: 'ListedShipping', description: 'A shipment of an order.', additionalProperties: false },
);
export type ListedBody = Static<typeof ListedSchema>;

/** Order id → its shipments. */
export const ListSchema = Type.Unsafe<Record<string, ListedBody[]>>({
  type: 'object',
  additionalProperties: Type.Array(ListedSchema),
  description: 'Every order id that was sent, with its shipments, newest first; empty where there are none.',
});

/** A place where recipients fetch parcels. Absent values are empty. */
const SpotSchema = Type.Object(
  {
    name: Type.String({ description: 'Name of the place.' }),
    city: Type.String({ description: 'City.' }),
    street: Type.String({ description: 'Street, without the house number.' }),
    house: Type.String({ description: 'House number.' }),
    n_code: Type.String({ description: 'Id of the place: `ship_data.pickup` of `open_new_order`.' }),
    street_code: Type.String({ description: "The carrier's code of the street; empty where it has none." }),
    latitude: Type.String({ description: 'Degrees.' }),
    longitude: Type.String({ description: 'Degrees.' }),
    remarks: Type.String({ description: 'Opening hours and the like, as the carrier words them.' }),
  },
  {
    title: 'PickupLocation',
    description: 'A place where recipients fetch parcels.',
    additionalProperties: false,
  },
);
export type SpotBody = Static<typeof SpotSchema>;

/** The payload of `pickup_locations`. */
export const LocationsSchema = Type.Object(
  {
    locations: Type.Object(
      {
        spots: Type.Object(
          { spot_detail: Type.Array(SpotSchema, { description: 'Every place.' }) },
          { description: 'Holds the places.' },
        ),
      },
      { description: 'Holds the places.' },
    ),
  },
  { description: "The carrier's pickup points." },
);
export type LocationsBody = Static<typeof LocationsSchema>;
