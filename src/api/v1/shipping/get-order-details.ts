import { listEvents } from '../../../db/queries/shipments/shipments.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { refreshStatus } from '../../../services/shipments/refresh-status.js';
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
      'Asks the carrier now, for at most 10 s. A failed request to the carrier is still a success: `data.success` is ' +
      'then false, `data.message` says why, and `data.data` has the last known state. Shipments in a final status, ' +
      'and carriers that only push statuses, are not asked. An integer also matches the code with leading zeros. ' +
      "A valid `token` extends the look-up to all licenses of its user's account.",
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
