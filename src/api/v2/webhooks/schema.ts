import { type Static, Type } from 'typebox';
import { WEBHOOK_EVENTS } from '../../../domain/events.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { PUBLISHED } from '../../openapi-schema.js';
import {
  closedObject,
  nullableInteger,
  nullableText,
  passedThrough,
  stamps,
  when,
  whenOrNull,
} from '../../schemas.js';
import { MOMENT_PATTERN } from '../../validation.js';
import { cursorQuery, licenseKeyInput, licenseKeyQuery, pathUuid } from '../schemas.js';

const EventName = Type.Enum([...WEBHOOK_EVENTS], { description: 'An event of a shipment.' });
const Events = Type.Array(EventName, {
  minItems: 1,
  maxItems: WEBHOOK_EVENTS.length,
  description: 'Events to send; at least one.',
});
const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'URL of the receiver. Should be https; must have a public address.',
  examples: ['https://shop.acme.test/hooks/parcels'],
  [PUBLISHED]: { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' },
});

const webhookFields = {
  id: Type.String({ format: 'uuid', description: 'Names the webhook in every route.' }),
  url: Type.String({ description: 'URL of the receiver.' }),
  events: Type.Array(EventName, { description: 'The events that are sent.' }),
  is_active: Type.Boolean({
    description: 'False once it was turned off, by you or because its receiver failed.',
  }),
};

export const WebhookSchema = closedObject('Webhook', 'A subscription to events.', {
  ...webhookFields,
  ...stamps,
});
export type Webhook = Static<typeof WebhookSchema>;

export const WebhookWithSecretSchema = closedObject(
  'WebhookWithSecret',
  'A subscription with its signing secret.',
  {
    ...webhookFields,
    secret: Type.String({ description: '`whsec_` and 40 letters and digits. Shown only in this answer.' }),
    ...stamps,
  },
);

const AttemptSchema = closedObject('DeliveryAttempt', 'One request that was sent for a delivery.', {
  number: Type.Integer({
    description: 'Counted from 1 across resends, including attempts that were given up.',
  }),
  started_at: when('When it was sent.'),
  duration_ms: nullableInteger('Null during the attempt, and when its outcome is unknown.'),
  response_status: nullableInteger('HTTP status of the receiver; null when none came.'),
  response_body: nullableText('The first 2,048 characters at most.'),
  error: nullableText('Why it did not succeed.'),
});

/** One event for one subscription, with its latest attempts. */
export const DeliverySchema = closedObject('WebhookDelivery', 'One event for one subscription.', {
  id: Type.String({ format: 'uuid', description: 'Sent as `X-Service-Delivery-Id`.' }),
  webhook_id: Type.String({ format: 'uuid', description: 'Id of the subscription.' }),
  event: Type.String({ description: 'An event of a shipment, or `ping`.' }),
  event_id: Type.String({
    format: 'uuid',
    description: 'The same for every subscription and every attempt. Sent as `X-Service-Event-Id`.',
  }),
  status: Type.Enum(['pending', 'succeeded', 'failed'], {
    description:
      '`pending`: not over yet. `succeeded`: the receiver answered 2xx. `failed`: every attempt failed.',
  }),
  payload: passedThrough('The body that is sent: `event`, `created_at`, `data`.'),
  attempts: Type.Array(AttemptSchema, { description: 'The newest 20 requests at most, oldest first.' }),
  next_attempt_at: whenOrNull('The next attempt; null when none is pending, and during an attempt.'),
  created_at: stamps.created_at,
  completed_at: whenOrNull('When it succeeded or failed; null before.'),
});
export type WebhookDelivery = Static<typeof DeliverySchema>;

export const CreateWebhookBody = Type.Object({ license_key: licenseKeyInput, url: Url, events: Events });

/** Changes of a subscription; missing fields stay. */
export const UpdateWebhookBody = Type.Object({
  license_key: licenseKeyInput,
  url: Type.Optional(Url),
  events: Type.Optional(Events),
  is_active: Type.Optional(Type.Boolean({ description: 'Turning it off fails pending deliveries.' })),
});

export const RotateSecretBody = Type.Object({
  license_key: licenseKeyInput,
  overlap_hours: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 168,
      default: 24,
      description: 'How long the old secret also signs.',
    }),
  ),
});

export const ReplayBody = Type.Object({
  license_key: licenseKeyInput,
  since: Type.String({
    maxLength: 64,
    pattern: MOMENT_PATTERN,
    description: 'ISO 8601 moment with a zone, or a day: deliveries made from then on.',
    examples: ['2026-11-20T00:00:00Z'],
  }),
});

export const ReplaySchema = closedObject('WebhookReplay', 'What a replay does.', {
  count: Type.Integer({
    description: `Deliveries that are sent again, ${LIMITS.webhooks.replayed} at most.`,
  }),
});

export const ListDeliveriesQuery = Type.Object({
  license_key: licenseKeyQuery,
  ...cursorQuery,
  'filter[status]': Type.Optional(
    Type.Enum(['pending', 'succeeded', 'failed'], { description: 'Only deliveries in this status.' }),
  ),
  'filter[event]': Type.Optional(
    Type.Enum([...WEBHOOK_EVENTS, 'ping'], { description: 'Only deliveries of this event.' }),
  ),
});

const id = pathUuid('The id of the webhook.', '019aa5a6-8d10-7c11-9a00-5a0f6f1e2b3c');

export const WebhookParams = Type.Object({ id });

export const DeliveryParams = Type.Object({
  id,
  delivery: pathUuid('The id of the delivery.', '019aa5a6-9e21-7b42-8c00-1d2e3f405162'),
});
