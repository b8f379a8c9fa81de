import type { Database } from '../../../db/database.js';
import { findRefusal } from '../../../db/queries/creation/refusals.js';
import { listShipments } from '../../../db/queries/shipments/shipment-lists.js';
import { listEvents } from '../../../db/queries/shipments/shipments.js';
import { AppError, notFound } from '../../../domain/errors.js';
import { quoted } from '../../../domain/problems/problem.js';
import type { ShipmentRecord } from '../../../domain/shipment.js';
import { LIMITS } from '../../../lib/limits/values.js';
import type { RestoringApp } from '../../../services/creation/restoring.js';
import { cancelShipment } from '../../../services/shipments/cancel-shipment.js';
import { findShipment } from '../../../services/shipments/find-shipment.js';
import { refreshStatus } from '../../../services/shipments/refresh-status.js';
import { setStatus as setShipmentStatus } from '../../../services/shipments/set-status.js';
import { offsetPage, PageUrl } from '../../pagination.js';
import { defineRoute, toUuid } from '../../route.js';
import { shipmentExample, statusExample } from '../examples.js';
import { answerOf, offsetPageOf } from '../schemas.js';
import { toFilter, toSort } from './command.js';
import { createOrDryRun, dryRunOperation } from './create-routes.js';
import { toMoment } from './moment.js';
import { presentShipment, presentShipmentStatus } from './presenter.js';
import {
  CancelShipmentBody,
  ListShipmentsQuery,
  SetStatusBody,
  ShipmentParams,
  ShipmentSchema,
  ShipmentStatusSchema,
  StatusQuery,
} from './schema.js';

const TAG = 'Shipments';
/** Common to the routes of one shipment. */
export const ONE_SHIPMENT = {
  tag: TAG,
  license: 'none',
  params: ShipmentParams,
  errors: ['not_found'],
  errorMessages: { not_found: 'The requested shipment was not found.' },
} as const;

const list = defineRoute(
  {
    method: 'get',
    path: '/shipments',
    operationId: 'listShipments',
    tag: TAG,
    summary: 'List shipments',
    description:
      'Created shipments, newest first; with `filter[status]` `pending` or `needs_attention` the creations in ' +
      'progress. Without `license_key` the list spans every usable license of the account.',
    license: 'many',
    query: ListShipmentsQuery,
    responses: {
      200: {
        description: 'A page of shipments.',
        schema: offsetPageOf(ShipmentSchema),
        example: {
          data: [shipmentExample],
          links: {
            first: 'https://parcels.acme.test/api/v2/shipments?page=1',
            last: 'https://parcels.acme.test/api/v2/shipments?page=1',
            prev: null,
            next: null,
          },
          meta: { current_page: 1, per_page: 25, total: 1, last_page: 1 },
        },
      },
    },
  },
  async ({ app, accountId, licenses, query, request }) => {
    const { page = 1, per_page: perPage = 25 } = query;
    const { rows, total } = await listShipments(app.db, {
      accountId,
      licenseIds: licenses.map((license) => license.id),
      filter: toFilter(query),
      sort: toSort(query.sort),
      page,
      perPage,
    });
    const url = new PageUrl(app.config.baseUrl, request.url);
    const json = { data: rows.map(presentShipment), ...offsetPage(total, page, perPage, url) };
    return { status: 200, json };
  },
);

const show = defineRoute(
  {
    ...ONE_SHIPMENT,
    method: 'get',
    path: '/shipments/{uuid}',
    operationId: 'getShipment',
    summary: 'Read a shipment',
    description:
      'Also shows a creation in progress, as `pending` or `needs_attention`. One that ended without a parcel is 404 ' +
      "`creation_refused`, with the carrier's or the operator's reason, for 90 days.",
    responses: { 200: answerOf('The shipment.', ShipmentSchema, shipmentExample) },
    errors: ['not_found', 'creation_refused'],
  },
  async ({ app, accountId, params }) => {
    const uuid = toUuid(params.uuid, 'shipment');
    return shipmentReply(await ownShipment(app, accountId, uuid));
  },
);

