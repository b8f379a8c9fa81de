import { type Static, Type } from 'typebox';
import {
  listNotificationLogs,
  type NotificationLogRecord,
} from '../../../db/queries/mails/notification-logs.js';
import {
  getNotificationSettings,
  saveNotificationSettings,
} from '../../../db/queries/mails/notification-settings.js';
import { cursorList } from '../../pagination.js';
import { defineRoute, scopeOf } from '../../route.js';
import { answerOf, LicenseQuery, pageAnswerOf } from '../schemas.js';
import { logExample, settingsBodyExample, settingsExample } from './examples.js';
import { ListLogsQuery, LogSchema, type NotificationLog, SettingsBody, SettingsSchema } from './schema.js';

const TAG = 'Notifications';
const settingsResponse = { 200: answerOf('The settings.', SettingsSchema, settingsExample) };

const show = defineRoute(
  {
    method: 'get',
    path: '/notifications/settings',
    operationId: 'getNotificationSettings',
    tag: TAG,
    summary: "Read a license's notification settings",
    license: 'one',
    query: LicenseQuery,
    responses: settingsResponse,
  },
  async (context) => {
    const settings = await getNotificationSettings(context.app.db, scopeOf(context));
    return { status: 200, json: { data: presentSettings(settings) } };
  },
);

const replace = defineRoute(
  {
    method: 'put',
    path: '/notifications/settings',
    operationId: 'replaceNotificationSettings',
    audit: { action: 'notifications.change-settings', target: 'notifications-setting', reader: show },
    tag: TAG,
    summary: "Replace a license's notification settings",
    description:
      'From then on recipients with an e-mail address get a mail on each chosen event. Setting `enabled` to false ' +
      'drops mails that are not sent yet.',
    license: 'one',
    body: SettingsBody,
    bodyExample: settingsBodyExample,
    responses: settingsResponse,
  },
  async (context) => {
    const { app, body } = context;
    const scope = scopeOf(context);
    await saveNotificationSettings(app.db, {
      ...scope,
      settings: {
        enabled: body.enabled,
        events: [...new Set(body.events)],
        fromName: body.from_name?.trim() || null,
        replyTo: body.reply_to ?? null,
      },
    });
    return { status: 200, json: { data: presentSettings(await getNotificationSettings(app.db, scope)) } };
  },
);

/** Changes some settings. API v2 replaces them as a whole, so this operation has no path there: the panel calls it. */
export const changeSettings = defineRoute(
  {
    method: 'patch',
    path: '/notifications/settings',
    operationId: 'changeNotificationSettings',
    audit: { action: 'notifications.change-settings', target: 'notifications-setting', reader: show },
    tag: TAG,
    summary: "Change a license's notification settings",
    license: 'one',
    body: Type.Partial(SettingsBody),
    responses: settingsResponse,
  },
  async (context) => {
    const { app, body } = context;
    const scope = scopeOf(context);
    const { enabled, events, from_name: fromName, reply_to: replyTo } = body;
    const settings = {
      ...(enabled === undefined ? {} : { enabled }),
      ...(events === undefined ? {} : { events: [...new Set(events)] }),
      ...(fromName === undefined ? {} : { fromName: fromName?.trim() || null }),
      ...(replyTo === undefined ? {} : { replyTo }),
    };
    await saveNotificationSettings(app.db, { ...scope, settings });
    return { status: 200, json: { data: presentSettings(await getNotificationSettings(app.db, scope)) } };
  },
);

const logs = defineRoute(
  {
    method: 'get',
    path: '/notifications/logs',
    operationId: 'listNotificationLogs',
    tag: TAG,
    summary: 'List the mails to recipients',
    description:
      'Newest first. `pending` waits for its next try; `failed` was refused by the mail server, or not accepted in ' +
      'twelve tries within about a day; `skipped` had no address, was no longer wanted or exceeded the daily limit.',
    license: 'one',
    query: ListLogsQuery,
    responses: { 200: pageAnswerOf('A page of mails.', LogSchema, '/notifications/logs', [logExample]) },
  },
  async (context) => {
    const { app, query } = context;
    const scope = scopeOf(context);
    const { 'filter[status]': status, 'filter[event]': event } = query;
    const shipmentUuid = query['filter[shipment]']?.toLowerCase();
    const json = await cursorList(
      context,
      {
        list: 'notification-logs',
        filters: { license: String(scope.licenseId), status, event, shipment: shipmentUuid },
      },
      (page) => listNotificationLogs(app.db, { ...scope, status, event, shipmentUuid, ...page }),
      presentLog,
    );
    return { status: 200, json };
  },
);

export const settingsRoutes = { show, replace, logs };

function presentSettings(
  record: Awaited<ReturnType<typeof getNotificationSettings>>,
): Static<typeof SettingsSchema> {
  return {
    enabled: record.enabled,
    events: [...record.events],
    from_name: record.fromName,
    reply_to: record.replyTo,
    updated_at: record.updatedAt,
  };
}

function presentLog(record: NotificationLogRecord): NotificationLog {
  return {
    id: record.id,
    event: record.event,
    event_id: record.eventId,
    shipment_uuid: record.shipmentUuid,
    recipient: record.recipient,
    template_id: record.templateId,
    subject: record.subject,
    status: record.status,
    attempts: record.attempts,
    next_attempt_at: record.nextAttemptAt,
    last_error: record.lastError,
    created_at: record.createdAt,
    sent_at: record.sentAt,
  };
}
