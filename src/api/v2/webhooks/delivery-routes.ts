import {
  type DeliveryRecord,
  findDelivery,
  listDeliveries,
} from '../../../db/queries/webhooks/deliveries.js';
import { findWebhook, type WebhookKey } from '../../../db/queries/webhooks/webhooks.js';
import { notFound } from '../../../domain/errors.js';
import { LIMITS } from '../../../lib/limits/values.js';
import {
  pingWebhook,
  REPLAYING,
  replayDeliveries,
  resendDelivery,
} from '../../../services/webhooks/webhooks.js';
import type { HttpApp } from '../../http-app.js';
import { cursorList } from '../../pagination.js';
import { defineRoute, toUuid } from '../../route.js';
import { answerOf, LicenseBody, LicenseQuery, pageAnswerOf } from '../schemas.js';
import { toMoment } from '../shipments/moment.js';
import { deliveryExample } from './examples.js';
import { ONE_WEBHOOK, webhookKey } from './routes.js';
import {
  DeliveryParams,
  DeliverySchema,
  ListDeliveriesQuery,
  ReplayBody,
  ReplaySchema,
  type WebhookDelivery,
} from './schema.js';

/** Common to the routes of one delivery. */
const ONE_DELIVERY = { ...ONE_WEBHOOK, params: DeliveryParams } as const;

const ping = defineRoute(
  {
    ...ONE_WEBHOOK,
    method: 'post',
    path: '/webhooks/{id}/ping',
    operationId: 'pingWebhook',
    audit: { action: 'webhooks.ping', target: 'webhook' },
    summary: 'Send a test event now',
    description:
      'Sends the event `ping` once, also to a webhook that is off, and waits up to 10 seconds for the answer.',
    bodyOptional: true,
    body: LicenseBody,
    bodyExample: {},
    responses: { 200: answerOf('The delivery with its attempt.', DeliverySchema, deliveryExample) },
  },
  async (context) => {
    const delivery = await context.request.whileWaiting(() => pingWebhook(context.app, webhookKey(context)));
    return { status: 200, json: { data: presentDelivery(delivery) } };
  },
);

const list = defineRoute(
  {
    ...ONE_WEBHOOK,
    method: 'get',
    path: '/webhooks/{id}/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: "List a webhook's deliveries",
    description:
      'Newest first, with the newest 20 attempts of each and the first 1024 characters of their answers. Finished ' +
      'deliveries are kept for 30 days.',
    query: ListDeliveriesQuery,
    responses: {
      200: pageAnswerOf(
        'A page of deliveries.',
        DeliverySchema,
        `/webhooks/${deliveryExample.webhook_id}/deliveries`,
        [deliveryExample],
      ),
    },
  },
  async (context) => {
    const { app, accountId, query } = context;
    const key = await ownKey(app, webhookKey(context));
    const { 'filter[status]': status, 'filter[event]': event } = query;
    const json = await cursorList(
      context,
      { list: 'webhook-deliveries', filters: { webhook: key.id, status, event } },
      (page) => listDeliveries(app.db, { accountId, subscriptionId: key.id, status, event, ...page }),
      presentDelivery,
    );
    return { status: 200, json };
  },
);

const show = defineRoute(
  {
    ...ONE_DELIVERY,
    method: 'get',
    path: '/webhooks/{id}/deliveries/{delivery}',
    operationId: 'getWebhookDelivery',
    summary: 'Read a delivery',
    query: LicenseQuery,
    responses: {
      200: answerOf('The delivery with its newest 20 attempts.', DeliverySchema, deliveryExample),
    },
  },
  async (context) => {
    const { app, accountId, params } = context;
    const { id } = await ownKey(app, webhookKey(context));
    const uuid = toUuid(params.delivery);
    const delivery = await findDelivery(app.db, { accountId, subscriptionId: id, uuid });
    if (delivery === null) throw notFound();
    return { status: 200, json: { data: presentDelivery(delivery) } };
  },
);

const redeliver = defineRoute(
  {
    ...ONE_DELIVERY,
    method: 'post',
    path: '/webhooks/{id}/deliveries/{delivery}/redeliver',
    operationId: 'redeliverWebhookDelivery',
    audit: { action: 'webhooks.redeliver', target: 'webhook' },
    summary: 'Send a delivery again',
    description:
      'Sends the same body with the same event id, with six further attempts. A pending delivery stays unchanged.',
    bodyOptional: true,
    body: LicenseBody,
    bodyExample: {},
    responses: {
      202: answerOf('The delivery that is being sent.', DeliverySchema, {
        ...deliveryExample,
        status: 'pending',
        completed_at: null,
      }),
    },
  },
  async (context) => {
    const uuid = toUuid(context.params.delivery);
    const delivery = await resendDelivery(context.app, webhookKey(context), uuid);
    return { status: 202, json: { data: presentDelivery(delivery) } };
  },
);

const replay = defineRoute(
  {
    ...ONE_WEBHOOK,
    method: 'post',
    path: '/webhooks/{id}/replay',
    operationId: 'replayWebhook',
    audit: { action: 'webhooks.replay', target: 'webhook' },
    summary: 'Send what failed again',
    description:
      `Resends failed deliveries recorded since then, at most the oldest ${LIMITS.webhooks.replayed}: if \`count\` is that ` +
      'number, call again for the rest. Attempts given up when the webhook was turned off count; a delivery with ' +
      `${LIMITS.webhooks.mostAttempts} attempts is not resent. One replay per webhook at a time.`,
    body: ReplayBody,
    bodyExample: { since: '2026-11-20T00:00:00Z' },
    responses: { 202: answerOf('How many deliveries are sent again.', ReplaySchema, { count: 12 }) },
    errors: ['not_found', 'duplicate_request'],
    errorMessages: { duplicate_request: REPLAYING },
  },
  async (context) => {
    const since = toMoment('since', context.body.since, false);
    const count = await replayDeliveries(context.app, webhookKey(context), since);
    return { status: 202, json: { data: { count } } };
  },
);

export const webhookDeliveryRoutes = { ping, list, show, redeliver, replay };

/** The key of an existing subscription of the license. @throws AppError `not_found` */
async function ownKey(app: HttpApp, key: WebhookKey): Promise<WebhookKey> {
  if ((await findWebhook(app.db, key)) === null) throw notFound();
  return key;
}

/** A delivery with its attempts, oldest first. */
function presentDelivery(record: DeliveryRecord): WebhookDelivery {
  return {
    id: record.uuid,
    webhook_id: record.subscriptionId,
    event: record.event,
    event_id: record.eventId,
    status: record.status,
    payload: record.payload,
    attempts: record.attempts.map((attempt) => ({
      number: attempt.number,
      started_at: attempt.startedAt,
      duration_ms: attempt.durationMs,
      response_status: attempt.responseStatus,
      response_body: attempt.responseBody,
      error: attempt.error,
    })),
    next_attempt_at: record.nextAttemptAt,
    created_at: record.createdAt,
    completed_at: record.completedAt,
  };
}
