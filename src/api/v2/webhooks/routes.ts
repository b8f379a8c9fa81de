import type { Static } from 'typebox';
import {
  findWebhook,
  listWebhooks,
  type WebhookKey,
  type WebhookRecord,
} from '../../../db/queries/webhooks/webhooks.js';
import { notFound } from '../../../domain/errors.js';
import { isWebhookEvent } from '../../../domain/events.js';
import { LIMITS } from '../../../lib/limits/values.js';
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  rotateWebhookSecret,
  type WebhookWithSecret,
} from '../../../services/webhooks/webhooks.js';
import { type Context, defineRoute, scopeOf, toUuid } from '../../route.js';
import { answerOf, LicenseQuery, listAnswerOf } from '../schemas.js';
import { newWebhookExample, webhookExample } from './examples.js';
import {
  CreateWebhookBody,
  RotateSecretBody,
  UpdateWebhookBody,
  type Webhook,
  WebhookParams,
  WebhookSchema,
  WebhookWithSecretSchema,
} from './schema.js';

/** Common to the routes of the license's webhooks. */
const WEBHOOKS = { tag: 'Webhooks', license: 'one' } as const;
/** Common to the routes of one webhook. */
export const ONE_WEBHOOK = { ...WEBHOOKS, params: WebhookParams, errors: ['not_found'] } as const;

const list = defineRoute(
  {
    ...WEBHOOKS,
    method: 'get',
    path: '/webhooks',
    operationId: 'listWebhooks',
    summary: "List a license's webhooks",
    query: LicenseQuery,
    responses: {
      200: listAnswerOf(
        'All webhooks, oldest first, without secrets.',
        WebhookSchema,
        'The subscriptions of the license, oldest first.',
        [webhookExample],
      ),
    },
  },
  async (context) => {
    const found = await listWebhooks(context.app.db, scopeOf(context));
    return { status: 200, json: { data: found.map(presentWebhook) } };
  },
);

const create = defineRoute(
  {
    ...WEBHOOKS,
    method: 'post',
    path: '/webhooks',
    operationId: 'createWebhook',
    audit: { action: 'webhooks.create', target: 'webhook' },
    summary: 'Subscribe a URL to events',
    description:
      'Every event is sent as a signed POST; `/docs/webhooks` shows how to receive one. The response has the ' +
      'secret, which is shown only now. URLs with private addresses are refused, and ports of other services (22, 25, ' +
      '5432 and others that browsers refuse too). A license has at most 20 webhooks.',
    body: CreateWebhookBody,
    bodyExample: { license_key: 'lic_main', url: webhookExample.url, events: webhookExample.events },
    responses: {
      201: answerOf('The webhook with its secret.', WebhookWithSecretSchema, newWebhookExample, {
        headers: ['Location'],
      }),
    },
  },
  async (context) => {
    const { app, body, request } = context;
    const events = [...new Set(body.events)];
    const webhook = await request.whileWaiting(() =>
      createWebhook(app, scopeOf(context), { url: body.url, events }),
    );
    return {
      status: 201,
      json: { data: presentNewWebhook(webhook) },
      headers: { Location: `${app.config.baseUrl}/api/v2/webhooks/${webhook.id}` },
    };
  },
);

const show = defineRoute(
  {
    ...ONE_WEBHOOK,
    method: 'get',
    path: '/webhooks/{id}',
    operationId: 'getWebhook',
    summary: 'Read a webhook',
    query: LicenseQuery,
    responses: { 200: answerOf('The webhook, without its secret.', WebhookSchema, webhookExample) },
  },
  async (context) => {
    const webhook = await findWebhook(context.app.db, webhookKey(context));
    if (webhook === null) throw notFound();
    return { status: 200, json: { data: presentWebhook(webhook) } };
  },
);

const update = defineRoute(
  {
    ...ONE_WEBHOOK,
    method: 'patch',
    path: '/webhooks/{id}',
    operationId: 'updateWebhook',
    audit: { action: 'webhooks.change', target: 'webhook', reader: show },
    summary: 'Change a webhook',
    description:
      'Missing fields stay unchanged. Turning a webhook off fails its pending deliveries; after turning it on again, ' +
      'replay sends them.',
    body: UpdateWebhookBody,
    bodyExample: { events: ['shipment.delivered'], is_active: true },
    responses: { 200: answerOf('The changed webhook.', WebhookSchema, webhookExample) },
  },
  async (context) => {
    const { url, events, is_active: isActive } = context.body;
    const webhook = await context.request.whileWaiting(() =>
      changeWebhook(context.app, webhookKey(context), {
        ...(url === undefined ? {} : { url }),
        ...(events === undefined ? {} : { events: [...new Set(events)] }),
        ...(isActive === undefined ? {} : { isActive }),
      }),
    );
    return { status: 200, json: { data: presentWebhook(webhook) } };
  },
);

const remove = defineRoute(
  {
    ...ONE_WEBHOOK,
    method: 'delete',
    path: '/webhooks/{id}',
    operationId: 'deleteWebhook',
    audit: { action: 'webhooks.delete', target: 'webhook', reader: show },
    summary: 'Delete a webhook',
    description: 'Nothing is sent to it from then on; its deliveries are deleted too.',
    query: LicenseQuery,
    responses: { 204: { description: 'The webhook is deleted.' } },
  },
  async (context) => {
    await removeWebhook(context.app, webhookKey(context));
    return { status: 204 };
  },
);

const rotate = defineRoute(
  {
    ...ONE_WEBHOOK,
    method: 'post',
    path: '/webhooks/{id}/rotate-secret',
    operationId: 'rotateWebhookSecret',
    audit: { action: 'webhooks.rotate-secret', target: 'webhook' },
    summary: "Replace a webhook's secret",
    description:
      'The new secret is shown only now. For `overlap_hours` deliveries are signed with both secrets, so that receivers ' +
      'can switch. Each older secret signs until its own time is over, the newest three of them; `overlap_hours: 0` ends all.',
    bodyOptional: true,
    body: RotateSecretBody,
    bodyExample: { overlap_hours: LIMITS.webhooks.overlapHours },
    responses: {
      200: answerOf('The webhook with its new secret.', WebhookWithSecretSchema, newWebhookExample),
    },
  },
  async (context) => {
    const hours = context.body.overlap_hours ?? LIMITS.webhooks.overlapHours;
    const webhook = await rotateWebhookSecret(context.app, webhookKey(context), hours);
    return { status: 200, json: { data: presentNewWebhook(webhook) } };
  },
);

export const webhookRoutes = { list, create, show, update, remove, rotate };

/** The selected license's subscription in the path. @throws AppError `not_found` when it is no uuid */
export function webhookKey(
  context: Pick<Context<{ id: string }, unknown, unknown>, 'accountId' | 'licenses' | 'params'>,
): WebhookKey {
  return { ...scopeOf(context), id: toUuid(context.params.id) };
}

function presentWebhook(record: WebhookRecord): Webhook {
  return {
    id: record.id,
    url: record.url,
    events: record.events.filter(isWebhookEvent),
    is_active: record.isActive,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

/** A subscription with its new secret. */
function presentNewWebhook(record: WebhookWithSecret): Static<typeof WebhookWithSecretSchema> {
  return { ...presentWebhook(record), secret: record.secret };
}
