import { cancellationSignal } from '@temporalio/activity';
import type { SendDueResult } from '../src/contracts/deliver-webhooks.js';
import { DELIVERIES, nextDueInMs } from '../src/db/queries/leased-queue.js';
import { claimDue } from '../src/db/queries/webhooks/delivery-claims.js';
import { type ClaimedDelivery, failPending } from '../src/db/queries/webhooks/delivery-sending.js';
import { loadSubscription, type Subscription } from '../src/db/queries/webhooks/webhooks.js';
import { hostOf } from '../src/domain/webhook-host.js';
import { stringAt } from '../src/lib/json.js';
import { Slots } from '../src/lib/limits/slots.js';
import { type AttemptEnd, type SendingApp, sendAttempt } from '../src/services/webhooks/webhook-attempts.js';
import { withHeartbeat } from './heartbeat.js';
import { storeCallOf } from './store-telling.js';

const REQUESTS_OF_SUBSCRIPTION = 8;
const REQUESTS_OF_FAILING = 2;
const NO_PLACE_MS = 1000;
const ROUND_MS = 20_000;
const LINGER_MS = 1000;

interface Round {
  inFlight: Set<Promise<void>>;
  busyShipments: Set<number>;
  ended: Pick<SendDueResult, 'counts' | 'failedSince' | 'trouble'>;
  /** The first delivery, and whether others were for other shipments. */
  first: ClaimedDelivery | null;
  isSeveral: boolean;
  failing: boolean;
  hosts: Slots;
  /** The first error that is not a receiver's; ends the round. */
  trouble: unknown;
}

/**
 * Sends a subscription's due deliveries in parallel, each marked in MySQL first. Waits briefly for more, and
 * ends after a while. A dead round's deliveries are due again when their lease ends.
 */
export function createSendDueActivity(app: SendingApp) {
  const accounts = new Slots({ perKey: 25 });
  const hosts = new Slots({ perKey: 64 });
  return async function sendDue(input: { subscriptionId: string }): Promise<SendDueResult> {
    const { db } = app;
    const { subscriptionId } = input;
    const owned = await loadSubscription(db, subscriptionId);
    const release = accounts.tryTake(String(owned?.accountId));
    const round = newRound(hosts);
    if (release === null) return resultOf(round, owned, NO_PLACE_MS * (1 + Math.random()));
    try {
      await withHeartbeat(() => sendRound(app, subscriptionId, round));
    } finally {
      release();
    }
    if (round.trouble !== undefined) throw round.trouble;
    const subscription = await loadSubscription(db, subscriptionId);
    if (subscription === null || !subscription.isActive) {
      const { failed, since } = await failPending(db, subscriptionId);
      noteFailed(round, failed, since);
    }
    return resultOf(round, subscription, await nextDueInMs(db, DELIVERIES, subscriptionId));
  };
}

function newRound(hosts: Slots): Round {
  return {
    inFlight: new Set(),
    busyShipments: new Set(),
    ended: { counts: { sent: 0, delivered: 0, failed: 0 }, failedSince: null, trouble: null },
    first: null,
    isSeveral: false,
    failing: false,
    hosts,
    trouble: undefined,
  };
}

function noteFailed({ ended }: Round, failed: number, since: string | null): void {
  ended.counts.failed += failed;
  if (since !== null && (ended.failedSince === null || since < ended.failedSince)) ended.failedSince = since;
}

function resultOf(
  { failing, ended, first, isSeveral }: Round,
  subscription: Subscription | null,
  nextDueInMs: number | null,
): SendDueResult {
  return {
    ...ended,
    nextDueInMs,
    parcel: isSeveral ? 'several' : shipmentOf(first),
    failing,
    owner:
      subscription === null ? null : { accountId: subscription.accountId, licenseId: subscription.licenseId },
    tellOwner: subscription?.tellOwner ?? false,
    host: subscription === null ? null : hostOf(subscription.url),
    isActive: subscription?.isActive ?? false,
    ...(subscription === null || subscription.storeSiteId === null ? {} : { isStore: true }),
  };
}

