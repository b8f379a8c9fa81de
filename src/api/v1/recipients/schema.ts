import { type Static, Type } from 'typebox';
import { RECIPIENT_SORTS, SEARCH_FIELDS } from '../../../domain/recipient-list.js';
import { pageOf } from '../paginator.js';
import { envelopeOf } from '../responses.js';
import { NullableText, NullableTimestamp, Timestamp } from '../schemas.js';

const closed = { additionalProperties: false };
const text = (description: string) => Type.String({ maxLength: 255, description });
const part = (what: string) =>
  Type.Optional(Type.String({ maxLength: 255, description: `Part of ${what}.` }));
const id = (what: string) => Type.Optional(Type.Integer({ minimum: 0, description: `Id of ${what}.` }));
const direction = (description: string) =>
  Type.Optional(Type.Unsafe<'asc' | 'desc'>({ type: 'string', enum: ['asc', 'desc'], description }));

export const phoneNumber = text('Phone of the recipient, as it is stored.');
export const deviceName = text('Names the new token.');
export const recipientName = text('Name of the recipient.');

/** A signed-in user of the recipient app. */
const RecipientUser = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    phone: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
    token: Type.String({ description: 'Personal access token, shown this once.' }),
  },
  { ...closed, title: 'RecipientUser' },
);
export type RecipientUser = Static<typeof RecipientUser>;
export const RecipientUserEnvelope = envelopeOf(RecipientUser);

const SEARCHES = {
  order_id: part("the store's order id"),
  name: part("the recipient's name"),
  address: part('the street, number and city'),
  phone: part('the phone; only narrows the list'),
  shipping_code: part('the tracking code'),
} satisfies Record<(typeof SEARCH_FIELDS)[number], unknown>;

/** Parameters of the list of a recipient's shipments. */
export const LIST_INPUT = {
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
  search: part(
    'the names, address lines or city of the recipient, the tracking code, the customer of the order, its id or number',
  ),
  ...SEARCHES,
  search_by: Type.Optional(
    Type.Object(SEARCHES, { description: 'The same searches; empty ones are skipped.' }),
  ),
  customer: id('the merchant account'),
  company: id('the company'),
  license: id('the license'),
  flag: Type.Optional(Type.Integer({ minimum: 0 })),
  type: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        '`cod`: cash on delivery only. `independent`: of that provider only. `regular`, `double`, `collecting`: of ' +
        'that kind, without cash on delivery.',
    }),
  ),
  sort_by_warehouse: direction('Direction of the location in the warehouse, for accounts that sort by it.'),
  status: part('the status text'),
  from: Type.Optional(
    Type.String({ description: 'Created on this day (UTC) or at this instant, or later.' }),
  ),
  to: Type.Optional(
    Type.String({ description: 'Created on this day (UTC) or at this instant, or earlier.' }),
  ),
  active_only: Type.Optional(Type.Boolean()),
  label_generated: Type.Optional(Type.Boolean()),
  sort_by: Type.Optional(
    Type.Unsafe<(typeof RECIPIENT_SORTS)[number]>({
      type: 'string',
      enum: [...RECIPIENT_SORTS],
      description: 'Counts together with `sort_direction` only.',
    }),
  ),
  sort_direction: direction('Counts together with `sort_by` only.'),
};

const RecipientShipmentSchema = Type.Object(
  {
    id: Type.Integer(),
    uuid: Type.String(),
    shipping_code: NullableText,
    tracking_url: Type.String(),
    type: Type.Unsafe<'regular' | 'double' | 'collecting'>({
      type: 'string',
      enum: ['regular', 'double', 'collecting'],
    }),
    status: Type.String({ description: "The carrier's text, or the status's name." }),
    status_code: Type.String(),
    is_active: Type.Boolean(),
    flag: Type.Integer(),
    label_generated: Type.Boolean(),
    provider: Type.String(),
    carrier: Type.String(),
    is_cod: Type.Boolean(),
    cod_amount: NullableText,
    cod_currency: NullableText,
    packages: Type.Integer(),
    pickup_point_id: NullableText,
    name: Type.String(),
    company_name: NullableText,
    phone: Type.String(),
    street: NullableText,
    number: NullableText,
    entrance: NullableText,
    floor: NullableText,
    apartment: NullableText,
    city: NullableText,
    zip: NullableText,
    country: Type.String(),
    order: Type.Object({ order_id: Type.String(), order_number: Type.String() }, closed),
    customer_id: Type.Integer(),
    company_id: Type.Integer(),
    license_id: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp,
    delivered_at: NullableTimestamp,
  },
  { ...closed, title: 'RecipientShipment' },
);
export type RecipientShipmentBody = Static<typeof RecipientShipmentSchema>;
export const RecipientShipmentsEnvelope = envelopeOf(pageOf(RecipientShipmentSchema));
