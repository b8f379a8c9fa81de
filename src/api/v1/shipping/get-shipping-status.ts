import { succeeded } from '../reply.js';
import { envelopeOf } from '../responses.js';
import { defineLicensedRoute } from '../route.js';
import { currentShipment } from './current.js';
import { codeOf, shippingId } from './lookup.js';
import { presentStatus } from './presenter.js';
import { type CodedStatusBody, CodedStatusSchema, shipmentMissing } from './schema.js';

export const getShippingStatusRoute = defineLicensedRoute(
  {
    method: 'post',
    path: '/shipping/get_shipping_status',
    operationId: 'getShippingStatus',
    tag: 'Shipping',
    summary: "Read a shipment's status",
    description:
      'A status older than 10 s is asked for at the carrier, at most for 3 s; when nothing comes, the stored one does.',
    normalised: true,
    input: { shipping_id: shippingId },
    inputExample: { license_key: 'lic-main', domain: 'demo-shop.example', shipping_id: '74100231' },
    responses: {
      200: { description: 'The status.', schema: envelopeOf(CodedStatusSchema) },
      404: shipmentMissing,
    },
  },
  async (context) => {
    const shipment = await currentShipment(context, codeOf(context.input.shipping_id));
    const code = shipment.trackingCode ?? '';
    return succeeded({ code, ...presentStatus(shipment) } satisfies CodedStatusBody);
  },
);
