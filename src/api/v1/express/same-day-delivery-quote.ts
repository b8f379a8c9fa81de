import { Type } from 'typebox';
import { quoteSameDay } from '../../../services/express/express.js';
import { failed, succeeded } from '../reply.js';
import { envelopeOf, FailureEnvelope } from '../responses.js';
import { defineLicensedRoute } from '../route.js';
import { city, street } from './address.js';

const SIZES = ['ENVELOPE', 'SMALL', 'MEDIUM', 'LARGE'] as const;
type PackageSize = (typeof SIZES)[number];
const NUMBERED = ['0', '1', '2', '3', ...SIZES] as const;

const CollectFrom = Type.Object(
  {
    collect_street: Type.Optional(Type.String({ maxLength: 255, description: 'Street.' })),
    collect_street_number: Type.Optional(
      Type.Unsafe<string | number>({
        type: ['string', 'integer'],
        maxLength: 32,
        description: 'House number.',
      }),
    ),
    collect_city: Type.Optional(Type.String({ maxLength: 255, description: 'City.' })),
    collect_company: Type.Optional(Type.String({ maxLength: 255, description: 'Company.' })),
  },
  { description: 'Where parcels are collected, for licenses that have no collection address.' },
);

export const sameDayDeliveryQuoteRoute = defineLicensedRoute(
  {
    method: 'get',
    path: '/shipping/same_day_delivery_quote',
    operationId: 'sameDayDeliveryQuote',
    tag: 'Express',
    summary: 'Price a same-day delivery',
    description:
      "Priced from the license's collection address, else from `shipment_settings[collect_…]`. `name`, `phone` and " +
      "`date` are required but unused. The collection city must be on the carrier's list of settlements, which is " +
      'cached for 24 hours.',
    normalised: true,
    provider: 'sameDayQuote',
    input: {
      city,
      street,
      street_number: Type.Integer({ description: 'House number.', examples: [12] }),
      name: Type.String({ maxLength: 255, description: 'Name of the recipient.' }),
      phone: Type.String({ maxLength: 255, description: 'Phone of the recipient.' }),
      date: Type.String({
        format: 'date',
        description: 'Day of the delivery, Y-m-d.',
        examples: ['2026-11-23'],
      }),
      package_size: Type.Unsafe<(typeof NUMBERED)[number]>({
        type: 'string',
        enum: NUMBERED,
        description: 'Size, as a word or its number: `0` `ENVELOPE`, `1` `SMALL`, `2` `MEDIUM`, `3` `LARGE`.',
      }),
      shipment_settings: Type.Optional(CollectFrom),
    },
    responses: {
      200: {
        description: "The carrier's quote, its body unchanged.",
        schema: envelopeOf(Type.Unknown({ description: "The carrier's quote, unchanged." })),
        example: { data: { price: 42.5 }, message: '', success: true, warning: '' },
      },
      400: {
        description:
          "The license's carrier does not quote, does not collect in the city, or failed; then `data` is its body.",
        schema: FailureEnvelope,
        example: {
          data: [],
          message: 'City Eilat is not in location list',
          success: false,
          warning: '',
        },
      },
    },
  },
  async ({ app, request, say, input, license }) => {
    const place = license.collectFrom.city.trim() === '' ? input.shipment_settings : undefined;
    const from = {
      city: place?.collect_city ?? license.collectFrom.city,
      street: place?.collect_street ?? license.collectFrom.street,
      number: numberOf(place?.collect_street_number ?? license.collectFrom.number),
    };
    const to = { city: input.city, street: input.street, number: String(input.street_number) };
    const packageSize = sizeOf(input.package_size);
    const outcome = await request.whileWaiting(() => quoteSameDay(app, { license, from, to, packageSize }));
    if (outcome.kind === 'quoted') return succeeded(outcome.quote);
    if (outcome.kind === 'unlisted') return failed(400, say.cityNotListed(from.city));
    return failed(400, say.quoteFailed, outcome.body ?? []);
  },
);

function numberOf(value: string | number): string | null {
  const text = String(value).trim();
  return text === '' ? null : text;
}

function sizeOf(size: (typeof NUMBERED)[number]): PackageSize {
  switch (size) {
    case '0':
      return 'ENVELOPE';
    case '1':
      return 'SMALL';
    case '2':
      return 'MEDIUM';
    case '3':
      return 'LARGE';
    default:
      return size;
  }
}
