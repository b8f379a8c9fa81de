import type { WakeTarget } from '../contracts/wake.js';
import {
  type DeliveryRecord,
  findDelivery,
  MOST_ATTEMPTS,
  requeueDelivery,
  requeueFailed,
} from '../db/queries/deliveries.js';
import { insertPing } from '../db/queries/delivery-sending.js';
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  loadSubscription,
  replaceSecret,
  updateWebhook,
  type WebhookKey,
  type WebhookRecord,
} from '../db/queries/webhooks.js';
import { AppError, notFound, validationError } from '../domain/errors.js';
import { PING_EVENT, type WebhookEvent } from '../domain/events.js';
import { uuidV7 } from '../lib/ids.js';
import { encrypt } from '../lib/secrets.js';
import { isoAfter, isoToSql } from '../lib/time.js';
import type { Refusal } from '../outbound/guarded-client.js';
import { newWebhookSecret } from '../outbound/webhook-signature.js';
import { type AttemptDeps, sendAttempt } from './webhook-attempts.js';

/** A test delivery is waited for this long. */
const PING_BUDGET_MS = 10_000;

/** Each event of a license is written once for each of its subscriptions, while the shipment's row is locked. */
const MAX_WEBHOOKS = 20;

/** What a replay answers while another one of the subscription is under way. */
export const REPLAYING = 'Deliveries of this webhook are being replayed already.';

/** A subscription with the signing secret, which is shown this once. */
export interface WebhookWithSecret extends WebhookRecord {
  secret: string;
}

/** The use cases of webhooks. Each answers `not_found` for a subscription that the license does not have. */
export interface WebhookServices {
  /** @throws AppError `validation_failed` at `url` */
  create(
    key: Omit<WebhookKey, 'id'>,
    values: { url: string; events: readonly WebhookEvent[] },
  ): Promise<WebhookWithSecret>;
  /** @throws AppError `not_found`, `validation_failed` at `url` */
  update(
    key: WebhookKey,
    changes: { url?: string; events?: readonly WebhookEvent[]; isActive?: boolean },
  ): Promise<WebhookRecord>;
  /** @throws AppError `not_found` */
  remove(key: WebhookKey): Promise<void>;
  /** @throws AppError `not_found` */
  rotateSecret(key: WebhookKey, overlapHours: number): Promise<WebhookWithSecret>;
  /** Sends a test event now, once, and waits for its end. @throws AppError `not_found` */
  ping(key: WebhookKey): Promise<DeliveryRecord>;
  /** @throws AppError `not_found`, `validation_failed` when the subscription is off */
  redeliver(key: WebhookKey, deliveryUuid: string): Promise<DeliveryRecord>;
  /**
   * Sends what failed since then (ISO 8601 UTC) again, the oldest 10,000 at most; returns how many.
   * @throws AppError as {@link redeliver}, `duplicate_request` while another call does so
   */
  replay(key: WebhookKey, since: string): Promise<number>;
}

type Deps = AttemptDeps & { wake(targets: readonly WakeTarget[]): void };

/** The use cases with their parts plugged in. */
export function createWebhookServices(deps: Deps): WebhookServices {
  return {
    create: (key, values) => create(deps, key, values),
    update: (key, changes) => update(deps, key, changes),
    remove: async (key) => {
      if (!(await deleteWebhook(deps.db, key))) throw notFound();
    },
    rotateSecret: (key, overlapHours) => rotateSecret(deps, key, overlapHours),
    ping: (key) => ping(deps, key),
    redeliver: (key, deliveryUuid) => redeliver(deps, key, deliveryUuid),
    replay: (key, since) => replay(deps, key, since),
  };
}

async function create(
  deps: Deps,
  owner: Omit<WebhookKey, 'id'>,
  values: { url: string; events: readonly WebhookEvent[] },
): Promise<WebhookWithSecret> {
  await checkUrl(deps, values.url);
  const key = { ...owner, id: uuidV7() };
  const secret = newWebhookSecret();
  const sealed = encrypt(secret, deps.config.appKey);
  const isAdded = await insertWebhook(deps.db, key, { ...values, secret: sealed, limit: MAX_WEBHOOKS });
  if (!isAdded)
    throw validationError({ url: [`The license has ${MAX_WEBHOOKS} webhooks, which is the most.`] });
  return { ...(await find(deps, key)), secret };
}

