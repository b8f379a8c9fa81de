import { upsertSearchAttributes } from '@temporalio/workflow';
import type { SendDueResult } from '../src/contracts/deliver-webhooks.js';
import { attributesOf } from '../src/contracts/search-attributes.js';
import { endText, waitingText } from './lib/delivery-details.js';
import { drain } from './lib/drain.js';
import { webhookMails, webhookRounds } from './lib/proxies.js';

type Input = { subscriptionId: string };

/** Delivers the events of a webhook subscription, and notifies its owner when it disables itself. */
export async function deliverWebhooks(input: Input): Promise<SendDueResult['counts']> {
  let last: SendDueResult | undefined;
  let failedSince: string | null = null;
  return await drain(input, {
    round: async () => {
      const round = await sendDue(input, last?.failing ?? false);
      if (last === undefined) nameOwner(round);
      if (round.tellOwner) {
        await webhookMails.tellOwner.executeWithOptions({ summary: 'mail the owner: turned off' }, [input]);
      }
      failedSince = earlier(failedSince, round.failedSince);
      last = round;
      return round;
    },
    waiting: (total, round, waitMs) => ({
      details: waitingText(total, round, waitMs),
      summary: round.failing ? 'next retry of a failing receiver' : 'next attempt',
    }),
    ended: (total, round) => endText(total, { ...round, failedSince }, input),
  });
}

function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** Sets search attributes for operators, once: each change is an event. */
function nameOwner({ owner }: SendDueResult): void {
  if (owner === null) return;
  const { accountId, licenseId } = owner;
  upsertSearchAttributes(attributesOf({ accountId, licenseId }));
}

/** A failing receiver has lower priority than working ones. */
async function sendDue(input: Input, failing: boolean): Promise<SendDueResult> {
  const summary = failing ? 'send what is due, receiver is failing' : 'send what is due';
  return await webhookRounds(failing).sendDue.executeWithOptions({ summary }, [input]);
}
