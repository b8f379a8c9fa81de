import { findWebhook, listWebhooks } from '../../../db/queries/webhooks/webhooks.js';
import { notFound } from '../../../domain/errors.js';
import { LIMITS } from '../../../lib/limits/values.js';
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  rotateWebhookSecret,
} from '../../../services/webhooks/webhooks.js';
import { defineRoute, theLicense } from '../../route.js';
import { dataOf, listOf } from '../schemas.js';
import { newWebhookExample, webhookExample } from './examples.js';
import { webhookKey } from './keys.js';
import { presentNewWebhook, presentWebhook } from './presenter.js';
import {
  CreateWebhookBody,
  RotateSecretBody,
  UpdateWebhookBody,
  WebhookParams,
  WebhookQuery,
  WebhookSchema,
  WebhookWithSecretSchema,
} from './schema.js';

const TAG = 'Webhooks';

const list = defineRoute(
  {
    method: 'get',
    path: '/webhooks',
    operationId: 'listWebhooks',
    tag: TAG,
    summary: "List a license's webhooks",
    license: 'one',
    query: WebhookQuery,
    responses: {
      200: {
        description: 'All webhooks, oldest first, without secrets.',
        schema: listOf(WebhookSchema, 'The subscriptions of the license, oldest first.'),
        example: { data: [webhookExample] },
      },
    },
    errors: [],
  },
  async (context) => {
    const { app, accountId } = context;
    const found = await listWebhooks(app.db, { accountId, licenseId: theLicense(context).id });
    return { status: 200, json: { data: found.map(presentWebhook) } };
  },
);

const create = defineRoute(
  {
    method: 'post',
    path: '/webhooks',
    operationId: 'createWebhook',
    tag: TAG,
    summary: 'Subscribe a URL to events',
    description:
      'Every event is sent as a signed POST; `/docs/webhooks` shows how to receive one. The response has the ' +
      'secret, which is shown only now. URLs with private addresses are refused, and ports of other services (22, 25, ' +
      '5432 and others that browsers refuse too). A license has at most 20 webhooks.',
    license: 'one',
    body: CreateWebhookBody,
    bodyExample: {
      license_key: 'lic_main',
      url: webhookExample.url,
      events: webhookExample.events,
    },
    responses: {
      201: {
        description: 'The webhook with its secret.',
        schema: dataOf(WebhookWithSecretSchema),
        example: { data: newWebhookExample },
        headers: ['Location'],
      },
    },
    errors: [],
  },
  async (context) => {
    const { app, accountId, body, request } = context;
    const owner = { accountId, licenseId: theLicense(context).id };
    const events = [...new Set(body.events)];
    const webhook = await request.whileWaiting(() => createWebhook(app, owner, { url: body.url, events }));
    return {
      status: 201,
      json: { data: presentNewWebhook(webhook) },
      headers: { Location: `${app.config.baseUrl}/api/v2/webhooks/${webhook.id}` },
    };
  },
);

const show = defineRoute(
  {
    method: 'get',
    path: '/webhooks/{id}',
    operationId: 'getWebhook',
    tag: TAG,
    summary: 'Read a webhook',
    license: 'one',
    params: WebhookParams,
    query: WebhookQuery,
    responses: {
      200: {
        description: 'The webhook, without its secret.',
        schema: dataOf(WebhookSchema),
        example: { data: webhookExample },
      },
    },
    errors: ['not_found'],
  },
  async (context) => {
    const webhook = await findWebhook(context.app.db, webhookKey(context));
    if (webhook === null) throw notFound();
    return { status: 200, json: { data: presentWebhook(webhook) } };
  },
);

const update = defineRoute(
  {
    method: 'patch',
    path: '/webhooks/{id}',
    operationId: 'updateWebhook',
    tag: TAG,
    summary: 'Change a webhook',
    description:
      'Missing fields stay unchanged. Turning a webhook off fails its pending deliveries; after turning it on again, ' +
      'replay sends them.',
    license: 'one',
    params: WebhookParams,
    body: UpdateWebhookBody,
    bodyExample: { events: ['shipment.delivered'], is_active: true },
    responses: {
      200: {
        description: 'The changed webhook.',
        schema: dataOf(WebhookSchema),
        example: { data: webhookExample },
      },
    },
    errors: ['not_found'],
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
    method: 'delete',
    path: '/webhooks/{id}',
    operationId: 'deleteWebhook',
    tag: TAG,
    summary: 'Delete a webhook',
    description: 'Nothing is sent to it from then on; its deliveries are deleted too.',
    license: 'one',
    params: WebhookParams,
    query: WebhookQuery,
    responses: { 204: { description: 'The webhook is deleted.' } },
    errors: ['not_found'],
  },
  async (context) => {
    await removeWebhook(context.app, webhookKey(context));
    return { status: 204 };
  },
);

const rotate = defineRoute(
  {
    method: 'post',
    path: '/webhooks/{id}/rotate-secret',
    operationId: 'rotateWebhookSecret',
    tag: TAG,
    summary: "Replace a webhook's secret",
    description:
      'The new secret is shown only now. For `overlap_hours` deliveries are signed with both secrets, so that receivers ' +
      'can switch.',
    license: 'one',
    bodyOptional: true,
    params: WebhookParams,
    body: RotateSecretBody,
    bodyExample: { overlap_hours: LIMITS.webhooks.overlapHours },
    responses: {
      200: {
        description: 'The webhook with its new secret.',
        schema: dataOf(WebhookWithSecretSchema),
        example: { data: newWebhookExample },
      },
    },
    errors: ['not_found'],
  },
  async (context) => {
    const hours = context.body.overlap_hours ?? LIMITS.webhooks.overlapHours;
    const webhook = await rotateWebhookSecret(context.app, webhookKey(context), hours);
    return { status: 200, json: { data: presentNewWebhook(webhook) } };
  },
);

export const webhookRoutes = [list, create, show, update, remove, rotate];
