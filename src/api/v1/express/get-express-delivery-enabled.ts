import { Type } from 'typebox';
import { reachesAddress } from '../../../services/express/express.js';
import { failed, succeeded } from '../reply.js';
import { envelopeOf, FailureEnvelope } from '../responses.js';
import { defineLicensedRoute } from '../route.js';
import { titled } from '../schemas.js';
import { city, street } from './address.js';

const Enabled = titled('ExpressDeliveryEnabled', 'Reach of the express service.', {
  enabled: Type.Boolean({ description: 'Whether the carrier delivers there.' }),
});

export const getExpressDeliveryEnabledRoute = defineLicensedRoute(
  {
    method: 'get',
    path: '/shipping/get_express_delivery_enabled',
    operationId: 'getExpressDeliveryEnabled',
    tag: 'Express',
    summary: 'Say whether the express service reaches an address',
    normalised: true,
    provider: 'expressEnabled',
    input: { city, street },
    responses: {
      200: {
        description: "The carrier's answer.",
        schema: envelopeOf(Enabled),
        example: { data: { enabled: true }, message: '', success: true, warning: '' },
      },
      400: {
        description: "The license's carrier has no express service, or refused or failed.",
        schema: FailureEnvelope,
        example: { data: [], message: 'Not supported for this provider', success: false, warning: '' },
      },
    },
  },
  async ({ app, request, say, input, license }) => {
    const to = { city: input.city, street: input.street, number: null };
    const outcome = await request.whileWaiting(() => reachesAddress(app, { license, to }));
    if (outcome.kind === 'told') return succeeded({ enabled: outcome.enabled });
    return failed(400, outcome.text || say.carrierUnanswered, outcome.body ?? []);
  },
);
