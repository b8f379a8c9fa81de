import { Type } from 'typebox';
import { listShipmentsOfOrders } from '../../../db/queries/coded-shipments.js';
import { MAX_ORDER_SHIPMENTS } from '../../../db/queries/shipments.js';
import { bare } from '../reply.js';
import { defineLicensedRoute } from '../route.js';
import { orderIdText } from './lookup.js';
import { presentListed } from './presenter.js';
import { ListSchema } from './schema.js';

/** `POST /shipping/order`: without envelope. */
export const listOrderShipmentsRoute = defineLicensedRoute(
  {
    method: 'post',
    path: '/shipping/order',
    operationId: 'listOrderShipments',
    tag: 'Shipping',
    summary: 'List the shipments of orders',
    description:
      "Those of the license's own orders, cancelled ones included; of an order with more than " +
      `${MAX_ORDER_SHIPMENTS} the newest. The body has no envelope.`,
    normalised: true,
    input: {
      orders: Type.Array(orderIdText, { minItems: 1, maxItems: 100, description: "The store's order ids." }),
    },
    inputExample: { license_key: 'lic-main', domain: 'demo-shop.example', orders: ['1001', '1002'] },
    responses: {
      200: {
        description: 'Order id → shipments.',
        schema: ListSchema,
        example: {
          '1001': [
            {
              shipping_id: 5012,
              code: '74100231',
              type: 'regular',
              status: 'in_transit',
              is_active: true,
              created_at: '2026-11-21T09:30:00.123456Z',
            },
          ],
          '1002': [],
        },
      },
    },
  },
  async ({ deps, input, license }) => {
    const orderIds = [...new Set(input.orders.map(String))];
    const shipments = await listShipmentsOfOrders(deps.db, { licenseId: license.id, orderIds });
    const body = orderIds.map((id) => [
      id,
      shipments.filter(({ order }) => order.id === id).map(presentListed),
    ]);
    return bare(200, Object.fromEntries(body));
  },
);
