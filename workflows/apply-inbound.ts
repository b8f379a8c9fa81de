import {
  condition,
  continueAsNew,
  defineSignal,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ApplyInboundInput, ApplyInboundResult } from '../src/contracts/apply-inbound.js';
import { WAKE_SIGNAL } from '../src/contracts/wake.js';
import { inboundEvents } from './lib/proxies.js';

/** There is something to apply. */
const wake = defineSignal(WAKE_SIGNAL);

/** Due times of MySQL and timers of the engine come from two clocks. */
const MIN_WAIT_MS = 50;

/**
 * Applies what a license's carrier told by webhook, and ends when nothing waits. Events of parcels that are not known
 * yet are looked at again, later and later, for a day. What waits is in MySQL; a wake tells that there is something
 * new, and many count as one.
 */
export async function applyInbound(input: ApplyInboundInput): Promise<ApplyInboundResult> {
  let woken = false;
  const total: ApplyInboundResult = { applied: 0, ignored: 0 };
  setHandler(
    wake,
    () => {
      woken = true;
    },
    { description: 'Look for events that are due.' },
  );

  for (;;) {
    woken = false;
    const round = await inboundEvents.applyDueEvents.executeWithOptions({ summary: 'apply what is due' }, [
      input,
    ]);
    total.applied += round.applied;
    total.ignored += round.ignored;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof applyInbound>(input);
    if (round.more || woken) continue;
    if (round.nextDueInMs === null) {
      setCurrentDetails(`${total.applied} events applied, ${total.ignored} ignored.`);
      return total;
    }
    setCurrentDetails('The carrier told of parcels that are not known here yet; they are looked up again.');
    await condition(() => woken, Math.max(MIN_WAIT_MS, round.nextDueInMs), {
      summary: 'until the next look-up of unknown parcels',
    });
  }
}
