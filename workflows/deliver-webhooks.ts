import {
  condition,
  continueAsNew,
  defineSignal,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  DeliverWebhooksInput,
  DeliverWebhooksResult,
  SendDueResult,
} from '../src/contracts/deliver-webhooks.js';
import { SEARCH_ATTRIBUTES } from '../src/contracts/search-attributes.js';
import { WAKE_SIGNAL } from '../src/contracts/wake.js';
import { addRound, type Deliveries, endText, noDeliveries, waitingText } from './lib/delivery-details.js';
import { leaveParcel } from './lib/parcel-met.js';
import { webhookMails, webhookRounds } from './lib/proxies.js';
import { showDetails } from './lib/show-details.js';

/** There is something to deliver. */
const wake = defineSignal(WAKE_SIGNAL);

/** Due times of MySQL and timers of the engine come from two clocks. */
const MIN_WAIT_MS = 50;

/**
 * Delivers the events of one webhook subscription: rounds of sending while something is due, then sleep until the next
 * retry or a wake. Ends when nothing waits; the next event starts it anew. What waits is in MySQL, not here.
 */
export async function deliverWebhooks(input: DeliverWebhooksInput): Promise<DeliverWebhooksResult> {
  let woken = false;
  const total = noDeliveries();
  let named = false;
  setHandler(
    wake,
    () => {
      woken = true;
    },
    { description: 'Look for deliveries that are due.' },
  );

  for (let failing = false; ; ) {
    woken = false;
    const round: SendDueResult = await sendDue(input, failing);
    failing = round.failing;
    addRound(total, round);
    if (!named) nameOwner(round);
    named = true;
    leaveParcel(round.outcome.parcel);
    if (round.tellOwner) await tellOwner(input);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof deliverWebhooks>(input);
    if (round.more || woken) continue;
    if (round.nextDueInMs === null) return end(total, input);
    const waitMs = Math.max(MIN_WAIT_MS, round.nextDueInMs);
    showDetails(waitingText(total, round, waitMs));
    await condition(() => woken, waitMs, {
      summary: failing ? 'next retry of a failing receiver' : 'next attempt',
    });
  }
}

/** Lets operators find the run; once, since each change is an event. */
function nameOwner({ owner }: SendDueResult): void {
  if (owner === null) return;
  const { accountId, licenseId } = owner;
  upsertSearchAttributes([
    { key: SEARCH_ATTRIBUTES.accountId, value: String(accountId) },
    ...(licenseId === null ? [] : [{ key: SEARCH_ATTRIBUTES.licenseId, value: String(licenseId) }]),
  ]);
}

/** A receiver that only fails yields its worker's places to those that work. */
async function sendDue(input: DeliverWebhooksInput, failing: boolean): Promise<SendDueResult> {
  const summary = failing ? 'send what is due, receiver is failing' : 'send what is due';
  return await webhookRounds(failing).sendDue.executeWithOptions({ summary }, [input]);
}

async function tellOwner(input: DeliverWebhooksInput): Promise<void> {
  await webhookMails.tellOwner.executeWithOptions({ summary: 'mail the owner: turned off' }, [input]);
}

function end(total: Deliveries, input: DeliverWebhooksInput): DeliverWebhooksResult {
  showDetails(endText(total, input));
  const { sent, delivered, failed } = total;
  return { sent, delivered, failed };
}
