import {
  findOrder,
  listOrderSizes,
  type OrderRecord,
  readOrders,
} from '../../../db/queries/shipments/orders.js';
import { listOrderShipments, MAX_ORDER_SHIPMENTS } from '../../../db/queries/shipments/shipments.js';
import { notFound } from '../../../domain/errors.js';
import { fittingList } from '../../pagination.js';
import { type Context, defineRoute, theLicense } from '../../route.js';
import { withStored } from '../../stored-json.js';
import { shipmentExample } from '../examples.js';
import { answerOf, LicenseQuery, ListQuery, listAnswerOf, pageAnswerOf } from '../schemas.js';
import { presentShipment } from '../shipments/presenter.js';
import { type Shipment, ShipmentSchema } from '../shipments/schema.js';
import { type Order, OrderParams, OrderSchema, OrderWithShipmentsSchema } from './schema.js';

const TAG = 'Orders';

const orderExample = {
  id: 31,
  order_id: '1001',
  number: '#1001',
  source: 'woocommerce',
  total: '249.90',
  currency: 'ILS',
  billing: { first_name: 'Dana', last_name: 'Levi' },
  shipping: { first_name: 'Dana', last_name: 'Levi', city: 'Haifa' },
  created_at: '2026-11-21T09:30:00.120000Z',
  updated_at: '2026-11-21T09:30:00.120000Z',
} satisfies Order;

const list = defineRoute(
  {
    method: 'get',
    path: '/orders',
    operationId: 'listOrders',
    tag: TAG,
    summary: 'List orders',
    description:
      'Newest first. Without `license_key` the list spans every usable license of the account. A page ends before its ' +
      'addresses exceed 2 MiB; `links.next` has the rest.',
    license: 'many',
    query: ListQuery,
    responses: { 200: pageAnswerOf('A page of orders.', OrderSchema, '/orders', [orderExample]) },
  },
  async (context) => {
    const { app, accountId, licenses, query } = context;
    const licenseIds = licenses.map((license) => license.id);
    const text = await fittingList(
      context,
      { list: 'orders', filters: { license_key: query.license_key } },
      (page) => listOrderSizes(app.db, { accountId, licenseIds, ...page }),
      async (orders) => {
        const found = await readOrders(app.db, { accountId, ids: orders.map(({ id }) => id) });
        return found.map((order) => orderText(order));
      },
    );
    return { status: 200, text };
  },
);

/** Common to the routes of one order. */
const ONE_ORDER = {
  method: 'get',
  tag: TAG,
  description:
    `At most the newest ${MAX_ORDER_SHIPMENTS} shipments; ` +
    '`GET /shipments?filter[order_id]=…` lists all, page by page.',
  license: 'one',
  params: OrderParams,
  query: LicenseQuery,
  errors: ['not_found'],
  errorMessages: { not_found: 'The requested order was not found.' },
} as const;

const show = defineRoute(
  {
    ...ONE_ORDER,
    path: '/orders/{order}',
    operationId: 'getOrder',
    summary: 'Read an order',
    responses: {
      200: answerOf('The order with its shipments, newest first.', OrderWithShipmentsSchema, {
        ...orderExample,
        shipments: [shipmentExample],
      }),
    },
  },
  async (context) => {
    const { order, shipments } = await ownOrder(context);
    return { status: 200, text: `{"data":${orderText(order, { shipments })}}` };
  },
);

const shipments = defineRoute(
  {
    ...ONE_ORDER,
    path: '/orders/{order}/shipments',
    operationId: 'listOrderShipments',
    summary: "List an order's shipments",
    responses: {
      200: listAnswerOf(
        'The shipments, newest first.',
        ShipmentSchema,
        'The shipments of the order, newest first.',
        [shipmentExample],
      ),
    },
  },
  async (context) => {
    const { shipments } = await ownOrder(context);
    return { status: 200, json: { data: shipments } };
  },
);

export const orderRoutes = { list, show, shipments };

/** The selected license's order with its shipments, newest first. @throws AppError `not_found` */
async function ownOrder(
  context: Pick<Context<{ order: string }, unknown, unknown>, 'app' | 'accountId' | 'licenses' | 'params'>,
) {
  const { app, accountId, params } = context;
  const order = await findOrder(app.db, { licenseId: theLicense(context).id, orderId: params.order });
  if (order === null) throw notFound('order');
  const shipments = await listOrderShipments(app.db, { accountId, orderRowId: order.id });
  return { order, shipments: shipments.map(presentShipment) };
}

/** An order with its stored addresses, and what is shown `beside` them, as JSON text. */
function orderText(record: OrderRecord, beside: { shipments?: Shipment[] } = {}): string {
  const { billing, shipping } = record;
  const order: Order = {
    id: record.id,
    order_id: record.orderId,
    number: record.number,
    source: record.source,
    total: record.total,
    currency: record.currency,
    billing: {},
    shipping: {},
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
  return withStored({ ...order, ...beside }, [
    ['billing', billing],
    ['shipping', shipping],
  ]);
}
