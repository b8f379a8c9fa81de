import { deleteTemplate } from '../../../db/queries/mails/notification-templates.js';
import { notFound } from '../../../domain/errors.js';
import { PLACEHOLDERS } from '../../../domain/mail-template/placeholders.js';
import { LIMITS } from '../../../lib/limits/values.js';
import {
  changeNotificationTemplate,
  checkTemplate,
  createNotificationTemplate,
  type ListedTemplate,
  listNotificationTemplates,
  storedTemplate,
} from '../../../services/mails/notification-templates.js';
import { previewNotification } from '../../../services/mails/preview-notification.js';
import { defineRoute, scopeOf } from '../../route.js';
import { answerOf, LicenseQuery, listAnswerOf } from '../schemas.js';
import { previewExample, templateBodyExample, templateExample } from './examples.js';
import {
  ListTemplatesQuery,
  PreviewBody,
  PreviewSchema,
  type Template,
  TemplateBody,
  TemplateChanges,
  TemplateParams,
  TemplateSchema,
} from './schema.js';

const TAG = 'Notifications';
const DUPLICATE = 'The license has a template for this event and locale.';
const PLACEHOLDER_LIST = Object.entries(PLACEHOLDERS)
  .map(([name, meaning]) => `- \`{{ ${name} }}\`: ${meaning}`)
  .join('\n');
const LANGUAGE = `Placeholders are escaped; an unknown one is refused, and so are \`{name}\` and \`%name%\`, which would be sent as they are. \`{{# shipment.cod }}…{{/ shipment.cod }}\` shows
its content only when the placeholder is not empty.

${PLACEHOLDER_LIST}`;

/** Common to the routes of one template. */
const ONE_TEMPLATE = {
  tag: TAG,
  license: 'one',
  params: TemplateParams,
  errors: ['not_found'],
  errorMessages: { not_found: 'The requested template was not found.' },
} as const;

const one = (description: string) => answerOf(description, TemplateSchema, templateExample);

const list = defineRoute(
  {
    method: 'get',
    path: '/notifications/templates',
    operationId: 'listNotificationTemplates',
    tag: TAG,
    summary: 'List templates',
    description: "The license's own templates, and the built-in ones for the rest.",
    license: 'one',
    query: ListTemplatesQuery,
    responses: {
      200: listAnswerOf(
        'The templates, by event and language.',
        TemplateSchema,
        "The license's own templates and the built-in ones, by event and language.",
        [templateExample],
      ),
    },
  },
  async (context) => {
    const event = context.query['filter[event]'];
    const templates = await listNotificationTemplates(context.app.db, {
      ...scopeOf(context),
      ...(event === undefined ? {} : { event }),
    });
    return { status: 200, json: { data: templates.map(presentTemplate) } };
  },
);

const create = defineRoute(
  {
    method: 'post',
    path: '/notifications/templates',
    operationId: 'createNotificationTemplate',
    audit: { action: 'templates.create', target: 'notifications-template' },
    tag: TAG,
    summary: 'Create a template',
    description: `${LANGUAGE}\n\nA license has at most ${LIMITS.mails.templates} templates.`,
    license: 'one',
    body: TemplateBody,
    bodyExample: templateBodyExample,
    responses: { 201: one('The template.') },
    errors: ['duplicate_request'],
    errorMessages: { duplicate_request: DUPLICATE },
  },
  async (context) => {
    const { event, locale, subject, body } = context.body;
    const template = { event, locale, subject, body };
    const created = await createNotificationTemplate(context.app.db, { ...scopeOf(context), template });
    return { status: 201, json: { data: presentTemplate(created) } };
  },
);

const show = defineRoute(
  {
    ...ONE_TEMPLATE,
    method: 'get',
    path: '/notifications/templates/{id}',
    operationId: 'getNotificationTemplate',
    summary: 'Read a template',
    query: LicenseQuery,
    responses: { 200: one('The template.') },
  },
  async (context) => {
    const template = await storedTemplate(context.app.db, { ...scopeOf(context), id: idOf(context) });
    return { status: 200, json: { data: presentTemplate(template) } };
  },
);

const change = defineRoute(
  {
    ...ONE_TEMPLATE,
    method: 'patch',
    path: '/notifications/templates/{id}',
    operationId: 'changeNotificationTemplate',
    audit: { action: 'templates.change', target: 'notifications-template', reader: show },
    summary: 'Change a template',
    description: 'Missing fields stay unchanged.',
    body: TemplateChanges,
    bodyExample: { subject: templateBodyExample.subject },
    responses: { 200: one('The template after the change.') },
    errors: ['not_found', 'duplicate_request'],
    errorMessages: { ...ONE_TEMPLATE.errorMessages, duplicate_request: DUPLICATE },
  },
  async (context) => {
    const { license_key: _key, ...changes } = context.body;
    const changed = await changeNotificationTemplate(context.app.db, {
      ...scopeOf(context),
      id: idOf(context),
      changes,
    });
    return { status: 200, json: { data: presentTemplate(changed) } };
  },
);

const remove = defineRoute(
  {
    ...ONE_TEMPLATE,
    method: 'delete',
    path: '/notifications/templates/{id}',
    operationId: 'deleteNotificationTemplate',
    audit: { action: 'templates.delete', target: 'notifications-template', reader: show },
    summary: 'Delete a template',
    description: 'The built-in one takes its place.',
    query: LicenseQuery,
    responses: { 204: { description: 'It is deleted.' } },
  },
  async (context) => {
    if (!(await deleteTemplate(context.app.db, { ...scopeOf(context), id: idOf(context) }))) {
      throw notFound('template');
    }
    return { status: 204 };
  },
);

const preview = defineRoute(
  {
    ...ONE_TEMPLATE,
    method: 'post',
    path: '/notifications/templates/{id}/preview',
    operationId: 'previewNotificationTemplate',
    repeatable: true,
    audit: { action: 'templates.preview', target: 'notifications-template' },
    summary: 'Preview a template',
    description: "Renders the template, or unsaved text, with a shipment's data or sample data.",
    body: PreviewBody,
    bodyExample: { subject: 'Hello {{ recipient.name }}' },
    bodyOptional: true,
    responses: { 200: answerOf('The mail.', PreviewSchema, previewExample) },
  },
  async (context) => {
    const { app, body } = context;
    const scope = scopeOf(context);
    const stored = await storedTemplate(app.db, { ...scope, id: idOf(context) });
    const template = {
      locale: stored.locale,
      subject: body.subject ?? stored.subject,
      body: body.body ?? stored.body,
    };
    checkTemplate(template);
    const mail = await previewNotification(app, {
      ...scope,
      template,
      ...(body.shipment == null ? {} : { shipmentUuid: body.shipment.toLowerCase() }),
    });
    return { status: 200, json: { data: mail } };
  },
);

export const templateRoutes = { list, create, show, change, remove, preview };

/** @throws AppError `not_found` for an invalid id */
function idOf({ params }: { params: { id: string } }): number {
  if (!/^\d{1,15}$/.test(params.id)) throw notFound('template');
  return Number(params.id);
}

function presentTemplate(record: ListedTemplate): Template {
  return {
    id: record.id,
    event: record.event,
    locale: record.locale,
    subject: record.subject,
    body: record.body,
    is_builtin: record.id === null,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}
