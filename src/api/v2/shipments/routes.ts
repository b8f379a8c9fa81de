import type { Database } from '../../../db/database.js';
import { findRefusal } from '../../../db/queries/creation/refusals.js';
import { listShipments } from '../../../db/queries/shipments/shipment-lists.js';
import { listEvents } from '../../../db/queries/shipments/shipments.js';
import { AppError, notFound } from '../../../domain/errors.js';
import { quoted } from '../../../domain/problems/problem.js';
import { duplicateOrderMessage, keyConflictMessage, type ShipmentRecord } from '../../../domain/shipment.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { createShipment, newCreation } from '../../../services/creation/create-shipment.js';
import type { RestoringApp } from '../../../services/creation/restoring.js';
import { cancelShipment } from '../../../services/shipments/cancel-shipment.js';
import { findShipment } from '../../../services/shipments/find-shipment.js';
import { refreshStatus } from '../../../services/shipments/refresh-status.js';
import { setStatus as setShipmentStatus } from '../../../services/shipments/set-status.js';
import { offsetPage, PageUrl } from '../../pagination.js';
import { defineRoute, theLicense, toUuid } from '../../route.js';
import { createExample, shipmentExample, statusExample } from '../examples.js';
import { answerOf, offsetPageOf } from '../schemas.js';
import { creationKey, toCommand, toFilter, toSort } from './command.js';
import { CreateShipmentBody } from './create-schema.js';
import { toMoment } from './moment.js';
import { createdAnswer, presentShipment, presentShipmentStatus } from './presenter.js';
import {
  CancelShipmentBody,
  ListShipmentsQuery,
  SetStatusBody,
  ShipmentParams,
  ShipmentSchema,
  ShipmentStatusSchema,
  StatusQuery,
} from './schema.js';
import { readSentBody } from './sent-body.js';

const TAG = 'Shipments';
/** What the routes of one shipment share. */
export const ONE_SHIPMENT = {
  tag: TAG,
  license: 'none',
  params: ShipmentParams,
  errors: ['not_found'],
  errorMessages: { not_found: 'The requested shipment was not found.' },
} as const;
const PENDING_RETRY_AFTER_SECONDS = '5';

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

const create = defineRoute(
  {
    method: 'post',
    path: '/shipments',
    operationId: 'createShipment',
    audit: { action: 'shipments.create', target: 'shipment' },
    tag: TAG,
    summary: 'Create a shipment',
    description:
      "Books a parcel with the license's carrier, at most once per key. The key is the `Idempotency-Key` header, or " +
      'the body itself. The same key and body return the first response again, with `Idempotent-Replayed: true`; a ' +
      'refusal is not stored. When the carrier takes long, the response is 202 and the creation continues: follow ' +
      '`Location`, or subscribe to `shipment.created` and `shipment.refused`.',
    license: 'one',
    idempotent: true,
    body: CreateShipmentBody,
    readTexts: readSentBody,
    bodyExample: createExample,
    responses: {
      201: answerOf('The carrier accepted the parcel.', ShipmentSchema, shipmentExample, {
        headers: ['Location', 'Idempotent-Replayed'],
      }),
      202: answerOf(
        'The carrier has not answered yet; the creation continues.',
        ShipmentSchema,
        {
          ...shipmentExample,
          tracking_code: null,
          status: { code: 'pending', description: 'Pending', is_delivered: false },
        },
        { headers: ['Location', 'Retry-After'] },
      ),
    },
    errors: ['duplicate_request', 'idempotency_key_conflict', 'carrier_rejected'],
    errorMessages: {
      duplicate_request: duplicateOrderMessage(shipmentExample.uuid),
      idempotency_key_conflict: keyConflictMessage(shipmentExample.uuid),
    },
  },
  async (context) => {
    const { app, accountId, body, request } = context;
    const license = theLicense(context);
    const command = toCommand(body, license);
    const idempotency = creationKey(request.body, request.headerValues('idempotency-key'), app.config);
    const creation = newCreation(license, { accountId, idempotency, ...command });
    const outcome = await request.whileWaiting(() =>
      createShipment(app, { creation, order: command.order, merchant: license.merchant }),
    );
    request.onShipment(outcome);
    const at = (uuid: string) => ({ Location: `${app.config.baseUrl}/api/v2/shipments/${uuid}` });
    if (outcome.kind === 'pending') {
      return {
        status: 202,
        text: createdAnswer(outcome.shipment),
        headers: { ...at(outcome.shipment.uuid), 'Retry-After': PENDING_RETRY_AFTER_SECONDS },
      };
    }
    return {
      status: outcome.status,
      text: outcome.body,
      headers: {
        ...at(outcome.shipmentUuid),
        ...(outcome.replayed ? { 'Idempotent-Replayed': 'true' } : {}),
      },
    };
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

export const shipmentRoutes = { list, create, show, status, cancel, setStatus };

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
