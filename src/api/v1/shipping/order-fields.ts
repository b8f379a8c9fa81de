import { Type } from 'typebox';

/** An undeclared field: values that do not fit are ignored. */
const loose = (description: string) => Type.Optional(Type.Unknown({ description }));

export const ShipDataFields = Type.Object(
  {
    contact_name: loose('Text; else first and last name of `order.billing`.'),
    contact_phone: loose(
      'Text; else `billing.phone`. Of several numbers the first that can be dialled is the phone; where none can, 422.',
    ),
    contact_mail: loose('Text; else `billing.email`.'),
    street: loose('Text; else `billing.address_1`.'),
    number: loose(
      'Text; else `house_no`, else `billing.address_2` where a street was given. Beside `house_no` the second part of the address.',
    ),
    house_no: loose('Text.'),
    city: loose('Text; else `billing.city`.'),
    company: loose('Text; else `billing.company`.'),
    entrance: loose('Text.'),
    floor: loose('Text.'),
    apartment: loose('Text.'),
    type: loose('1 delivery (default), 2 collection from the recipient.'),
    return: loose('1 one way (default), 2 with a return leg.'),
    packages: loose('1 (default) to 99.'),
    pickup: loose("The pickup point's id, at most 64 characters."),
    pickup_address: loose('Text.'),
    note: loose('Text; cut to 1000 characters.'),
    extra_note: loose('Text; cut to 1000 characters.'),
    exaction_date: loose(
      'Y-m-d on which the carrier comes, at most 90 days ahead; yesterday counts as today. Default today in Asia/Jerusalem.',
    ),
    woo_id: loose("The order's number for the carrier, after the license's prefix."),
    urgent: loose('Flag.'),
    motor: loose('Vehicle, as the carrier numbers it.'),
    collect: loose('Flag.'),
    is_cod: loose('Flag: money is collected.'),
    cod_amount: loose('Decimal text or number; required above zero with `is_cod`.'),
    IsManual: loose('Flag; no carrier here takes it.'),
  },
  { description: 'Data for the carrier.' },
);

export const OrderFields = Type.Object(
  {
    id: Type.String({ description: "The store's id of the order.", maxLength: 191, examples: ['1001'] }),
    number: loose('Text; default `id`. Stored behind the prefix of the license.'),
    status: loose("Text; must not be one of the license's blocked statuses."),
    source: loose('Text.'),
    total: loose('Decimal text or number.'),
    currency: loose('ISO 4217; default ILS.'),
    external_id: loose('Text.'),
    billing: loose(
      'Object with `first_name`, `last_name`, `company`, `address_1`, `address_2`, `city`, `country`, `phone`, `email`; 64 KiB at most.',
    ),
    shipping: loose('Object; stored, 64 KiB at most. Its `country` counts before that of `billing`.'),
    meta_data: loose(
      'Object or list of `{ key, value }`; it may hold a gift marker and the warehouse location.',
    ),
  },
  { description: 'The order of the shipment; its stored part may have up to 256 KiB as JSON.' },
);

/** `shipment_settings`: collection address for licenses without one. */
export const ShipmentSettingsFields = Type.Object(
  {
    collect_street: loose('Text.'),
    collect_street_number: loose('Text.'),
    collect_city: loose('Text.'),
    collect_company: loose('Text.'),
  },
  { description: 'Where the parcel is collected, for licenses that have no collection address.' },
);

/** A body that every carrier accepts, without the credentials. */
export const openNewOrderExample = {
  ship_data: {
    contact_name: 'Dana Levi',
    contact_phone: '0501234567',
    street: 'Dizengoff',
    number: '99',
    city: 'Tel Aviv',
    type: 1,
    return: 1,
    packages: 1,
    note: 'Please call first',
  },
  order: {
    id: '1001',
    number: '1001',
    status: 'processing',
    total: '120.00',
    currency: 'ILS',
    billing: { first_name: 'Dana', last_name: 'Levi', email: 'dana@example.com', phone: '0501234567' },
  },
  order_items: [{ name: 'Linen shirt', quantity: 1, total: 120, sku: 'LS-1' }],
};
