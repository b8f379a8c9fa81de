import type { Static } from 'typebox';
import type { LabelOptions, WarehouseSort } from '../../../domain/labels.js';
import { labelOfShipment, labelPdfOfShipment, labelsOfShipments } from '../../../services/labels/labels.js';
import { defineRoute, theLicense, toUuid } from '../../route.js';
import { answerOf } from '../schemas.js';
import { ONE_SHIPMENT } from '../shipments/routes.js';
import { prefersPdf } from './accept.js';
import { CreateLabelsBody, LabelSchema, LabelsSchema } from './schema.js';

const ADDRESS = 'https://parcels.acme.test/shipping/label/5f0c1f7a-2b64-4f5c-9a3d-6c1f0a7be211';

const show = defineRoute(
  {
    ...ONE_SHIPMENT,
    method: 'get',
    path: '/shipments/{uuid}/label',
    operationId: 'getShipmentLabel',
    tag: 'Labels',
    summary: "Get a shipment's label",
    description:
      'Makes the label on first use. With `Accept: application/pdf` the response is the document, with a strong ETag. ' +
      '404 until the carrier has accepted the shipment.',
    responses: {
      200: answerOf(
        'Where the label is, or the label.',
        LabelSchema,
        { url: ADDRESS, label_type: 'thermal', source: 'builtin' },
        { alternative: 'application/pdf' },
      ),
    },
    errors: ['not_found', 'carrier_rejected'],
  },
  async ({ app, accountId, params, request }) => {
    const wanted = { accountId, uuid: toUuid(params.uuid, 'shipment') };
    const headers = { Vary: 'Accept' };
    if (prefersPdf(request.headers.accept)) {
      const { name, body, etag } = await request.whileWaiting(() => labelPdfOfShipment(app, wanted));
      return {
        status: 200,
        bytes: { type: 'application/pdf', body, etag },
        headers: { ...headers, 'Content-Disposition': `inline; filename="${name}"` },
      };
    }
    const { path, labelType, source } = await request.whileWaiting(() => labelOfShipment(app, wanted));
    const url = app.config.baseUrl + path;
    return { status: 200, json: { data: { url, label_type: labelType, source } }, headers };
  },
);

const createMany = defineRoute(
  {
    method: 'post',
    path: '/shipments/labels',
    operationId: 'createLabels',
    repeatable: true,
    audit: { action: 'shipments.print', target: 'shipment' },
    tag: 'Labels',
    summary: 'Print labels together',
    description:
      'One document with the labels of up to 100 shipments, always from the built-in renderer. Equal requests return ' +
      'the same URL, whose document reflects later changes of the orders. The URL accepts `output=html`, `position`, ' +
      '`enable_sort_by_warehouse` and `sort_by_warehouse`.',
    license: 'one',
    body: CreateLabelsBody,
    bodyExample: { shipments: ['019aa5a6-7c3a-7d4e-8f00-3f1c1d2e4b5a'], label_type: 'A4', position: 3 },
    responses: { 200: answerOf('Where the document is.', LabelsSchema, { url: ADDRESS, count: 1 }) },
  },
  async (context) => {
    const { app, accountId, body, request } = context;
    const { path, count } = await request.whileWaiting(() =>
      labelsOfShipments(app, {
        accountId,
        licenseId: theLicense(context).id,
        shipments: body.shipments.map((uuid) => uuid.toLowerCase()),
        options: toOptions(body),
      }),
    );
    return { status: 200, json: { data: { url: app.config.baseUrl + path, count } } };
  },
);

export const labelRoutes = { show, createMany };

function toOptions(body: Static<typeof CreateLabelsBody>): LabelOptions {
  return { labelType: body.label_type ?? null, position: body.position ?? 1, sort: toSort(body) };
}

/** A direction alone enables sorting. */
function toSort(body: Static<typeof CreateLabelsBody>): WarehouseSort | undefined {
  const { enable_sort_by_warehouse: enable, sort_by_warehouse: direction } = body;
  if (enable === false || enable === 0) return null;
  if (direction !== undefined && direction !== null) return direction;
  return enable === true || enable === 1 ? 'asc' : undefined;
}
