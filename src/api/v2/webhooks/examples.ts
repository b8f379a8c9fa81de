import { shipmentExample } from '../examples.js';
import type { Webhook, WebhookDelivery } from './schema.js';

export const webhookExample = {
  id: '019aa5a6-8d10-7c11-9a00-5a0f6f1e2b3c',
  url: 'https://shop.acme.test/hooks/parcels',
  events: ['shipment.created', 'shipment.delivered'],
  is_active: true,
  created_at: '2026-11-21T09:30:00.123456Z',
  updated_at: '2026-11-21T09:30:00.123456Z',
} satisfies Webhook;

/** A new subscription with its secret, shown only now. */
export const newWebhookExample = {
  ...webhookExample,
  secret: 'whsec_Yk1sQ0pXa2x0R2Z5b2NUTGhqUnZhZE1uQnhF',
};

/** A delivery that succeeded at the second attempt. */
export const deliveryExample = {
  id: '019aa5a6-9e21-7b42-8c00-1d2e3f405162',
  webhook_id: webhookExample.id,
  event: 'shipment.created',
  event_id: '019aa5a6-9e20-7a31-8f00-2c3d4e5f6071',
  status: 'succeeded',
  payload: {
    event: 'shipment.created',
    created_at: 1795253400,
    data: {
      id: shipmentExample.uuid,
      tracking_code: shipmentExample.tracking_code,
      service_type: 1,
      status: 'created',
      order: shipmentExample.order,
    },
  },
  attempts: [
    {
      number: 1,
      started_at: '2026-11-21T09:30:00.480000Z',
      duration_ms: 42,
      response_status: 503,
      response_body: 'busy',
      error: 'The receiver answered HTTP 503.',
    },
    {
      number: 2,
      started_at: '2026-11-21T09:30:30.530000Z',
      duration_ms: 38,
      response_status: 200,
      response_body: 'ok',
      error: null,
    },
  ],
  next_attempt_at: null,
  created_at: '2026-11-21T09:30:00.456789Z',
  completed_at: '2026-11-21T09:30:30.568000Z',
} satisfies WebhookDelivery;
