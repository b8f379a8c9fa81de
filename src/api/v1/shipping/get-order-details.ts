import { listEvents } from '../../../db/queries/shipments.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { refreshStatus } from '../../../services/refresh-status.js';
import { modelNotFound } from '../refusals.js';
import { succeeded } from '../reply.js';
import { envelopeOf } from '../responses.js';
import { defineLicensedRoute } from '../route.js';
import { codeOf, findByNumber, shippingId } from './lookup.js';
import { presentDetails } from './presenter.js';
import { type LookupBody, LookupSchema, shipmentMissing } from './schema.js';

/** The same as for v2's `refresh=true`. */
export const getOrderDetailsRoute = defineLicensedRoute(
  {
    method: 'post',
    path: '/shipping/get_order_details',
    operationId: 'getOrderDetails',
    tag: 'Shipping',
    summary: "Ask the carrier for a shipment's details",
    description:
      'Asks the carrier now, at most for 10 s. A look-up that fails there is a success all the same: `data.success` is ' +
      'then false, `data.message` says why, and `data.data` is as it was last known. What has ended is not asked for ' +
      'again, nor are carriers that tell statuses by themselves only. A whole number also names the code with zeros before it. ' +
      "A valid `token` makes every license of its user's account count.",
    normalised: true,
    input: { shipping_id: shippingId },
    inputExample: { license_key: 'lic-main', domain: 'demo-shop.example', shipping_id: '74100231' },
    responses: {
      200: {
        description: 'The details, and whether the carrier answered.',
        schema: envelopeOf(LookupSchema),
      },
      404: shipmentMissing,
    },
  },
  async ({ app, request, say, input, license, user }) => {
    const code = codeOf(input.shipping_id);
    const known = await findByNumber(app, { license, user }, code);
    if (known === null) throw modelNotFound('Shipment', code);
    const { accountId, uuid } = known;
    const asked = await request.whileWaiting(() =>
      refreshStatus(app, { accountId, uuid, timeoutMs: LIMITS.carriers.refreshMs }),
    );
    const shipment = (await findByNumber(app, { license, user }, code)) ?? known;
    const events = await listEvents(app.db, shipment.id);
    const failure = asked.kind === 'failed' ? asked.text || say.carrierUnanswered : '';
    return succeeded({
      data: presentDetails(shipment, events, say),
      success: asked.kind !== 'failed',
      message: failure,
    } satisfies LookupBody);
  },
);
