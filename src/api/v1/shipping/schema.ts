import { type Static, Type } from 'typebox';
import { SHIPPING_STATUSES, type StatusCode } from '../../../domain/statuses.js';
import type { StoredType } from '../../../domain/stored-type.js';
import { PlainMessage, type ResponseSpec } from '../responses.js';
import { NullableText, NullableTimestamp, Timestamp } from '../schemas.js';

const Status = Type.Unsafe<StatusCode>({
  type: 'string',
  enum: SHIPPING_STATUSES.map(({ code }) => code),
  description: 'Status code.',
  examples: ['in_transit'],
});

const KindSchema = Type.Unsafe<StoredType>({
  type: 'string',
  enum: ['regular', 'double', 'collecting'],
  description: '`double` wherever a return leg was asked for.',
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
    is_delivered: Type.Boolean(),
    updated_at: Timestamp,
  },
  { title: 'ShippingStatus', additionalProperties: false },
);
export type StatusBody = Static<typeof StatusSchema>;

/** The same with the tracking code. */
export const CodedStatusSchema = Type.Object(
  { code: Code, ...StatusSchema.properties },
  { title: 'CodedShippingStatus', additionalProperties: false },
);
export type CodedStatusBody = Static<typeof CodedStatusSchema>;

const Step = Type.Object(
  {
    code: Status,
    description: Type.String(),
    occurred_at: Timestamp,
    carrier_code: NullableText,
    carrier_description: NullableText,
    location: NullableText,
  },
  { additionalProperties: false },
);

/** What `get_order_details` tells of a shipment. Recipients are left out: whole answers are logged. */
const DetailsSchema = Type.Object(
  {
    code: Type.String({ description: "The carrier's tracking code, as the carrier sent it." }),
    shipping_id: ShippingIdOut,
    status: Status,
    status_description: Type.String(),
    is_delivered: Type.Boolean(),
    is_active: Type.Boolean(),
    type: KindSchema,
    packages: Type.Integer(),
    order_id: Type.String({ description: "The store's order id." }),
    order_number: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
    checked_at: NullableTimestamp,
    history: Type.Array(Step, { description: 'Every step so far, oldest first.' }),
  },
  { title: 'ShippingDetails', additionalProperties: false },
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
  { additionalProperties: false },
);
export type LookupBody = Static<typeof LookupSchema>;

/** A shipment in the list of `POST /shipping/order`. */
const ListedSchema = Type.Object(
  {
    shipping_id: ShippingIdOut,
    code: Code,
    type: KindSchema,
    status: Status,
    is_active: Type.Boolean(),
    created_at: Timestamp,
  },
  { title: 'ListedShipping', additionalProperties: false },
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
    name: Type.String(),
    city: Type.String(),
    street: Type.String(),
    house: Type.String(),
    n_code: Type.String({ description: 'Id of the place: `ship_data.pickup` of `open_new_order`.' }),
    street_code: Type.String(),
    latitude: Type.String(),
    longitude: Type.String(),
    remarks: Type.String(),
  },
  { title: 'PickupLocation', additionalProperties: false },
);
export type SpotBody = Static<typeof SpotSchema>;

/** The payload of `pickup_locations`. */
export const LocationsSchema = Type.Object({
  locations: Type.Object({ spots: Type.Object({ spot_detail: Type.Array(SpotSchema) }) }),
});
export type LocationsBody = Static<typeof LocationsSchema>;
