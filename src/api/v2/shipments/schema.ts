import { type Static, Type } from 'typebox';
import { SHIPMENT_SORTS, type ShipmentSort } from '../../../domain/shipment-list.js';
import { SHIPPING_STATUSES } from '../../../domain/statuses.js';
import { PUBLISHED } from '../../openapi-schema.js';
import { MOMENT_PATTERN } from '../../validation.js';
import {
  closedObject,
  licenseKeyQuery,
  NullableTimestamp,
  nullableText,
  optionalDecimal,
  optionalFlag,
  optionalText,
  optionalTextOrInteger,
  passedThrough,
  perPageQuery,
  requiredText,
  Timestamp,
} from '../schemas.js';

const STATUS_CODES = SHIPPING_STATUSES.map((status) => status.code);
type StatusCodeText = (typeof STATUS_CODES)[number];

const StatusCodeSchema = Type.Unsafe<StatusCodeText>({ type: 'string', enum: STATUS_CODES });

const Address = closedObject('Address', {
  street: Type.String(),
  number: Type.String(),
  city: Type.String(),
  state: nullableText(),
  zip: Type.String(),
  country: Type.String({ description: 'ISO 3166-1 alpha-2.' }),
});

const Status = closedObject('Status', {
  code: StatusCodeSchema,
  description: Type.String({ description: "The carrier's own text, or the name of the status." }),
  is_delivered: Type.Boolean(),
});

/** A shipment as every v2 route answers it. */
export const ShipmentSchema = closedObject('Shipment', {
  uuid: Type.String({ format: 'uuid' }),
  tracking_code: nullableText({ description: 'Carrier tracking code; null until the carrier accepted.' }),
  carrier: closedObject('ShipmentCarrier', { id: Type.Integer(), name: Type.String() }),
  status: Status,
  service_type: Type.Enum(['1', '2'], { description: '1 delivery, 2 collection.' }),
  is_active: Type.Boolean(),
  recipient: closedObject('Recipient', {
    name: Type.String(),
    phone: Type.String(),
    company: nullableText(),
    address: Address,
  }),
  pickup_point_id: nullableText(),
  packages: Type.Integer({ minimum: 1 }),
  cod: Type.Union([
    closedObject('CashOnDelivery', { amount: Type.String(), currency: Type.String() }),
    Type.Null(),
  ]),
  order: closedObject('ShipmentOrder', { id: Type.String(), number: Type.String() }),
  references: closedObject('References', { external_id: nullableText() }),
  short_tracking_code: nullableText({ description: 'Key of the public tracking page.' }),
  label_generated: Type.Boolean(),
  collection_status: Type.Unsafe<'awaiting_collection' | 'collected' | null>({
    type: ['string', 'null'],
    enum: ['awaiting_collection', 'collected', null],
    description: 'Null for deliveries.',
  }),
  collected_at: NullableTimestamp,
  ready_at: NullableTimestamp,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Shipment = Static<typeof ShipmentSchema>;

/** Answer of the status route. */
export const ShipmentStatusSchema = closedObject('ShipmentStatus', {
  uuid: Type.String({ format: 'uuid' }),
  tracking_code: nullableText(),
  status: Status,
  is_active: Type.Boolean(),
  checked_at: NullableTimestamp,
  history: Type.Array(
    closedObject('StatusEvent', {
      code: StatusCodeSchema,
      description: Type.String(),
      occurred_at: Timestamp,
      carrier_code: nullableText(),
      carrier_description: nullableText(),
      location: nullableText(),
    }),
  ),
});
export type ShipmentStatus = Static<typeof ShipmentStatusSchema>;

/** Whether the text names a column that the list can be sorted by. */
export function isSortColumn(text: string): text is ShipmentSort {
  return SHIPMENT_SORTS.some((column) => column === text);
}

const moment = (which: string) =>
  Type.Optional(
    Type.String({
      pattern: MOMENT_PATTERN,
      description: `Only shipments created ${which} this moment: ISO 8601 with a zone, or a day (UTC).`,
      examples: ['2026-11-21T00:00:00Z'],
    }),
  );

/** Query of the list. */
export const ListShipmentsQuery = Type.Object({
  license_key: licenseKeyQuery,
  'filter[active]': Type.Optional(
    Type.Boolean({ description: 'true, false, 1 or 0. Omitted: active and inactive ones.' }),
  ),
  'filter[type]': Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2, description: '1 delivery, 2 collection.' }),
  ),
  'filter[status]': Type.Optional(StatusCodeSchema),
  'filter[order_id]': Type.Optional(Type.String({ maxLength: 191 })),
  'filter[tracking_code]': Type.Optional(Type.String({ maxLength: 64 })),
  'filter[created_from]': moment('at or after'),
  'filter[created_to]': moment('at or before'),
  sort: Type.Optional(
    Type.Enum([...SHIPMENT_SORTS, ...SHIPMENT_SORTS.map((column) => `-${column}`)], {
      description: 'Column, with `-` in front for descending. Default `-created_at`.',
    }),
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
  per_page: perPageQuery,
});
export type ListShipmentsFilter = Static<typeof ListShipmentsQuery>;

