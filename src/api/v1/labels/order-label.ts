import { type Static, Type } from 'typebox';
import { findOrderByIdOrNumber } from '../../../db/queries/shipments/coded-shipments.js';
import { listOrderShipments, MAX_ORDER_SHIPMENTS } from '../../../db/queries/shipments/shipments.js';
import { Slots } from '../../../lib/limits/slots.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { labelUrlOfShipment } from '../../../services/labels/labels.js';
import { failed, succeeded } from '../reply.js';
import { envelopeOf, FailureEnvelope } from '../responses.js';
import { defineLicensedRoute } from '../route.js';
import { titled } from '../schemas.js';
import { orderIdText } from '../shipping/lookup.js';
import { LabelUrl, labelUrlExample } from './schema.js';

const OrderLabels = titled('OrderLabels', 'The labels of an order.', {
  labels: Type.Array(
    Type.Object(
      {
        shipping_code: Type.String({ description: "The carrier's tracking code." }),
        ...LabelUrl.properties,
      },
      { additionalProperties: false },
    ),
    {
      maxItems: MAX_ORDER_SHIPMENTS,
      description: 'A label for each active shipment of the order.',
    },
  ),
});

export const orderLabelRoute = defineLicensedRoute(
  {
    method: 'post',
    path: '/shipping/order-label',
    operationId: 'getOrderLabels',
    tag: 'Shipping',
    summary: "Get the addresses of an order's labels",
    description:
      "`order_id` is the store's id or number of one of the license's orders; if several match, the newest " +
      'is used. Cancelled shipments and those without a label of the carrier are left out. At most the newest ' +
      `${MAX_ORDER_SHIPMENTS} shipments are included. \`token\` does not extend the look-up.`,
    normalised: true,
    input: { order_id: orderIdText },
    inputExample: { license_key: 'lic-main', domain: 'demo-shop.example', order_id: '1001' },
    responses: {
      200: {
        description: 'The labels, newest shipment first.',
        schema: envelopeOf(OrderLabels),
        example: {
          data: { labels: [{ shipping_code: '74100231', ...labelUrlExample }] },
          message: '',
          success: true,
          warning: '',
        },
      },
      404: {
        description: 'There is no such order, or it has no active shipment.',
        schema: FailureEnvelope,
        example: { data: [], message: 'Order not found', success: false, warning: '' },
      },
    },
  },
  async ({ app, request, say, input, license }) => {
    const { accountId, id: licenseId } = license;
    const wanted = { licenseId, idOrNumber: String(input.order_id) };
    const orderRowId = await findOrderByIdOrNumber(app.db, wanted);
    if (orderRowId === null) return failed(404, say.orderNotFound);
    const active = await listOrderShipments(app.db, { accountId, orderRowId, activeOnly: true });
    if (active.length === 0) return failed(404, say.noActiveShipments);
    const slots = new Slots({ total: LIMITS.labels.ofOrderAtOnce });
    const labels = await request.whileWaiting(() =>
      Promise.all(
        active.map(async ({ uuid, trackingCode }) => {
          const url = await slots.use(() => labelUrlOfShipment(app, { accountId, uuid }));
          return url === null ? [] : [{ shipping_code: trackingCode ?? '', url }];
        }),
      ),
    );
    return succeeded({ labels: labels.flat() } satisfies Static<typeof OrderLabels>);
  },
);
