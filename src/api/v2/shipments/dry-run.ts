import { type Static, Type } from 'typebox';
import { type DryRun, WARNINGS } from '../../../services/creation/dry-run.js';
import { closedObject, nullableText, oneOf } from '../../schemas.js';
import { carrierOf } from '../schemas.js';
import { CodSchema } from './schema.js';

const WouldSend = closedObject('WouldSend', 'What the carrier would be told.', {
  order_number: Type.String({ description: "The order number, after the license's `order_prefix`." }),
  service_type: oneOf(['1', '2'], '`1`: delivery to the recipient. `2`: collection from the recipient.'),
  return: oneOf(['1', '2'], '`1`: one way. `2`: round trip.'),
  recipient: closedObject('WouldSendTo', 'Who receives the parcel, or hands it over at a collection.', {
    name: Type.String({ description: 'Name.' }),
    phone: Type.String({ description: 'Phone.' }),
    email: nullableText('E-mail; null when none was given.'),
    company: nullableText('Company; null when none was given.'),
    street: nullableText(
      "Street; that of the pickup point for a parcel to one. Null where the carrier knows the point's.",
    ),
    number: nullableText('House number, with the second part of the address behind it.'),
    entrance: nullableText('Entrance of the building.'),
    floor: nullableText('Floor.'),
    apartment: nullableText('Apartment.'),
    city: nullableText('City.'),
    country: Type.String({ description: 'ISO 3166-1 alpha-2.' }),
  }),
  pickup_point_id: nullableText(
    'The pickup point to which the parcel goes; null for a delivery to an address.',
  ),
  packages: Type.Integer({ minimum: 1, description: 'Number of packages.' }),
  cod: CodSchema,
  note: nullableText("For the courier; null where the license's `send_note_on_order` is off."),
  extra_note: nullableText('A second note.'),
  exaction_date: Type.String({ format: 'date', description: 'Day of collection.' }),
  urgent: Type.Boolean({ description: 'Whether urgent handling is requested.' }),
  collect_from: closedObject(
    'WouldCollectFrom',
    'Where the courier fetches the parcel; empty texts are unknown.',
    {
      street: Type.String({ description: 'Street.' }),
      number: Type.String({ description: 'House number.' }),
      city: Type.String({ description: 'City.' }),
      company: Type.String({ description: 'Company.' }),
    },
  ),
});

export const DryRunSchema = closedObject('DryRun', 'What a creation would do. Nothing was done.', {
  carrier: carrierOf('DryRunCarrier', 'The carrier that would be asked.'),
  would_send: WouldSend,
  warnings: Type.Array(
    closedObject('DryRunWarning', 'What to know before the booking; it is no refusal.', {
      code: oneOf(
        WARNINGS,
        '`order_has_shipment`: the order has an active shipment, and the license allows a second one. `note_cut`: ' +
          'the note is longer than the carrier takes. `pickup_point_unchecked`: the list of points is missing or old. ' +
          '`unknown_field`: the API knows no field, or no parameter of the query, of this name; it has no effect.',
      ),
      field: Type.String({ description: 'JSON path of the input.' }),
      message: Type.String({ description: 'The same in words, for people.' }),
    }),
    { description: 'Empty where there is nothing to say.' },
  ),
});

export const dryRunExample = {
  carrier: { id: 2, name: 'Run' },
  would_send: {
    order_number: '#1001',
    service_type: '1',
    return: '1',
    recipient: {
      name: 'Dana Levi',
      phone: '0501234567',
      email: null,
      company: null,
      street: 'Herzl',
      number: '5',
      entrance: null,
      floor: null,
      apartment: null,
      city: 'Haifa',
      country: 'IL',
    },
    pickup_point_id: null,
    packages: 1,
    cod: null,
    note: null,
    extra_note: null,
    exaction_date: '2026-11-21',
    urgent: false,
    collect_from: { street: 'HaMasger', number: '12', city: 'Tel Aviv', company: 'Acme' },
  },
  warnings: [
    {
      code: 'order_has_shipment',
      field: 'order.id',
      message:
        'The order already has an active shipment of this service type: 019aa5a6-7c3a-7d4e-8f00-3f1c1d2e4b5a. This ' +
        'one would be a second parcel.',
    },
  ],
} satisfies Static<typeof DryRunSchema>;

/** `carrier`: of the license. No secret of the carrier's account is in it. */
export function presentDryRun(
  { request, account, warnings }: DryRun,
  carrier: { id: number; name: string },
): Static<typeof DryRunSchema> {
  const { orderNumber, shipment } = request;
  const { recipient, cod } = shipment;
  const { name, phone, email, company, street, entrance, floor, apartment, city, country } = recipient;
  const number = [recipient.number, recipient.secondLine].filter((part) => part != null).join(', ');
  const { collectFrom } = account;
  return {
    carrier: { id: carrier.id, name: carrier.name },
    would_send: {
      order_number: orderNumber,
      service_type: shipment.serviceType === 1 ? '1' : '2',
      return: shipment.returnType === 1 ? '1' : '2',
      recipient: {
        name,
        phone,
        email,
        company,
        street,
        number: number || null,
        entrance,
        floor,
        apartment,
        city,
        country,
      },
      pickup_point_id: shipment.pickupPointId,
      packages: shipment.packages,
      cod: cod === null ? null : { amount: cod.amount, currency: cod.currency },
      note: shipment.note,
      extra_note: shipment.extraNote,
      exaction_date: shipment.collectOn,
      urgent: shipment.urgent,
      collect_from: {
        street: collectFrom.street,
        number: collectFrom.number,
        city: collectFrom.city,
        company: collectFrom.company,
      },
    },
    warnings: warnings.map(({ code, field, problem }) => ({ code, field, message: problem.text })),
  };
}
