import { Type } from 'typebox';
import { expressStatusOf } from '../../../services/express/express.js';
import { modelNotFound } from '../refusals.js';
import { failed, succeeded } from '../reply.js';
import { envelopeOf, FailureEnvelope } from '../responses.js';
import { defineLicensedRoute } from '../route.js';
import { titled } from '../schemas.js';
import { findByCode, shippingCode } from '../shipping/lookup.js';
import { shipmentMissing } from '../shipping/schema.js';

const ExpressStatus = titled('ExpressDeliveryStatus', "An express shipment's status.", {
  code: Type.String({ description: "The carrier's tracking code." }),
  status: Type.String({ description: "The carrier's own status." }),
  description: Type.String({ description: "The carrier's text." }),
});

export const getExpressDeliveryStatusRoute = defineLicensedRoute(
  {
    method: 'get',
    path: '/shipping/get_express_delivery_status',
    operationId: 'getExpressDeliveryStatus',
    tag: 'Express',
    summary: "Ask the carrier for an express shipment's status",
    description: "In the carrier's own words, of one of the license's shipments. Nothing is recorded.",
    normalised: true,
    provider: 'expressStatus',
    input: { shipping_id: shippingCode },
    responses: {
      200: {
        description: 'The status.',
        schema: envelopeOf(ExpressStatus),
        example: {
          data: { code: 'LW100231', status: 'ACTIVE', description: 'Active' },
          message: '',
          success: true,
          warning: '',
        },
      },
      400: {
        description: "The license's carrier has no express service, does not know the shipment, or failed.",
        schema: FailureEnvelope,
        example: { data: [], message: 'Not supported for this provider', success: false, warning: '' },
      },
      404: shipmentMissing,
    },
  },
  async ({ app, request, say, input, license }) => {
    const code = String(input.shipping_id);
    const shipment = await findByCode(app, { license, user: null }, code);
    if (shipment === null) throw modelNotFound('Shipment', code);
    const { accountId, uuid } = shipment;
    const outcome = await request.whileWaiting(() => expressStatusOf(app, { accountId, uuid }));
    if (outcome.kind === 'failed') {
      return failed(400, outcome.text || say.carrierUnanswered, outcome.body ?? []);
    }
    if (outcome.status === null) return failed(400, say.unknownToCarrier);
    const { carrierCode, description } = outcome.status;
    return succeeded({ code, status: carrierCode, description });
  },
);
