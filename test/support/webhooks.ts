import type { ExecutionContext } from 'ava';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { type ApiClient, shipmentBody } from './api-client.js';
import { eventually } from './conditions.js';
import { insertTestLicense } from './factories.js';
import type { Received } from './receiver.js';
import type { TestStack } from './stack.js';

/** A subscription created through the API. */
export interface TestWebhook {
  id: string;
  secret: string;
  /** `license_key=…`, for queries. */
  query: string;
  /** The same, for bodies. */
  licenseKey: string;
}

export const ALL_EVENTS = [
  'shipment.created',
  'shipment.status_changed',
  'shipment.delivered',
  'shipment.cancelled',
];

/** Settings for webhooks to loopback with fast retries. */
export const WEBHOOK_ENV = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_RETRY_SECONDS: '0.2' };

/** The stack with a new license for our own couriers, so that tests can run in parallel. */
export async function withOwnLicense(stack: TestStack): Promise<TestStack> {
  const accountId = stack.account.id;
  const { key } = await insertTestLicense(stack.db, {
    accountId,
    appKeys: stack.config.appKeys,
    multipleShipment: true,
  });
  return {
    ...stack,
    account: { ...stack.account, licenseKeys: { ...stack.account.licenseKeys, independent: key } },
  };
}

/** Subscribes a URL to the account's license with the provider. */
export async function subscribe(
  stack: TestStack,
  api: ApiClient,
  options: { url: string; events?: string[]; provider?: string },
): Promise<TestWebhook> {
  const key = stack.account.licenseKeys[options.provider ?? 'independent'];
  const { url, events = ALL_EVENTS } = options;
  const created = await api.post('/webhooks', { license_key: key, url, events });
  if (created.status !== 201) throw new Error(created.text);
  const { id, secret } = created.body.data;
  return { id, secret, query: `license_key=${key}`, licenseKey: key ?? '' };
}

/** Creates a shipment and returns its public form. */
export async function createShipment(stack: TestStack, api: ApiClient, provider = 'independent') {
  const created = await api.create(shipmentBody(stack.account, provider));
  if (created.status !== 201) throw new Error(created.text);
  return created.body.data as { uuid: string; tracking_code: string; order: { id: string; number: string } };
}

/** A subscription's deliveries as the API shows them, newest first. */
export async function deliveriesOf(api: ApiClient, webhook: TestWebhook, query = '') {
  const { body, status, text } = await api.get(`/webhooks/${webhook.id}/deliveries?${webhook.query}${query}`);
  if (status !== 200) throw new Error(text);
  return body.data as Delivery[];
}

export interface Delivery {
  id: string;
  event: string;
  event_id: string;
  status: string;
  payload: { event: string; created_at: number; data: Record<string, unknown> };
  attempts: {
    number: number;
    duration_ms: number | null;
    response_status: number | null;
    response_body: string | null;
    error: string | null;
  }[];
  created_at: string;
  next_attempt_at: string | null;
  completed_at: string | null;
}

/** Waits until this number of deliveries exists and none is pending. */
export async function settledDeliveries(
  api: ApiClient,
  webhook: TestWebhook,
  count = 1,
): Promise<Delivery[]> {
  return await eventually(async () => {
    const found = await deliveriesOf(api, webhook);
    return found.length >= count && found.every((one) => one.status !== 'pending') && found;
  }, `${count} settled deliveries`);
}

/** Checks both signatures with the published libraries. */
export function assertSigned(t: ExecutionContext, request: Received, secret: string): void {
  const own = request.headers['x-service-signature'] ?? '';
  t.notThrows(() => Stripe.webhooks.constructEvent(request.body, own, secret));
  t.notThrows(() => new Webhook(secret).verify(request.body, request.headers));
}