async function sendRound(app: SendingApp, subscriptionId: string, round: Round): Promise<void> {
  const until = performance.now() + ROUND_MS;
  const signal = cancellationSignal();
  let idleSince = performance.now();
  const goesOn = () => performance.now() < until && !signal.aborted && round.trouble === undefined;
  while (goesOn()) {
    const started = await startDue(app, subscriptionId, round, signal);
    if (started === null) break;
    if (started > 0 || round.inFlight.size > 0) idleSince = performance.now();
    else if (performance.now() - idleSince >= LINGER_MS) break;
    await somethingHappens(round.inFlight, signal);
  }
  await Promise.all(round.inFlight);
}

/** Starts attempts up to the width; returns the number, null when the subscription is off or deleted. */
async function startDue(
  app: SendingApp,
  subscriptionId: string,
  round: Round,
  signal: AbortSignal,
): Promise<number | null> {
  const free = (round.failing ? REQUESTS_OF_FAILING : REQUESTS_OF_SUBSCRIPTION) - round.inFlight.size;
  if (free <= 0) return 0;
  // Read again each time, so that a changed URL or secret applies at once.
  const subscription = await loadSubscription(app.db, subscriptionId);
  if (subscription === null || !subscription.isActive) return null;
  round.failing = subscription.failingSince !== null;
  const room = Math.min(free, round.hosts.free(hostOf(subscription.url)));
  if (room <= 0) return 0;
  const claimed = await claimDue(app.db, {
    subscriptionId,
    limit: round.failing ? Math.min(room, REQUESTS_OF_FAILING) : room,
    busyShipments: round.busyShipments,
  });
  for (const delivery of claimed) start(app, { subscription, delivery, signal }, round);
  return claimed.length;
}

function start(
  app: SendingApp,
  request: { subscription: Subscription; delivery: ClaimedDelivery; signal: AbortSignal },
  round: Round,
): void {
  const { delivery } = request;
  const { shipmentId } = delivery;
  round.isSeveral ||= round.first !== null && round.first.shipmentId !== shipmentId;
  round.first ??= delivery;
  const leaveHost = round.hosts.tryTake(hostOf(request.subscription.url));
  if (shipmentId !== null) round.busyShipments.add(shipmentId);
  const attempt = async () => {
    try {
      const store = request.subscription.storeSiteId === null ? null : await storeCallOf(app.db, delivery);
      noteEnd(round, delivery, await sendAttempt(app, { ...request, store }));
    } catch (error) {
      round.trouble ??= error;
    }
    leaveHost?.();
    if (shipmentId !== null) round.busyShipments.delete(shipmentId);
  };
  const running: Promise<void> = attempt().finally(() => round.inFlight.delete(running));
  round.inFlight.add(running);
}

function noteEnd(round: Round, { createdAt }: ClaimedDelivery, end: AttemptEnd): void {
  round.ended.counts.sent += 1;
  if (end.kind === 'delivered') round.ended.counts.delivered += 1;
  else round.ended.trouble = end.trouble;
  if (end.kind === 'failed') noteFailed(round, 1, createdAt);
}

/** The event's shipment; null for a test. */
function shipmentOf(delivery: ClaimedDelivery | null): string | null {
  if (delivery === null || delivery.shipmentId === null) return null;
  return stringAt(JSON.parse(delivery.payload), 'data', 'id') ?? null;
}

/**
 * Resolves when half of the running attempts have ended, or at the next look: a look per attempt would cost
 * more statements than sending.
 */
async function somethingHappens(inFlight: ReadonlySet<Promise<void>>, signal: AbortSignal): Promise<void> {
  const enough = Math.ceil(inFlight.size / 2);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resume, enough === 0 ? 100 : 40);
    let ended = 0;
    for (const attempt of inFlight) {
      void attempt.then(() => {
        ended += 1;
        if (ended === enough) resume();
      });
    }
    signal.addEventListener('abort', resume, { once: true });

    function resume(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', resume);
      resolve();
    }
  });
}
