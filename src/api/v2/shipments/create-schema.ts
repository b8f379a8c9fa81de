import { type Static, Type } from 'typebox';
import { PUBLISHED } from '../../openapi-schema.js';
import { MAX_NAME } from '../../order-sizes.js';
import {
  DECIMAL_DIGITS,
  licenseKeyInput,
  optionalDecimal,
  optionalFlag,
  optionalObject,
  optionalText,
  optionalTextOrInteger,
  requiredText,
} from '../schemas.js';

const FilledText = Type.String({ pattern: '\\S', description: 'Not blank.' });

const ShipData = Type.Object(
  {
    contact_name: requiredText(255, { description: 'Name of the recipient.' }),
    contact_phone: requiredText(32, {
      description:
        'Phone of the recipient. Of several numbers the first that can be dialled is used; the carrier gets the ' +
        'others, and extensions, in a second field or a note.',
    }),
    contact_mail: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 255,
        format: 'email',
        description: 'E-mail of the recipient: mails about the shipment go there.',
      }),
    ),
    street: optionalText(255, {
      description: 'Street, without the house number. Required unless `pickup` is given.',
    }),
    number: optionalTextOrInteger(32, {
      description: 'House number; beside `house_no` the second part of the address.',
    }),
    house_no: optionalTextOrInteger(32, { description: 'House number.' }),
    city: optionalText(255, { description: 'City. Required unless `pickup` is given.' }),
    entrance: optionalTextOrInteger(32, { description: 'Entrance of the building.' }),
    floor: optionalTextOrInteger(32, { description: 'Floor.' }),
    apartment: optionalTextOrInteger(32, { description: 'Apartment.' }),
    company: optionalText(255, { description: 'Company of the recipient.' }),
    type: Type.Enum([1, 2], {
      description: '1: delivery to the recipient. 2: collection from the recipient.',
    }),
    return: Type.Enum([1, 2], {
      description: '1: one way. 2: round trip, the courier brings something back.',
    }),
    pickup: optionalText(64, {
      description:
        'Pickup point id, instead of street and city. An unknown one is 422; carriers without a list of points also need `pickup_address`.',
    }),
    pickup_address: optionalText(255, {
      description:
        'Name, street and city of the pickup point in words: label, tracking page and mails show them where the list of points does not have it.',
    }),
    packages: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 1,
        maximum: 99,
        default: 1,
        description: 'Number of packages. Each gets a label.',
      }),
    ),
    note: optionalText(1000, {
      description: "For the courier, where the license's `send_note_on_order` is on.",
    }),
    extra_note: optionalText(1000, { description: 'A second note, which the courier is always told.' }),
    exaction_date: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        format: 'date',
        description:
          'Day of collection, Y-m-d, at most 90 days ahead; yesterday counts as today. Default: today in ' +
          'Asia/Jerusalem. Carriers that only come on the day of the booking refuse another.',
      }),
    ),
    woo_id: optionalTextOrInteger(191, {
      description: "Order id for the carrier, after the license's `order_prefix`. Default: `order.number`.",
    }),
    urgent: optionalFlag({
      description: 'Requests urgent handling, also on the label. Carriers without it ignore it.',
    }),
    motor: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 0,
        maximum: 99,
        description: 'Vehicle, as the carrier numbers it. Stored with the shipment; no carrier uses it.',
      }),
    ),
    collect: optionalFlag({ description: 'Stored with the shipment; no carrier uses it.' }),
    is_cod: optionalFlag({ description: 'Cash on delivery; then `cod_amount` is required.' }),
    cod_amount: optionalDecimal({
      description: 'Amount to collect, above zero.',
      pattern: `^${DECIMAL_DIGITS}$`,
      minimum: 0,
    }),
  },
  {
    title: 'ShipData',
    description:
      'Carrier-facing payload. Unknown fields are dropped, and empty texts count as absent. Before ' +
      'validation, invisible characters (direction marks, zero-width spaces and the like) are removed, and HTML in ' +
      'texts for people becomes plain text.',
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
    name: requiredText(1000, { description: 'Name of the product.' }),
    quantity: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'How many.' }),
    total: optionalDecimal({ description: 'Price of the whole line, in the currency of the order.' }),
    sku: optionalText(255, { description: 'Stock keeping unit.' }),
    variation: optionalText(1000, { description: "Variation of the product, such as 'Blue / M'." }),
    virtual: optionalFlag({ description: 'Not shipped, such as a voucher; labels leave it out.' }),
  },
  { title: 'OrderItem', description: 'A line of the order.' },
);

const OrderInput = Type.Object(
  {
    id: requiredText(191, {
      description: "The store's own order id. Surrounding white space and invisible characters are dropped.",
    }),
    number: optionalText(255, { description: 'Human-facing number. Default: `id`.' }),
    status: optionalText(64, { description: "The order's status in the store; stored." }),
    source: optionalText(64, { description: 'Where the order came from; stored.' }),
    total: optionalDecimal({ description: 'Total of the order; stored.' }),
    currency: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        pattern: '^[A-Z]{3}$',
        description: 'ISO 4217. Default ILS.',
      }),
    ),
    external_id: optionalText(191, { description: "Returned as the shipment's `references.external_id`." }),
    billing: optionalObject({ description: 'Stored as sent, 64 KiB at most.' }),
    shipping: optionalObject({
      description:
        'Stored as sent, 64 KiB at most. Its first_name, last_name, company, address_1, address_2, city, ' +
        "state, postcode, country and phone become the shipment's recipient, key by key over ship_data's. " +
        'The carrier and the label use only ship_data.',
    }),
    items: Type.Optional(
      Type.Unsafe<Static<typeof OrderItemSchema>[] | null>({
        type: ['array', 'null'],
        items: OrderItemSchema,
        maxItems: 1000,
        description: 'Lines of the order; labels can list them.',
      }),
    ),
    meta_data: Type.Optional(
      Type.Unknown({
        description: `Stored as sent. Its \`warehouse_location\` sorts labels. Names of fields in it have at most ${MAX_NAME} characters.`,
      }),
    ),
  },
  {
    title: 'OrderInput',
    description: 'Order context that is stored with the shipment, 256 KiB at most as JSON.',
  },
);

/** Part of a creation's fingerprint. */
export const CREATE_SHIPMENT_ROUTE = '/api/v2/shipments';

export const CreateShipmentBody = Type.Object(
  { license_key: licenseKeyInput, ship_data: ShipData, order: OrderInput },
  { title: 'CreateShipment', description: 'A shipment to be made.' },
);
export type CreateShipmentRequest = Static<typeof CreateShipmentBody>;
