import { type Static, Type } from 'typebox';
import { MAX_NAME } from '../../order-sizes.js';
import { nullableObject } from '../../schemas.js';
import {
  DECIMAL_DIGITS,
  licenseKeyInput,
  optionalDecimal,
  optionalFlag,
  optionalInteger,
  optionalText,
  optionalTextOrInteger,
  requiredText,
} from '../schemas.js';

const ShipData = Type.Object(
  {
    contact_name: requiredText('Name of the recipient.', 255),
    contact_phone: requiredText(
      'Phone of the recipient. Of several numbers the first that can be dialled is used; the carrier gets the ' +
        'others, and extensions, in a second field or a note.',
      32,
    ),
    contact_mail: optionalText('E-mail of the recipient: mails about the shipment go there.', {
      maxLength: 255,
      format: 'email',
    }),
    street: optionalText('Street, without the house number. Required unless `pickup` is given.', {
      maxLength: 255,
    }),
    number: optionalTextOrInteger('House number; beside `house_no` the second part of the address.', 32),
    house_no: optionalTextOrInteger('House number.', 32),
    city: optionalText('City. Required unless `pickup` is given.', { maxLength: 255 }),
    entrance: optionalTextOrInteger('Entrance of the building.', 32),
    floor: optionalTextOrInteger('Floor.', 32),
    apartment: optionalTextOrInteger('Apartment.', 32),
    company: optionalText('Company of the recipient.', { maxLength: 255 }),
    type: Type.Enum([1, 2], {
      description: '1: delivery to the recipient. 2: collection from the recipient.',
    }),
    return: Type.Enum([1, 2], {
      description: '1: one way. 2: round trip, the courier brings something back.',
    }),
    pickup: optionalText(
      'Pickup point id, instead of street and city. An unknown one is 422; carriers without a list of points also need `pickup_address`.',
      { maxLength: 64 },
    ),
    pickup_address: optionalText(
      'Name, street and city of the pickup point in words: label, tracking page and mails show them where the list of points does not have it.',
      { maxLength: 255 },
    ),
    packages: optionalInteger('Number of packages. Each gets a label.', {
      minimum: 1,
      maximum: 99,
      default: 1,
    }),
    note: optionalText("For the courier, where the license's `send_note_on_order` is on.", {
      maxLength: 1000,
    }),
    extra_note: optionalText('A second note, which the courier is always told.', { maxLength: 1000 }),
    exaction_date: optionalText(
      'Day of collection, Y-m-d, at most 90 days ahead; yesterday counts as today. Default: today in ' +
        'Asia/Jerusalem. Carriers that only come on the day of the booking refuse another.',
      { format: 'date' },
    ),
    woo_id: optionalTextOrInteger(
      "Order id for the carrier, after the license's `order_prefix`. Default: `order.number`.",
      191,
    ),
    urgent: optionalFlag('Requests urgent handling, also on the label. Carriers without it ignore it.'),
    motor: optionalInteger(
      'Vehicle, as the carrier numbers it. Stored with the shipment; no carrier uses it.',
      {
        minimum: 0,
        maximum: 99,
      },
    ),
    collect: optionalFlag('Stored with the shipment; no carrier uses it.'),
    is_cod: optionalFlag('Cash on delivery; then `cod_amount` is required.'),
    cod_amount: optionalDecimal('Amount to collect, above zero.', {
      pattern: `^${DECIMAL_DIGITS}$`,
      minimum: 0,
    }),
  },
  {
    title: 'ShipData',
    description:
      'Carrier-facing payload, with `street` and `city` or with `pickup`. Unknown fields are dropped, and empty texts count as absent. Before ' +
      'validation, invisible characters (direction marks, zero-width spaces and the like) are removed, and HTML in ' +
      'texts for people becomes plain text.',
  },
);

const OrderItemSchema = Type.Object(
  {
    name: requiredText('Name of the product.', 1000),
    quantity: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'How many.' }),
    total: optionalDecimal('Price of the whole line, in the currency of the order.'),
    sku: optionalText('Stock keeping unit.', { maxLength: 255 }),
    variation: optionalText("Variation of the product, such as 'Blue / M'.", { maxLength: 1000 }),
    virtual: optionalFlag('Not shipped, such as a voucher; labels leave it out.'),
  },
  { title: 'OrderItem', description: 'A line of the order.' },
);

const OrderInput = Type.Object(
  {
    id: requiredText(
      "The store's own order id. Surrounding white space and invisible characters are dropped.",
      191,
    ),
    number: optionalText('Human-facing number. Default: `id`.', { maxLength: 255 }),
    status: optionalText("The order's status in the store; stored.", { maxLength: 64 }),
    source: optionalText('Where the order came from; stored.', { maxLength: 64 }),
    total: optionalDecimal('Total of the order; stored.'),
    currency: optionalText('ISO 4217. Default ILS.', { pattern: '^[A-Z]{3}$' }),
    external_id: optionalText("Returned as the shipment's `references.external_id`.", { maxLength: 191 }),
    billing: Type.Optional(nullableObject('Stored as sent, 64 KiB at most.')),
    shipping: Type.Optional(
      nullableObject(
        'Stored as sent, 64 KiB at most. Its first_name, last_name, company, address_1, address_2, city, ' +
          "state, postcode, country and phone become the shipment's recipient, key by key over ship_data's. " +
          'The carrier and the label use only ship_data. `country` is a code of two or three letters, or a name in ' +
          'English, Hebrew or Arabic (`IL`, `ISR`, `Israel`, `ישראל`), and Israel where it is absent or empty; another ' +
          'text is refused.',
      ),
    ),
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

export const CreateShipmentBody = Type.Object(
  { license_key: licenseKeyInput, ship_data: ShipData, order: OrderInput },
  { title: 'CreateShipment', description: 'A shipment to be made.' },
);
export type CreateShipmentRequest = Static<typeof CreateShipmentBody>;
