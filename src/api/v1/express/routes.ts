import { Type } from 'typebox';
import { closedObject } from '../../schemas.js';
import { failed, succeeded } from '../reply.js';
import { failure, success } from '../responses.js';
import { defineLicensedRoute, type V1Route } from '../route.js';
import { needShipment, shippingCode } from '../shipping/lookup.js';
import { shipmentMissing } from '../shipping/schema.js';

const text = (description: string) => Type.String({ maxLength: 255, description });
const optionalNumber = (options: { description: string; examples?: string[] }) =>
  Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'integer'], maxLength: 32, ...options }));

/** Fields of a destination. */
const city = Type.String({
  maxLength: 255,
  description: 'City of the recipient.',
  examples: ['תל אביב-יפו'],
});
const street = Type.String({
  maxLength: 255,
  description: 'Street of the recipient, without the number.',
  examples: ['הרצל'],
});

/** The sizes of packages by what callers may send. */
const SIZES = {
  '0': 'ENVELOPE',
  '1': 'SMALL',
  '2': 'MEDIUM',
  '3': 'LARGE',
  ENVELOPE: 'ENVELOPE',
  SMALL: 'SMALL',
  MEDIUM: 'MEDIUM',
  LARGE: 'LARGE',
} as const;

const sameDayDeliveryQuote = defineLicensedRoute(
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
    provider: 'sameDayQuote',
    input: {
      city,
      street,
      street_number: Type.Integer({ description: 'House number.', examples: [12] }),
      name: text('Name of the recipient.'),
      phone: text('Phone of the recipient.'),
      date: Type.String({
        format: 'date',
        description: 'Day of the delivery, Y-m-d.',
        examples: ['2026-11-23'],
      }),
      package_size: Type.Unsafe<keyof typeof SIZES>({
        type: 'string',
        enum: Object.keys(SIZES),
        description: 'Size, as a word or its number: `0` `ENVELOPE`, `1` `SMALL`, `2` `MEDIUM`, `3` `LARGE`.',
      }),
      shipment_settings: Type.Optional(
        Type.Object(
          {
            collect_street: Type.Optional(text('Street.')),
            collect_street_number: optionalNumber({ description: 'House number.' }),
            collect_city: Type.Optional(text('City.')),
            collect_company: Type.Optional(text('Company.')),
          },
          { description: 'Where parcels are collected, for licenses that have no collection address.' },
        ),
      ),
    },
    responses: {
      200: success(
        "The carrier's quote, its body unchanged.",
        Type.Unknown({ description: "The carrier's quote, unchanged." }),
        { price: 42.5 },
      ),
      400: failure(
        "The license's carrier does not quote, does not collect in the city, or failed; then `data` is its body.",
        'City Eilat is not in location list',
      ),
    },
  },
  async ({ app, request, say, input, license }) => {
    const place = license.collectFrom.city.trim() === '' ? input.shipment_settings : undefined;
    const number = String(place?.collect_street_number ?? license.collectFrom.number).trim();
    const from = {
      city: place?.collect_city ?? license.collectFrom.city,
      street: place?.collect_street ?? license.collectFrom.street,
      number: number === '' ? null : number,
    };
    const to = { city: input.city, street: input.street, number: String(input.street_number) };
    const packageSize = SIZES[input.package_size];
    const outcome = await request.whileWaiting(() =>
      app.express.quoteSameDay({ license, from, to, packageSize }),
    );
    if (outcome.kind === 'quoted') return succeeded(outcome.quote);
    if (outcome.kind === 'unlisted') return failed(400, say.cityNotListed(from.city));
    return failed(400, say.quoteFailed, outcome.body ?? []);
  },
);

