import { bare } from '../reply.js';
import { defineLicensedRoute } from '../route.js';
import { currentShipment } from './current.js';
import { presentStatus } from './presenter.js';
import { StatusSchema, shipmentMissing } from './schema.js';

/** Responds without envelope, and unlike the routes around it. */
export const shipmentStatusRoute = defineLicensedRoute(
  {
    method: 'post',
    path: '/shipping/{shipment}/status',
    operationId: 'shipmentStatus',
    tag: 'Shipping',
    summary: "Read a shipment's status, without envelope",
    description: "`shipment` is the carrier's tracking code. As current as `get_shipping_status`.",
    input: {},
    inputExample: { license_key: 'lic-main', domain: 'demo-shop.example' },
    responses: { 200: { description: 'The status.', schema: StatusSchema }, 404: shipmentMissing },
  },
  async (context) => {
    const shipment = await currentShipment(context, String(context.request.params.shipment));
    return bare(200, presentStatus(shipment));
  },
);
