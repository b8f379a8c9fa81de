import { Type } from 'typebox';
import { listShipmentsOfOrders } from '../../../db/queries/shipments/coded-shipments.js';
import { MAX_ORDER_SHIPMENTS } from '../../../db/queries/shipments/shipments.js';
import type { FieldErrors } from '../../../domain/errors.js';
import { bare } from '../reply.js';
import { defineLicensedRoute } from '../route.js';
import { textAt } from './fields.js';
import { orderIdText } from './lookup.js';
import { presentListed, presentRow } from './presenter.js';
import { ListSchema, RowsSchema } from './schema.js';
import { siteOf } from './store-site.js';

/** Responds without envelope. */
export const listOrderShipmentsRoute = defineLicensedRoute(
  {
    method: 'post',
    path: '/shipping/order',
    operationId: 'listOrderShipments',
    tag: 'Shipping',
    summary: 'List the shipments of orders',
    description:
      "Shipments of the license's orders, cancelled ones included, per order at most the newest " +
      `${MAX_ORDER_SHIPMENTS}. A valid \`token\` extends the look-up to all licenses of its user's account, except ` +
      'orders of other store sites. With `ids` the body is a list, with `orders` an object; neither has an envelope.',
    normalised: true,
    input: {
      orders: Type.Optional(
        Type.Array(orderIdText, {
          minItems: 1,
          maxItems: 100,
          description: "The store's order ids; required without `ids`.",
        }),
      ),
      ids: Type.Optional(
        Type.Array(orderIdText, {
          minItems: 1,
          maxItems: 100,
          description: 'The same, for a response as a list of shipments.',
        }),
      ),
    },
    rules: [
      ({ orders, ids }, say): FieldErrors =>
        orders === undefined && ids === undefined ? { orders: [say.required('orders')] } : {},
    ],
    inputExample: { license_key: 'lic-main', domain: 'demo-shop.example', orders: ['1001', '1002'] },
    responses: {
      200: {
        description: 'Order id → shipments; with `ids` the shipments alone.',
        schema: Type.Union([ListSchema, RowsSchema]),
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
  async ({ app, request, input, license, user }) => {
    const orderIds = [...new Set((input.ids ?? input.orders ?? []).map(String))];
    const storeSiteId =
      user === null ? null : await siteOf(app, user, textAt(request.input, 'domain', 255) ?? '');
    const widenedTo = user === null ? null : { accountId: user.accountId, storeSiteId };
    const shipments = await listShipmentsOfOrders(app.db, { licenseId: license.id, widenedTo }, orderIds);
    if (input.ids !== undefined) return bare(200, shipments.toReversed().map(presentRow));
    const body = orderIds.map((id) => [
      id,
      shipments.filter(({ order }) => order.id === id).map(presentListed),
    ]);
    return bare(200, Object.fromEntries(body));
  },
);
