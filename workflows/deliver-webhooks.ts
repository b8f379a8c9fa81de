import {
  condition,
  continueAsNew,
  defineSignal,
  setCurrentDetails,
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
import { webhookMails, webhookRounds } from './lib/proxies.js';

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
  let sent = 0;
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
    sent += round.sent;
    if (!named) nameOwner(round);
    named = true;
    if (round.tellOwner) await tellOwner(input);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof deliverWebhooks>(input);
    if (round.more || woken) continue;
    if (round.nextDueInMs === null) return { sent };
    setCurrentDetails(detailsOf(round));
    await condition(() => woken, Math.max(MIN_WAIT_MS, round.nextDueInMs), {
      summary: failing ? 'next retry of a failing receiver' : 'next attempt',
    });
  }
}

/** Lets operators find the run; once, since each change is an event. */
function nameOwner({ owner }: SendDueResult): void {
  if (owner === null) return;
  upsertSearchAttributes([
    { key: SEARCH_ATTRIBUTES.accountId, value: String(owner.accountId) },
    { key: SEARCH_ATTRIBUTES.licenseId, value: String(owner.licenseId) },
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

function detailsOf(round: SendDueResult): string {
  const state = round.failing ? 'The receiver has failed since its last success.' : 'The receiver works.';
  return `${state} The next attempt is waited for; each attempt with its answer is in the delivery log of the API.`;
}