async function update(
  deps: Deps,
  key: WebhookKey,
  changes: { url?: string; events?: readonly WebhookEvent[]; isActive?: boolean },
): Promise<WebhookRecord> {
  await find(deps, key);
  if (changes.url !== undefined) await checkUrl(deps, changes.url);
  if (Object.keys(changes).length > 0) await updateWebhook(deps.db, key, changes);
  // Turned off, it gives up what waits; turned on, there may be something again.
  if (changes.isActive !== undefined) wake(deps, key);
  return await find(deps, key);
}

async function rotateSecret(deps: Deps, key: WebhookKey, overlapHours: number): Promise<WebhookWithSecret> {
  const secret = newWebhookSecret();
  const replaced = await replaceSecret(deps.db, key, {
    secret: encrypt(secret, deps.config.appKey),
    overlapUntil: isoAfter(overlapHours * 3600),
  });
  if (!replaced) throw notFound();
  return { ...(await find(deps, key)), secret };
}

async function ping(deps: Deps, key: WebhookKey): Promise<DeliveryRecord> {
  await find(deps, key);
  const subscription = await loadSubscription(deps.db, key.id);
  if (subscription === null) throw notFound();
  const payload = JSON.stringify({
    event: PING_EVENT,
    created_at: Math.floor(Date.now() / 1000),
    data: { webhook_id: key.id },
  });
  const { accountId, id } = key;
  const delivery = await insertPing(deps.db, {
    accountId,
    subscriptionId: id,
    payload,
    eventId: uuidV7(),
  });
  await sendAttempt(deps, { subscription, delivery, budgetMs: PING_BUDGET_MS });
  // A receiver that is gone turns the subscription off, and its owner is told.
  wake(deps, key);
  return await findSent(deps, key, delivery.uuid);
}

async function redeliver(deps: Deps, key: WebhookKey, deliveryUuid: string): Promise<DeliveryRecord> {
  await findActive(deps, key);
  const { accountId, id } = key;
  const hasMore = await requeueDelivery(deps.db, { accountId, subscriptionId: id, uuid: deliveryUuid });
  const delivery = await findSent(deps, key, deliveryUuid);
  if (!hasMore) {
    throw validationError({
      delivery: [`The delivery has used up ${MOST_ATTEMPTS} attempts, which is the most.`],
    });
  }
  wake(deps, key);
  return delivery;
}

async function replay(deps: Deps, key: WebhookKey, since: string): Promise<number> {
  await findActive(deps, key);
  const { accountId, id } = key;
  const count = await requeueFailed(deps.db, { accountId, subscriptionId: id, sinceSql: isoToSql(since) });
  if (count === null) throw new AppError('duplicate_request', REPLAYING);
  if (count > 0) wake(deps, key);
  return count;
}

function wake(deps: Deps, { id, licenseId }: WebhookKey): void {
  deps.wake([{ kind: 'webhook', licenseId, subscriptionId: id }]);
}

async function find(deps: Deps, key: WebhookKey): Promise<WebhookRecord> {
  const webhook = await findWebhook(deps.db, key);
  if (webhook === null) throw notFound();
  return webhook;
}

async function findActive(deps: Deps, key: WebhookKey): Promise<void> {
  const { isActive } = await find(deps, key);
  if (!isActive) throw validationError({ is_active: ['The webhook is turned off. Turn it on first.'] });
}

async function findSent(deps: Deps, key: WebhookKey, uuid: string): Promise<DeliveryRecord> {
  const { accountId, id } = key;
  const delivery = await findDelivery(deps.db, { accountId, subscriptionId: id, uuid });
  if (delivery === null) throw notFound();
  return delivery;
}

const REFUSALS: Readonly<Record<Exclude<Refusal, null>, string>> = {
  malformed: 'The url field must be a valid URL.',
  scheme: 'The url field must begin with https:// or http://.',
  credentials: 'The url field must not hold a user name or password.',
  port: 'The url field must not name a port of another kind of service.',
  address: 'The url field must lead to a public address.',
};

async function checkUrl(deps: Deps, url: string): Promise<void> {
  const refusal = await deps.outbound.refusal(url);
  if (refusal !== null) throw validationError({ url: [REFUSALS[refusal]] });
}
