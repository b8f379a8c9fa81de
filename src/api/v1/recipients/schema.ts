import { Type } from 'typebox';
import { RECIPIENT_SORTS, SEARCH_FIELDS } from '../../../domain/recipient-list.js';
import { closed, closedObject, nullableText, oneOf, stamps, whenOrNull } from '../../schemas.js';

const text = (description: string, example: string) =>
  Type.String({ maxLength: 255, description, examples: [example] });
const part = (what: string) =>
  Type.Optional(Type.String({ maxLength: 255, description: `Part of ${what}.` }));
const id = (what: string) => Type.Optional(Type.Integer({ minimum: 0, description: `Id of ${what}.` }));
const direction = (description: string) => Type.Optional(oneOf(['asc', 'desc'], description));

export const phoneNumber = text('Phone of the recipient, as it is stored.', '0501234567');
export const deviceName = text('Names the new token.', 'Pixel 9');
export const recipientName = text('Name of the recipient.', 'Dana Levi');

export const RecipientUser = closedObject('RecipientUser', 'A signed-in user of the recipient app.', {
  id: Type.Integer({ description: 'Id of the user.' }),
  name: Type.String({ description: 'Name of the user.' }),
  phone: Type.String({ description: 'Phone of the user.' }),
  created_at: stamps.created_at,
  updated_at: stamps.updated_at,
  token: Type.String({ description: 'Personal access token, shown only now.' }),
});

const SEARCHES = {
  order_id: part("the store's order id"),
  name: part("the recipient's name"),
  address: part('the street, number and city'),
  phone: part('the phone; only narrows the list'),
  shipping_code: part('the tracking code'),
} satisfies Record<(typeof SEARCH_FIELDS)[number], unknown>;

/** Parameters of the list of shipments. */
export const LIST_INPUT = {
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'Rows on a page.' }),
  ),
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Number of the page.' }),
  ),
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
  flag: Type.Optional(Type.Integer({ minimum: 0, description: 'Only shipments with this flag.' })),
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
  active_only: Type.Optional(Type.Boolean({ description: 'True: only active shipments.' })),
  label_generated: Type.Optional(
    Type.Boolean({ description: 'Only shipments with a label (true), or without one (false).' }),
  ),
  sort_by: Type.Optional(oneOf(RECIPIENT_SORTS, 'Counts together with `sort_direction` only.')),
  sort_direction: direction('Counts together with `sort_by` only.'),
};

export const RecipientShipmentSchema = closedObject('RecipientShipment', 'A parcel of the recipient.', {
  id: Type.Integer({ description: 'Id of the shipment.' }),
  uuid: Type.String({ description: 'The uuid of the shipment in API v2.' }),
  shipping_code: nullableText("The carrier's tracking code; null until the carrier accepted."),
  tracking_url: Type.String({ description: 'The public tracking page.' }),
  type: oneOf(
    ['regular', 'double', 'collecting'],
    '`regular`: delivery. `collecting`: collection. `double`: with a return leg.',
  ),
  status: Type.String({ description: "The carrier's text, or the status's name." }),
  status_code: Type.String({ description: 'One of the status codes, such as `in_transit`.' }),
  is_active: Type.Boolean({ description: 'False once cancelled, returned or lost.' }),
  flag: Type.Integer({ description: 'A mark that is kept for the app; 0 for none.' }),
  label_generated: Type.Boolean({ description: 'Whether a label was made.' }),
  provider: Type.String({ description: 'Kind of the carrier, such as `run`.' }),
  carrier: Type.String({ description: 'Name of the carrier.' }),
  is_cod: Type.Boolean({ description: 'Whether cash is collected.' }),
  cod_amount: nullableText('Amount to collect as decimal text; null when none is.'),
  cod_currency: nullableText('ISO 4217; null when no cash is collected.'),
  packages: Type.Integer({ description: 'Number of packages.' }),
  pickup_point_id: nullableText('The pickup point to which it goes; null for an address.'),
  name: Type.String({ description: 'Name of the recipient.' }),
  company_name: nullableText('Company of the recipient.'),
  phone: Type.String({ description: 'Phone of the recipient.' }),
  street: nullableText('Street.'),
  number: nullableText('House number.'),
  entrance: nullableText('Entrance of the building.'),
  floor: nullableText('Floor.'),
  apartment: nullableText('Apartment.'),
  city: nullableText('City.'),
  zip: nullableText('Postal code.'),
  country: Type.String({
    description: 'ISO 3166-1 alpha-2; `ZZ` where the order names no country that we know.',
  }),
  order: closed('The order of the store.', {
    order_id: Type.String({ description: "The store's own order id." }),
    order_number: Type.String({ description: 'The order number that people know.' }),
  }),
  customer_id: Type.Integer({ description: 'Id of the merchant account.' }),
  company_id: Type.Integer({ description: 'Id of the shipping company.' }),
  license_id: Type.Integer({ description: 'Id of the license.' }),
  created_at: stamps.created_at,
  updated_at: stamps.updated_at,
  delivered_at: whenOrNull('When it was delivered; null before.'),
});