const createShippingPromise = defineLicensedRoute(
  {
    method: 'get',
    path: '/shipping/create_shipping_promise',
    operationId: 'createShippingPromise',
    tag: 'Express',
    summary: 'Promise an on-demand delivery',
    description:
      "The carrier's promise with its price in the currency's main unit, by the license's price rule. Outside the " +
      "license's hours (Asia/Jerusalem) the carrier is not asked and `data.details` says so. Nothing is booked, and " +
      'later shipments do not use the promise.',
    provider: 'shippingPromise',
    input: {
      city,
      street,
      street_number: optionalNumber({ description: 'Appended to the street.', examples: ['12'] }),
    },
    responses: {
      200: success(
        "The carrier's promise.",
        Type.Unknown({ description: "The carrier's promise, with its price by the license's rule." }),
        { id: '6f1c', price: { amount: 29.9, currency: 'ILS' } },
      ),
      400: failure(
        "The license's carrier has no promises, is closed now, refused or failed.",
        'Delivery area will be closed at the requested delivery time',
        { details: 'Delivery area will be closed at the requested delivery time' },
      ),
    },
  },
  async ({ app, request, say, input, license }) => {
    const number = input.street_number === undefined ? null : String(input.street_number);
    const to = { city: input.city, street: input.street, number };
    const outcome = await request.whileWaiting(() => app.express.promiseDelivery({ license, to }));
    if (outcome.kind === 'promised') return succeeded(outcome.promise);
    if (outcome.kind === 'closed') return failed(400, say.deliveryAreaClosed, { details: outcome.text });
    return failed(400, outcome.text || say.carrierUnanswered, outcome.body ?? []);
  },
);

const getExpressDeliveryEnabled = defineLicensedRoute(
  {
    method: 'get',
    path: '/shipping/get_express_delivery_enabled',
    operationId: 'getExpressDeliveryEnabled',
    tag: 'Express',
    summary: 'Say whether the express service reaches an address',
    provider: 'expressEnabled',
    input: { city, street },
    responses: {
      200: success(
        "The carrier's answer.",
        closedObject('ExpressDeliveryEnabled', 'Reach of the express service.', {
          enabled: Type.Boolean({ description: 'Whether the carrier delivers there.' }),
        }),
        { enabled: true },
      ),
      400: failure(
        "The license's carrier has no express service, or refused or failed.",
        'Not supported for this provider',
      ),
    },
  },
  async ({ app, request, say, input, license }) => {
    const to = { city: input.city, street: input.street, number: null };
    const outcome = await request.whileWaiting(() => app.express.reachesAddress({ license, to }));
    if (outcome.kind === 'told') return succeeded({ enabled: outcome.enabled });
    return failed(400, outcome.text || say.carrierUnanswered, outcome.body ?? []);
  },
);

const getExpressDeliveryStatus = defineLicensedRoute(
  {
    method: 'get',
    path: '/shipping/get_express_delivery_status',
    operationId: 'getExpressDeliveryStatus',
    tag: 'Express',
    summary: "Ask the carrier for an express shipment's status",
    description: "In the carrier's own words, of one of the license's shipments. Nothing is recorded.",
    provider: 'expressStatus',
    input: { shipping_id: shippingCode },
    responses: {
      200: success(
        'The status.',
        closedObject('ExpressDeliveryStatus', "An express shipment's status.", {
          code: Type.String({ description: "The carrier's tracking code." }),
          status: Type.String({ description: "The carrier's own status." }),
          description: Type.String({ description: "The carrier's text." }),
        }),
        { code: 'LW100231', status: 'ACTIVE', description: 'Active' },
      ),
      400: failure(
        "The license's carrier has no express service, does not know the shipment, or failed.",
        'Not supported for this provider',
      ),
      404: shipmentMissing,
    },
  },
  async ({ app, request, say, input, license }) => {
    const code = String(input.shipping_id);
    const { accountId, uuid } = await needShipment({ app, license, user: null }, code);
    const outcome = await request.whileWaiting(() => app.express.statusOf({ accountId, uuid }));
    if (outcome.kind === 'failed') {
      return failed(400, outcome.text || say.carrierUnanswered, outcome.body ?? []);
    }
    if (outcome.status === null) return failed(400, say.unknownToCarrier);
    const { carrierCode, description } = outcome.status;
    return succeeded({ code, status: carrierCode, description });
  },
);

export const expressRoutes: readonly V1Route[] = [
  sameDayDeliveryQuote,
  createShippingPromise,
  getExpressDeliveryEnabled,
  getExpressDeliveryStatus,
];
