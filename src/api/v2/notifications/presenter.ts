import type { NotificationLogRecord } from '../../../db/queries/mails/notification-logs.js';
import type { NotificationSettingsRecord } from '../../../db/queries/mails/notification-settings.js';
import type { ListedTemplate } from '../../../services/mails/notification-templates.js';
import type { NotificationLog, Settings, Template } from './schema.js';

export function presentSettings(record: NotificationSettingsRecord): Settings {
  return {
    enabled: record.enabled,
    events: [...record.events],
    from_name: record.fromName,
    reply_to: record.replyTo,
    updated_at: record.updatedAt,
  };
}

export function presentTemplate(record: ListedTemplate): Template {
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

export function presentLog(record: NotificationLogRecord): NotificationLog {
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
