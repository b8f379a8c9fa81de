import type { Database } from '../../db/database.js';
import {
  type ClaimedDelivery,
  finishAttempt,
  giveUpAttempt,
} from '../../db/queries/webhooks/delivery-sending.js';
import {
  disableWebhook,
  noteFailure,
  noteSuccess,
  type Subscription,
} from '../../db/queries/webhooks/webhooks.js';
import { PING_EVENT } from '../../domain/events.js';
import { UnreadableSecret } from '../../lib/app-keys.js';
import { LIMITS } from '../../lib/limits/values.js';
import { cutText } from '../../lib/text.js';
import { DAY_MS } from '../../lib/time.js';
import type { GuardedOutcome } from '../../outbound/guarded-client.js';
import { deliveryHeaders } from '../../outbound/webhook-signature.js';
import type { App } from '../app.js';
import {
  isUnheard,
  judgeStore,
  type StoreCall,
  storeAddresses,
  storeHeaders,
  type Verdict,
} from '../express/store-calls.js';

const ANSWER_CHARACTERS = 2048;

export type SendingApp = Pick<App<'appKeys' | 'webhookRetrySeconds'>, 'db' | 'outbound' | 'config'>;

/** A claimed delivery to send. `budgetMs`: 15 s by default. */
interface AttemptRequest {
  subscription: Subscription;
  delivery: ClaimedDelivery;
  budgetMs?: number;
  /** Aborts the attempt, which then does not count. */
  signal?: AbortSignal;
  /** For a store: the call, or null when there is nothing to send. */
  store?: StoreCall | null;
}

/** `retry` when another attempt is due. `trouble` names no address. */
export type AttemptEnd = { kind: 'delivered' } | { kind: 'retry' | 'failed'; trouble: string | null };

/** Sends one attempt and records its outcome with the delivery and the subscription's health. */
export async function sendAttempt(app: SendingApp, request: AttemptRequest): Promise<AttemptEnd> {
  const { db, config } = app;
  const { subscription, delivery } = request;
  const startedAt = performance.now();
  const outcome = await post(app, request);
  if (outcome.kind === 'aborted') {
    await giveUpAttempt(db, delivery);
    return { kind: 'retry', trouble: null };
  }
  const verdict = subscription.storeSiteId === null ? judgeWebhook(outcome) : judgeStore(outcome);
  const { succeeded, trouble } = verdict;
  const saysGone = subscription.storeSiteId === null && outcome.status === 410;
  // If the URL has changed meanwhile, the new one is tried.
  const isGone = saysGone && (await disableWebhook(db, subscription, { reason: 'gone', failingForDays: 0 }));
  const final = isGone || verdict.final;
  await finishAttempt(db, delivery, {
    succeeded,
    final,
    durationMs: Math.round(performance.now() - startedAt),
    status: outcome.status,
    body: outcome.kind === 'answered' ? cutText(outcome.body, ANSWER_CHARACTERS) : null,
    error: trouble,
    retrySeconds: config.webhookRetrySeconds,
  });
  // A failed ping does not count against the subscription; a successful one shows that it works again.
  if (succeeded || (!saysGone && delivery.event !== PING_EVENT))
    await noteHealth(db, subscription, verdict.isWorking);
  if (succeeded) return { kind: 'delivered' };
  return { kind: final || delivery.number >= delivery.allowed ? 'failed' : 'retry', trouble };
}

async function post(app: SendingApp, request: AttemptRequest): Promise<GuardedOutcome> {
  const { subscription, delivery, signal, store, budgetMs = LIMITS.webhooks.requestMs } = request;
  const isStore = subscription.storeSiteId !== null;
  const secrets = openSecrets(app, subscription);
  if (secrets === null && isStore) return unsent('The REST keys cannot be read. Set them again.');
  // The secret was sealed with another key: only a new secret helps.
  if (secrets === null) return unsent('The signing secret cannot be read. Rotate it.');
  const until = performance.now() + budgetMs;
  const send = (call: { url: string; headers: Record<string, string>; body: string }) => {
    const timeoutMs = Math.max(1, Math.ceil(until - performance.now()));
    return app.outbound.post({ ...call, timeoutMs, ...(signal === undefined ? {} : { signal }) });
  };
  if (isStore) {
    if (store === null || store === undefined) return unsent('The shipment is no longer stored.');
    const call = { headers: storeHeaders(secrets[0] ?? ''), body: JSON.stringify(store.body) };
    let outcome = unsent('The store has no address.');
    for (const url of storeAddresses(subscription.url, store.action)) {
      outcome = await send({ ...call, url });
      if (!isUnheard(outcome)) break;
    }
    return outcome;
  }
  const headers = deliveryHeaders({
    event: delivery.event,
    eventId: delivery.eventId,
    deliveryId: delivery.uuid,
    body: delivery.payload,
    timestampSeconds: Math.floor(Date.now() / 1000),
    secrets,
  });
  return await send({ url: subscription.url, headers, body: delivery.payload });
}

function unsent(error: string): GuardedOutcome {
  return { kind: 'failed', status: null, error };
}

/**
 * The secret first, then after a rotation the old one, if it can be opened. @throws UnreadableSecret where a key is
 * missing here: the attempt is not the receiver's, and another process may have the key
 */
function openSecrets({ config }: SendingApp, { secrets }: Subscription): string[] | null {
  const opened = secrets.map((sealed) => {
    try {
      return config.appKeys.openText('webhook secret', sealed);
    } catch (error) {
      if (error instanceof UnreadableSecret && error.isKeyMissing) throw error;
      return null;
    }
  });
  const [secret] = opened;
  return secret == null ? null : opened.filter((one) => one !== null);
}

function judgeWebhook(outcome: Exclude<GuardedOutcome, { kind: 'aborted' }>): Verdict {
  const succeeded = outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;
  return { succeeded, final: succeeded, isWorking: succeeded, trouble: succeeded ? null : errorOf(outcome) };
}

function errorOf(outcome: Exclude<GuardedOutcome, { kind: 'aborted' }>): string {
  if (outcome.kind === 'failed') return outcome.error;
  const isRedirect = outcome.status >= 300 && outcome.status < 400;
  return isRedirect ? 'Redirects are not followed.' : `The receiver answered HTTP ${outcome.status}.`;
}

/**
 * `subscription` was read before the attempt, so most attempts need no statement here. A store is never
 * disabled: its owner could not enable it again.
 */
async function noteHealth(db: Database, subscription: Subscription, succeeded: boolean): Promise<void> {
  const { id, failingSince } = subscription;
  if (succeeded) {
    if (failingSince !== null) await noteSuccess(db, id);
    return;
  }
  if (failingSince === null) {
    await noteFailure(db, subscription);
    return;
  }
  if (subscription.storeSiteId !== null) return;
  // Asks the database only from a day before on; its clock decides.
  if (Date.parse(failingSince) > Date.now() - (LIMITS.webhooks.failingDays - 1) * DAY_MS) return;
  await disableWebhook(db, subscription, { reason: 'failing', failingForDays: LIMITS.webhooks.failingDays });
}
