import { Type } from 'typebox';
import { promiseDelivery } from '../../../services/express/express.js';
import { failed, succeeded } from '../reply.js';
import { envelopeOf, FailureEnvelope } from '../responses.js';
import { defineLicensedRoute } from '../route.js';
import { city, street } from './address.js';

export const createShippingPromiseRoute = defineLicensedRoute(
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
    normalised: true,
    provider: 'shippingPromise',
    input: {
      city,
      street,
      street_number: Type.Optional(
        Type.Unsafe<string | number>({
          type: ['string', 'integer'],
          maxLength: 32,
          description: 'Appended to the street.',
          examples: ['12'],
        }),
      ),
    },
    responses: {
      200: {
        description: "The carrier's promise.",
        schema: envelopeOf(
          Type.Unknown({ description: "The carrier's promise, with its price by the license's rule." }),
        ),
        example: {
          data: { id: '6f1c', price: { amount: 29.9, currency: 'ILS' } },
          message: '',
          success: true,
          warning: '',
        },
      },
      400: {
        description: "The license's carrier has no promises, is closed now, refused or failed.",
        schema: FailureEnvelope,
        example: {
          data: { details: 'Delivery area will be closed at the requested delivery time' },
          message: 'Delivery area will be closed at the requested delivery time',
          success: false,
          warning: '',
        },
      },
    },
  },
  async ({ app, request, say, input, license }) => {
    const number = input.street_number === undefined ? null : String(input.street_number);
    const to = { city: input.city, street: input.street, number };
    const outcome = await request.whileWaiting(() => promiseDelivery(app, { license, to }));
    if (outcome.kind === 'promised') return succeeded(outcome.promise);
    if (outcome.kind === 'closed') return failed(400, say.deliveryAreaClosed, { details: outcome.text });
    return failed(400, outcome.text || say.carrierUnanswered, outcome.body ?? []);
  },
);
