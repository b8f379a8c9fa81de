import { type Static, Type } from 'typebox';
import { listShipmentsOfOrders } from '../../../db/queries/shipments/coded-shipments.js';
import { listEvents, MAX_ORDER_SHIPMENTS } from '../../../db/queries/shipments/shipments.js';
import { AppError, Overloaded } from '../../../domain/errors.js';
import type { ShipmentRecord } from '../../../domain/shipment.js';
import { isFinal } from '../../../domain/statuses.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { withoutMarks } from '../../../lib/sent-text.js';
import { listPickupPoints } from '../../../services/carriers/list-pickup-points.js';
import { cancelShipment } from '../../../services/shipments/cancel-shipment.js';
import { refreshStatus } from '../../../services/shipments/refresh-status.js';
import { closed, oneOf } from '../../schemas.js';
import { bare, failed, succeeded } from '../reply.js';
import { envelopeOf, FailureEnvelope, failure, success } from '../responses.js';
import { defineLicensedRoute, type LicensedContext, type V1Route } from '../route.js';
import type { FieldTexts } from '../validate.js';
import { codeOf, findByCode, findByNumber, needShipment, orderIdText, shippingId, siteOf } from './lookup.js';
import { presentDetails, presentListed, presentRow, presentSpot, presentStatus } from './presenter.js';
import {
  CodedStatusSchema,
  ListSchema,
  LocationsSchema,
  LookupSchema,
  RowsSchema,
  StatusSchema,
  shipmentMissing,
} from './schema.js';

const STATUS_KEPT_MS = 10_000;

/** The same as for v2's `refresh=true`. */
const getOrderDetails = defineLicensedRoute(
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
    input: { shipping_id: shippingId },
    inputExample: { shipping_id: '74100231' },
    responses: {
      200: success('The details, and whether the carrier answered.', LookupSchema),
      404: shipmentMissing,
    },
  },
  async ({ app, request, say, input, license, user }) => {
    const code = codeOf(input.shipping_id);
    const known = await needShipment({ app, license, user }, code, findByNumber);
    const { accountId, uuid } = known;
    const asked = await request.whileWaiting(() =>
      refreshStatus(app, { accountId, uuid, timeoutMs: LIMITS.carriers.refreshMs }),
    );
    const shipment = (await findByNumber({ app, license, user }, code)) ?? known;
    const events = await listEvents(app.db, shipment.id);
    return succeeded({
      data: presentDetails(shipment, events, say),
      success: asked.kind !== 'failed',
      message: asked.kind === 'failed' ? asked.text || say.carrierUnanswered : '',
    } satisfies Static<typeof LookupSchema>);
  },
);

/**
 * The license's shipment, its status refreshed if the carrier answers quickly, else as stored. The carrier is
 * asked about once in ten seconds. @throws Refusal 404
 */
async function currentShipment(
  { app, request, license, user }: Pick<LicensedContext<unknown>, 'app' | 'request' | 'license' | 'user'>,
  code: string,
): Promise<ShipmentRecord> {
  const known = await needShipment({ app, license, user }, code);
  const { accountId, uuid, checkedAt } = known;
  if (checkedAt !== null && Date.parse(checkedAt) > Date.now() - STATUS_KEPT_MS) return known;
  const asked = await request.whileWaiting(() => refreshStatus(app, { accountId, uuid, timeoutMs: 3000 }));
  return asked.kind === 'answered' ? ((await findByCode({ app, license, user }, code)) ?? known) : known;
}

const getShippingStatus = defineLicensedRoute(
  {
    method: 'post',
    path: '/shipping/get_shipping_status',
    operationId: 'getShippingStatus',
    tag: 'Shipping',
    summary: "Read a shipment's status",
    description:
      'A status older than 10 s is asked for at the carrier, at most for 3 s; when nothing comes, the stored one does.',
    input: { shipping_id: shippingId },
    inputExample: { shipping_id: '74100231' },
    responses: { 200: success('The status.', CodedStatusSchema), 404: shipmentMissing },
  },
  async (context) => {
    const shipment = await currentShipment(context, codeOf(context.input.shipping_id));
    const code = shipment.trackingCode ?? '';
    return succeeded({ code, ...presentStatus(shipment) } satisfies Static<typeof CodedStatusSchema>);
  },
);

const Changed = closed('The shipment that was cancelled.', {
  shipping_id: Type.Integer({ description: 'Our id of the shipment.' }),
});

