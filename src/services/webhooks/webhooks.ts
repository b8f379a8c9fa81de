import {
  type DeliveryRecord,
  findDelivery,
  requeueDelivery,
  requeueFailed,
} from '../../db/queries/webhooks/deliveries.js';
import { insertPing } from '../../db/queries/webhooks/delivery-sending.js';
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  loadSubscription,
  replaceSecret,
  updateWebhook,
  type WebhookKey,
  type WebhookRecord,
} from '../../db/queries/webhooks/webhooks.js';
import { AppError, notFound, validationError } from '../../domain/errors.js';
import { PING_EVENT, type WebhookEvent } from '../../domain/events.js';
import { problem, problemAt, type Rule } from '../../domain/problems/problem.js';
import { webhookBody } from '../../domain/webhook-bodies.js';
import { uuidV7 } from '../../lib/ids.js';
import { LIMITS } from '../../lib/limits/values.js';
import { isoAfter, isoToSql } from '../../lib/time.js';
import type { Refusal } from '../../outbound/guarded-client.js';
import { newWebhookSecret } from '../../outbound/webhook-signature.js';
import type { App } from '../app.js';
import { type SendingApp, sendAttempt } from './webhook-attempts.js';

const PING_MS = 10_000;

/** Message for a second concurrent replay. */
export const REPLAYING = 'A replay of this webhook is already running.';

/** A subscription with its signing secret, shown only now. */
export interface WebhookWithSecret extends WebhookRecord {
  secret: string;
}

type WebhookApp = SendingApp & Pick<App, 'wake'>;

/** Creates a subscription. @throws AppError `validation_failed` at `url` */
export async function createWebhook(
  app: WebhookApp,
  owner: Omit<WebhookKey, 'id'>,
  values: { url: string; events: readonly WebhookEvent[] },
): Promise<WebhookWithSecret> {
  await checkUrl(app, values.url);
  const key = { ...owner, id: uuidV7() };
  const secret = newWebhookSecret();
  const sealed = app.config.appKeys.seal('webhook secret', secret);
  const isAdded = await insertWebhook(app.db, key, {
    ...values,
    secret: sealed,
    limit: LIMITS.webhooks.ofLicense,
  });
  if (!isAdded) {
    throw validationError({ url: [problem('most_webhooks', { limit: LIMITS.webhooks.ofLicense })] });
  }
  return { ...(await find(app, key)), secret };
}

/** @throws AppError `not_found`, or `validation_failed` at `url` */
export async function changeWebhook(
  app: WebhookApp,
  key: WebhookKey,
  changes: { url?: string; events?: readonly WebhookEvent[]; isActive?: boolean },
): Promise<WebhookRecord> {
  await find(app, key);
  if (changes.url !== undefined) await checkUrl(app, changes.url);
  if (Object.keys(changes).length > 0) await updateWebhook(app.db, key, changes);
  // Disabled, it drops waiting deliveries; enabled, it may have new ones.
  if (changes.isActive !== undefined) wake(app, key);
  return await find(app, key);
}

export async function removeWebhook({ db }: Pick<App, 'db'>, key: WebhookKey): Promise<void> {
  if (!(await deleteWebhook(db, key))) throw notFound();
}

/**
 * Replaces the signing secret. The old one also signs until the overlap ends, as each older one until its own does; an
 * overlap of 0 hours ends them all. @throws AppError `not_found`
 */
export async function rotateWebhookSecret(
  app: WebhookApp,
  key: WebhookKey,
  overlapHours: number,
): Promise<WebhookWithSecret> {
  const secret = newWebhookSecret();
  const replaced = await replaceSecret(app.db, key, {
    secret: app.config.appKeys.seal('webhook secret', secret),
    overlapUntil: overlapHours === 0 ? null : isoAfter(overlapHours * 3600),
    most: LIMITS.webhooks.olderSecrets,
  });
  if (!replaced) throw notFound();
  return { ...(await find(app, key)), secret };
}

/** Sends one test event and waits for the outcome. @throws AppError `not_found` */
export async function pingWebhook(app: WebhookApp, key: WebhookKey): Promise<DeliveryRecord> {
  await find(app, key);
  const subscription = await loadSubscription(app.db, key.id);
  if (subscription === null) throw notFound();
  const payload = webhookBody(PING_EVENT, { webhook_id: key.id });
  const delivery = await insertPing(app.db, { ...ownerOf(key), payload, eventId: uuidV7() });
  await sendAttempt(app, { subscription, delivery, budgetMs: PING_MS });
  // If the receiver is gone, this disables the subscription and notifies its owner.
  wake(app, key);
  return await findSent(app, key, delivery.uuid);
}

/** Sends one delivery again. @throws AppError `not_found`, or `validation_failed` when the subscription is off */
export async function resendDelivery(
  app: WebhookApp,
  key: WebhookKey,
  deliveryUuid: string,
): Promise<DeliveryRecord> {
  await findActive(app, key);
  const hasMore = await requeueDelivery(app.db, { ...ownerOf(key), uuid: deliveryUuid });
  const delivery = await findSent(app, key, deliveryUuid);
  if (!hasMore) {
    throw validationError({
      delivery: [problem('most_attempts', { limit: LIMITS.webhooks.mostAttempts })],
    });
  }
  wake(app, key);
  return delivery;
}

/**
 * Resends what failed since then (ISO 8601 UTC), at most the oldest 10,000; returns the number. @throws
 * AppError as {@link resendDelivery}, or `duplicate_request` during another replay
 */
export async function replayDeliveries(app: WebhookApp, key: WebhookKey, since: string): Promise<number> {
  await findActive(app, key);
  const count = await requeueFailed(app.db, { ...ownerOf(key), sinceSql: isoToSql(since) });
  if (count === null) throw new AppError('duplicate_request', problem('replaying'));
  if (count > 0) wake(app, key);
  return count;
}

/** The subscription as its deliveries name it. */
function ownerOf({ accountId, id }: WebhookKey) {
  return { accountId, subscriptionId: id };
}

function wake(app: WebhookApp, { id, licenseId }: WebhookKey): void {
  app.wake([{ kind: 'webhook', licenseId, subscriptionId: id }]);
}

async function find(app: WebhookApp, key: WebhookKey): Promise<WebhookRecord> {
  const webhook = await findWebhook(app.db, key);
  if (webhook === null) throw notFound();
  return webhook;
}

async function findActive(app: WebhookApp, key: WebhookKey): Promise<void> {
  const { isActive } = await find(app, key);
  if (!isActive) throw validationError({ is_active: [problem('webhook_off')] });
}

async function findSent(app: WebhookApp, key: WebhookKey, uuid: string): Promise<DeliveryRecord> {
  const delivery = await findDelivery(app.db, { ...ownerOf(key), uuid });
  if (delivery === null) throw notFound();
  return delivery;
}

/** The rule of each refusal of an address. */
export const URL_RULES = {
  malformed: 'url',
  scheme: 'url_scheme',
  credentials: 'url_credentials',
  port: 'url_port',
  address: 'url_address',
} as const satisfies Record<Exclude<Refusal, null>, Rule>;

async function checkUrl(app: WebhookApp, url: string): Promise<void> {
  const refusal = await app.outbound.refusal(url);
  if (refusal !== null) throw validationError({ url: [problemAt('url', URL_RULES[refusal])] });
}
