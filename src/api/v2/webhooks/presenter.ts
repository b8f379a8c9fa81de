import type { DeliveryRecord } from '../../../db/queries/webhooks/deliveries.js';
import type { WebhookRecord } from '../../../db/queries/webhooks/webhooks.js';
import { isWebhookEvent } from '../../../domain/events.js';
import type { WebhookWithSecret } from '../../../services/webhooks/webhooks.js';
import type { Webhook, WebhookDelivery, WebhookWithSecretBody } from './schema.js';

export function presentWebhook(record: WebhookRecord): Webhook {
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
export function presentNewWebhook(record: WebhookWithSecret): WebhookWithSecretBody {
  return { ...presentWebhook(record), secret: record.secret };
}

/** A delivery with its attempts, oldest first. */
export function presentDelivery(record: DeliveryRecord): WebhookDelivery {
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
