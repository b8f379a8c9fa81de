import { type Static, Type } from 'typebox';
import { findOrderByIdOrNumber, mapShipmentsByCode } from '../../../db/queries/shipments/coded-shipments.js';
import { listOrderShipments, MAX_ORDER_SHIPMENTS } from '../../../db/queries/shipments/shipments.js';
import { SLOTS_PER_SHEET } from '../../../domain/labels.js';
import { Slots } from '../../../lib/limits/slots.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { labelPathOfShipment, labelsOfShipments } from '../../../services/labels/labels.js';
import { closed, closedObject } from '../../schemas.js';
import { bare, failed, refuseFields, shownKey, succeeded } from '../reply.js';
import { envelopeOf, failure, success } from '../responses.js';
import { defineLicensedRoute, type V1Route } from '../route.js';
import { codeOf, needShipment, orderIdText, scopeOf, shippingCode, shippingId } from '../shipping/lookup.js';
import { shipmentMissing } from '../shipping/schema.js';

const LabelUrl = closedObject('LabelUrl', 'Where a document is.', {
  url: Type.String({ format: 'uri', description: 'A PDF; anyone with the URL can print.' }),
});

/** A URL of the built-in renderer. */
const labelUrlExample = {
  url: 'https://parcels.acme.test/shipping/label/5f0c1f7a-2b64-4f5c-9a3d-6c1f0a7be211',
};

const NoLabel = closed('No label.', {
  error: Type.String({ description: 'Says that the carrier has no label.' }),
});

const OrderLabels = closedObject('OrderLabels', 'The labels of an order.', {
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

const label = defineLicensedRoute(
  {
    method: 'post',
    path: '/shipping/label',
    operationId: 'getLabel',
    tag: 'Shipping',
    summary: "Get the address of a shipment's label",
    description:
      "Makes the label on first use. The license's label method, else the account's, selects the built-in renderer or " +
      "the carrier's own label. Cancelled shipments have one too. A valid `token` extends the look-up to all licenses " +
      "of its user. Without a label of the carrier the body is only `{ error }`, with HTTP 200.\n\nThe renderer's " +
      'URLs accept `output=html`, `position` (1 to 8, the slot of the first label on an A4 sheet), ' +
      '`enable_sort_by_warehouse=true` and `sort_by_warehouse` (`asc`, `desc`). No URL needs credentials.',
    input: { shipping_id: shippingId },
    inputExample: { shipping_id: '74100231' },
    responses: {
      200: {
        ...success('Where the label is, or that there is none.', LabelUrl, labelUrlExample),
        schema: Type.Union([envelopeOf(LabelUrl), NoLabel]),
      },
      404: shipmentMissing,
    },
  },
  async ({ app, request, say, input, license, user }) => {
    const { accountId, uuid } = await needShipment({ app, license, user }, codeOf(input.shipping_id));
    const path = await request.whileWaiting(() => labelPathOfShipment(app, { accountId, uuid }));
    if (path === null) return bare(200, { error: say.noCarrierLabel });
    return succeeded({ url: app.config.baseUrl + path });
  },
);

const orderLabel = defineLicensedRoute(
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
    input: { order_id: orderIdText },
    inputExample: { order_id: '1001' },
    responses: {
      200: success('The labels, newest shipment first.', OrderLabels, {
        labels: [{ shipping_code: '74100231', ...labelUrlExample }],
      }),
      404: failure('There is no such order, or it has no active shipment.', 'Order not found'),
    },
  },
  async ({ app, request, say, input, license }) => {
    const { accountId, id: licenseId } = license;
    const wanted = { licenseId, idOrNumber: String(input.order_id) };
    const orderRowId = await findOrderByIdOrNumber(app.db, wanted);
    if (orderRowId === null) return failed(404, say.orderNotFound);
    const active = await listOrderShipments(app.db, { accountId, orderRowId, activeOnly: true });
    if (active.length === 0) return failed(404, say.noActiveShipments);
    const slots = new Slots({ total: 4 });
    const labels = await request.whileWaiting(() =>
      Promise.all(
        active.map(async ({ uuid, trackingCode }) => {
          const path = await slots.use(() => labelPathOfShipment(app, { accountId, uuid }));
          const url = `${app.config.baseUrl}${path}`;
          return path === null ? [] : [{ shipping_code: trackingCode ?? '', url }];
        }),
      ),
    );
    return succeeded({ labels: labels.flat() } satisfies Static<typeof OrderLabels>);
  },
);

const bulkLabel = defineLicensedRoute(
  {
    method: 'post',
    path: '/shipping/bulk-label',
    operationId: 'getBulkLabel',
    tag: 'Shipping',
    summary: 'Print labels together',
    description:
      'One document for up to 100 shipments, cancelled ones included, in the given order; a repeated ' +
      `code counts once. At most ${LIMITS.labels.ofDocument} packages in all. Always from the built-in renderer. ` +
      "A valid `token` extends the look-up to all licenses of its user's account.",
    input: {
      shipping_codes: Type.Array(shippingCode, {
        minItems: 1,
        maxItems: 100,
        description: "The carrier's tracking codes, in the order in which they are printed.",
      }),
      position: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: SLOTS_PER_SHEET,
          default: 1,
          description: 'Slot of the first label on an A4 sheet; those before it stay blank.',
        }),
      ),
    },
    inputExample: { shipping_codes: ['74100231', '74100232'], position: 3 },
    responses: {
      200: success('Where the document is.', LabelUrl, labelUrlExample),
      404: failure(
        'Codes that name no shipment of the license; nothing is printed.',
        'No shipments found: 74100299',
      ),
    },
  },
  async ({ app, request, say, input, license, user }) => {
    const codes = [...new Set(input.shipping_codes.map(String))];
    const found = await mapShipmentsByCode(app.db, scopeOf({ license, user }), codes);
    // A set belongs to one account: another account's token adds that account's shipments, but a set never mixes both.
    const [{ accountId } = license] = found.values();
    const unknown = codes.filter((code) => found.get(code)?.accountId !== accountId);
    if (unknown.length > 0) return failed(404, say.noShipments(unknown.map(shownKey)));
    const shipments = codes.flatMap((code) => found.get(code) ?? []);
    const labels = shipments.reduce((sum, { packages }) => sum + packages, 0);
    if (labels > LIMITS.labels.ofDocument) {
      const errors = {
        shipping_codes: [say.tooManyPackages('shipping_codes', LIMITS.labels.ofDocument, labels)],
      };
      throw refuseFields(errors, request, say);
    }
    const uuids = shipments.map(({ uuid }) => uuid);
    const options = { labelType: null, position: input.position ?? 1, sort: undefined };
    const { path } = await request.whileWaiting(() =>
      labelsOfShipments(app, { accountId, shipments: uuids, options }),
    );
    return succeeded({ url: app.config.baseUrl + path });
  },
);

export const labelRoutes: readonly V1Route[] = [label, orderLabel, bulkLabel];