const status = defineRoute(
  {
    ...ONE_SHIPMENT,
    method: 'get',
    path: '/shipments/{uuid}/status',
    operationId: 'getShipmentStatus',
    summary: "Read a shipment's status and history",
    description:
      'With `refresh=true` the carrier is asked first, for at most 10 s. Otherwise the stored status is returned with ' +
      'its `checked_at`; also when the carrier does not answer, when the shipment was refreshed ten times recently ' +
      "(one more every 30 s), or when the carrier's rate limit is reached.",
    query: StatusQuery,
    responses: {
      200: answerOf('The status and its history, oldest first.', ShipmentStatusSchema, statusExample),
    },
    errors: ['not_found', 'creation_refused'],
  },
  async ({ app, accountId, params, query, request }) => {
    const uuid = toUuid(params.uuid, 'shipment');
    let shipment = await ownShipment(app, accountId, uuid);
    if (query.refresh === true && shipment.state === 'created') {
      await request.whileWaiting(() =>
        refreshStatus(app, { accountId, uuid, timeoutMs: LIMITS.carriers.refreshMs }),
      );
      shipment = await ownShipment(app, accountId, uuid);
    }
    return statusReply(app.db, shipment);
  },
);

const cancel = defineRoute(
  {
    ...ONE_SHIPMENT,
    method: 'post',
    path: '/shipments/{uuid}/cancel',
    operationId: 'cancelShipment',
    repeatable: true,
    audit: { action: 'shipments.cancel', target: 'shipment' },
    summary: 'Cancel a shipment',
    description:
      'Cancels the shipment with the carrier. Cancelling it again returns 200 and does nothing. Where an answer of the ' +
      'carrier was lost and it does not say whether the parcel is cancelled, the answer is 503: the shipment stays ' +
      'active with the status `needs_attention`, and an operator looks there.',
    bodyOptional: true,
    body: CancelShipmentBody,
    bodyExample: { reason: 'The customer changed the order.' },
    responses: {
      200: answerOf('The cancelled shipment.', ShipmentSchema, {
        ...shipmentExample,
        status: { code: 'cancelled', description: 'Cancelled', is_delivered: false },
        is_active: false,
      }),
    },
    errors: ['not_found', 'shipment_not_cancellable'],
  },
  async ({ app, accountId, params, body, request }) => {
    const uuid = toUuid(params.uuid, 'shipment');
    const reason = body.reason ?? null;
    const cancelIt = () => cancelShipment(app, { accountId, uuid, reason });
    return shipmentReply(await request.whileWaiting(cancelIt));
  },
);

/** The shop's own couriers report nothing by themselves: the shop does. */
const setStatus = defineRoute(
  {
    ...ONE_SHIPMENT,
    method: 'post',
    path: '/shipments/{uuid}/status',
    operationId: 'setShipmentStatus',
    audit: { action: 'shipments.set-status', target: 'shipment' },
    summary: 'Set the status of a parcel of your own couriers',
    description:
      'Only for carriers that report no statuses by themselves, such as `independent`: 422 `not_supported` for ' +
      "others. Events, webhooks and mails go out as for a carrier's own status. `occurred_at` lies between " +
      'the booking and now, and not before the present status; a final status is never left. Cancel with ' +
      '`POST /shipments/{uuid}/cancel`.',
    body: SetStatusBody,
    bodyExample: { code: 'out_for_delivery', description: 'With Dana, on the afternoon tour' },
    responses: {
      200: answerOf('The status, with its history oldest first.', ShipmentStatusSchema, statusExample),
    },
    errors: ['not_found', 'not_supported'],
    errorMessages: {
      ...ONE_SHIPMENT.errorMessages,
      not_supported: 'The carrier of this shipment reports its statuses by itself.',
    },
  },
  async ({ app, accountId, params, body }) => {
    const uuid = toUuid(params.uuid, 'shipment');
    const { code, description, occurred_at: at } = body;
    await setShipmentStatus(app, {
      accountId,
      uuid,
      code,
      description: description ?? undefined,
      occurredAt: at == null ? undefined : toMoment('occurred_at', at, false),
    });
    return statusReply(app.db, await ownShipment(app, accountId, uuid));
  },
);

/** As mounted. The operations that it chooses between are in `create-routes.ts`. */
export const shipmentRoutes = {
  list,
  create: createOrDryRun,
  dryRun: dryRunOperation,
  show,
  status,
  cancel,
  setStatus,
};

function shipmentReply(shipment: ShipmentRecord) {
  return { status: 200, json: { data: presentShipment(shipment) } };
}

async function statusReply(db: Database, shipment: ShipmentRecord) {
  const events = await listEvents(db, shipment.id);
  return { status: 200, json: { data: presentShipmentStatus(shipment, events) } };
}

async function ownShipment(app: RestoringApp, accountId: number, uuid: string): Promise<ShipmentRecord> {
  const shipment = await findShipment(app, { accountId, uuid });
  if (shipment !== null) return shipment;
  const reason = await findRefusal(app.db, { accountId, uuid });
  throw reason === null ? notFound('shipment') : new AppError('creation_refused', quoted(reason));
}