const FilledText = Type.String({ pattern: '\\S' });

const ShipData = Type.Object(
  {
    contact_name: requiredText(255),
    contact_phone: requiredText(32),
    contact_mail: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 255, format: 'email' }),
    ),
    street: optionalText(255, { description: 'Required unless `pickup` is given.' }),
    number: optionalTextOrInteger(32, { description: 'House number.' }),
    house_no: optionalTextOrInteger(32, { description: 'House number, where `number` is absent.' }),
    city: optionalText(255, { description: 'Required unless `pickup` is given.' }),
    entrance: optionalTextOrInteger(32),
    floor: optionalTextOrInteger(32),
    apartment: optionalTextOrInteger(32),
    company: optionalText(255),
    type: Type.Integer({ minimum: 1, maximum: 2, description: '1 regular delivery, 2 collection.' }),
    return: Type.Integer({ minimum: 1, maximum: 2, description: '1 one-way, 2 round trip.' }),
    pickup: optionalText(64, { description: 'Pickup point id, instead of street and city.' }),
    pickup_address: optionalText(255),
    packages: Type.Optional(
      Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: 99, default: 1 }),
    ),
    note: optionalText(1000),
    extra_note: optionalText(1000),
    exaction_date: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        format: 'date',
        description: 'Day on which the carrier should come, Y-m-d. Default: today in Asia/Jerusalem.',
      }),
    ),
    woo_id: optionalTextOrInteger(191, {
      description: "Order id for the carrier, behind the license's `order_prefix`. Default: `order.number`.",
    }),
    urgent: optionalFlag(),
    motor: Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, maximum: 99 })),
    collect: optionalFlag(),
    is_cod: optionalFlag({ description: 'Cash on delivery; then `cod_amount` is required.' }),
    cod_amount: optionalDecimal({
      description: 'Amount to collect, above zero.',
      pattern: '^\\d{1,12}(\\.\\d{1,6})?$',
      minimum: 0,
    }),
  },
  {
    title: 'ShipData',
    description: 'Carrier-facing payload. Unknown fields are dropped.',
    [PUBLISHED]: {
      anyOf: [
        { required: ['street', 'city'], properties: { street: FilledText, city: FilledText } },
        { required: ['pickup'], properties: { pickup: FilledText } },
      ],
    },
  },
);

const OrderItemSchema = Type.Object(
  {
    name: requiredText(1000),
    quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    total: optionalDecimal(),
    sku: optionalText(255),
    variation: optionalText(1000),
    virtual: optionalFlag(),
  },
  { title: 'OrderItem' },
);

const OrderInput = Type.Object(
  {
    id: requiredText(191, {
      description:
        "The store's own order id. White space around it is dropped: MySQL would not tell it apart.",
    }),
    number: optionalText(255, { description: 'Human-facing number. Default: `id`.' }),
    status: optionalText(64),
    source: optionalText(64),
    total: optionalDecimal(),
    currency: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        pattern: '^[A-Z]{3}$',
        description: 'ISO 4217. Default ILS.',
      }),
    ),
    external_id: optionalText(191, { description: "Comes back as the shipment's `references.external_id`." }),
    billing: Type.Optional(passedThrough({ description: 'Stored as sent, 64 KiB at most.' })),
    shipping: Type.Optional(
      passedThrough({
        description:
          'Stored as sent, 64 KiB at most. Its first_name, last_name, company, address_1, address_2, city, ' +
          "state, postcode, country and phone become the shipment's recipient, key by key over ship_data's. " +
          'The carrier and the label are told ship_data alone.',
      }),
    ),
    items: Type.Optional(Type.Array(OrderItemSchema, { maxItems: 1000 })),
    meta_data: Type.Optional(Type.Unknown({ description: 'Stored as sent.' })),
  },
  {
    title: 'OrderInput',
    description: 'Order context that is stored with the shipment, 256 KiB at most as JSON.',
  },
);

/** Route that a creation's fingerprint names. */
export const CREATE_SHIPMENT_ROUTE = '/api/v2/shipments';

/** Body of a creation. */
export const CreateShipmentBody = Type.Object(
  { license_key: optionalText(255), ship_data: ShipData, order: OrderInput },
  { title: 'CreateShipment' },
);
export type CreateShipmentRequest = Static<typeof CreateShipmentBody>;

/** Body of a cancellation; may be absent. */
export const CancelShipmentBody = Type.Object({ reason: optionalText(255) }, { title: 'CancelShipment' });

/** Query of the status route. */
export const StatusQuery = Type.Object({
  refresh: Type.Optional(Type.Boolean({ description: 'Ask the carrier now, for 10 seconds at most.' })),
});

/** Path parameter of one shipment. */
export const ShipmentParams = Type.Object({
  uuid: Type.String({
    description: 'The uuid of the shipment.',
    examples: ['019aa5a6-7c3a-7d4e-8f00-3f1c1d2e4b5a'],
  }),
});