/** Every outcome is HTTP 200. */
const changeOrderStatus = defineLicensedRoute(
  {
    method: 'post',
    path: '/shipping/change_order_status',
    operationId: 'changeOrderStatus',
    tag: 'Shipping',
    summary: 'Cancel a shipment',
    description:
      'Cancels the shipment with the carrier; for a cancelled one it succeeds without doing anything. An unknown ' +
      'shipment and a cancellation that fails or is not answered in time are HTTP 200 with `success: false`. ' +
      "A valid `token` extends the look-up to all licenses of its user's account.",
    input: {
      shipping_id: shippingId,
      status: Type.Optional(oneOf(['cancel'], 'The only supported change.')),
    },
    inputExample: { shipping_id: '74100231', status: 'cancel' },
    responses: {
      200: {
        description: 'Cancelled, or why not.',
        schema: Type.Union([envelopeOf(Changed), FailureEnvelope]),
        example: succeeded({ shipping_id: 5012 }, 'The status was updated').json,
      },
    },
  },
  async ({ app, request, say, input, license, user }) => {
    const shipment = await findByCode({ app, license, user }, codeOf(input.shipping_id));
    if (shipment === null) return failed(200, say.shipmentNotFound);
    const refusal = await cancel({ app, request, say }, shipment);
    if (refusal !== null) return failed(200, refusal);
    return succeeded({ shipping_id: shipment.id }, say.statusUpdated);
  },
);

/** The reason for not cancelling; null on success. */
async function cancel(
  { app, request, say }: Pick<LicensedContext<unknown>, 'app' | 'request' | 'say'>,
  shipment: ShipmentRecord,
): Promise<string | null> {
  const { accountId, uuid, status } = shipment;
  if (status.code === 'cancelled') return null;
  if (isFinal(status.code)) return say.shipmentEnded;
  try {
    await request.whileWaiting(() => cancelShipment(app, { accountId, uuid, reason: null, byStore: true }));
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error instanceof Overloaded) throw error;
    if (error.code === 'shipment_not_cancellable') return error.message;
    if (error.code === 'not_found') return say.shipmentNotFound;
    if (error.code === 'service_unavailable') return say.cancellationOpen;
    throw error;
  }
}

const orderIds = (description: string) =>
  Type.Optional(Type.Array(orderIdText, { minItems: 1, maxItems: 100, description }));

/** Responds without envelope. */
const listOrderShipments = defineLicensedRoute(
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
    input: {
      orders: orderIds("The store's order ids; required without `ids`."),
      ids: orderIds('The same, for a response as a list of shipments.'),
    },
    rules: [
      ({ orders, ids }, say): FieldTexts =>
        orders === undefined && ids === undefined ? { orders: [say.required('orders')] } : {},
    ],
    inputExample: { orders: ['1001', '1002'] },
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
    const wanted = [...new Set((input.ids ?? input.orders ?? []).map(String))];
    const storeSiteId = await siteOf({ app, user }, request.input);
    const widenedTo = user === null ? null : { accountId: user.accountId, storeSiteId };
    const shipments = await listShipmentsOfOrders(app.db, { licenseId: license.id, widenedTo }, wanted);
    if (input.ids !== undefined) return bare(200, shipments.toReversed().map(presentRow));
    const body = wanted.map((id) => [
      id,
      shipments.filter(({ order }) => order.id === id).map(presentListed),
    ]);
    return bare(200, Object.fromEntries(body));
  },
);

/** Responds without envelope, and unlike the routes around it. */
const shipmentStatus = defineLicensedRoute(
  {
    method: 'post',
    path: '/shipping/{shipment}/status',
    operationId: 'shipmentStatus',
    tag: 'Shipping',
    summary: "Read a shipment's status, without envelope",
    description: "`shipment` is the carrier's tracking code. As current as `get_shipping_status`.",
    normalised: false,
    input: {},
    inputExample: {},
    responses: { 200: { description: 'The status.', schema: StatusSchema }, 404: shipmentMissing },
  },
  async (context) => {
    const shipment = await currentShipment(context, withoutMarks(String(context.request.params.shipment)));
    return bare(200, presentStatus(shipment));
  },
);

/** The list is not paged; carriers have a few thousand points. */
const pickupLocations = defineLicensedRoute(
  {
    method: 'post',
    path: '/shipping/pickup_locations',
    operationId: 'pickupLocations',
    tag: 'Shipping',
    summary: "List the carrier's pickup points",
    description:
      'All points by city, from a copy that is renewed daily; the first request for a license fetches it.',
    provider: 'pickupPoints',
    input: {},
    inputExample: {},
    responses: {
      200: success('The points.', LocationsSchema),
      400: failure("The license's carrier does not offer this.", 'Not supported for this provider'),
    },
  },
  async ({ app, request, license }) => {
    const { accountId } = license;
    const points = await request.whileWaiting(() =>
      listPickupPoints(app, { accountId, license, limit: 50_000 }),
    );
    return succeeded({
      locations: { spots: { spot_detail: points.map(presentSpot) } },
    } satisfies Static<typeof LocationsSchema>);
  },
);

export const shippingRoutes: readonly V1Route[] = [
  getOrderDetails,
  getShippingStatus,
  changeOrderStatus,
  listOrderShipments,
  shipmentStatus,
  pickupLocations,
];
