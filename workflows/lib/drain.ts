import {
  condition,
  continueAsNew,
  defineSignal,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES } from '../../src/contracts/search-attributes.js';
import { type DrainRound, type ParcelMet, WAKE_SIGNAL } from '../../src/contracts/wake.js';
import { showDetails } from './show-details.js';

const wake = defineSignal(WAKE_SIGNAL);

/** A queue in MySQL and its texts for operators. `total`: the run's counts so far. */
interface Drained<Count extends string, Round> {
  /** Does due work, or some of it. */
  round(): Promise<Round & DrainRound<Count>>;
  waiting(total: Record<Count, number>, round: Round, waitMs: number): { details: string; summary: string };
  ended(total: Record<Count, number>, round: Round): string;
}

/**
 * Runs rounds while work is due, then sleeps until the next is due or a wake comes. Ends when nothing waits;
 * the next wake restarts it. Work is in MySQL, so repeated wakes count as one. Returns the counts since the run was
 * started or continued.
 */
export async function drain<Count extends string, Round, Input>(
  input: Input,
  queue: Drained<Count, Round>,
): Promise<Record<Count, number>> {
  let woken = false;
  setHandler(wake, () => void (woken = true), { description: 'Look for what is due.' });

  for (let total: Record<Count, number> | undefined; ; ) {
    woken = false;
    const round = await queue.round();
    total = total === undefined ? round.counts : sumOf(total, round.counts);
    leaveParcel(round.parcel);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<(same: Input) => Promise<unknown>>(input);
    const { nextDueInMs } = round;
    if (woken || (nextDueInMs !== null && nextDueInMs <= 0)) continue;
    if (nextDueInMs === null) {
      showDetails(queue.ended(total, round));
      return total;
    }
    // Due times of MySQL and timers of the engine come from two clocks.
    const waitMs = Math.max(50, nextDueInMs);
    const { details, summary } = queue.waiting(total, round, waitMs);
    showDetails(details);
    await condition(() => woken, waitMs, { summary });
  }
}

function sumOf<Count extends string>(
  total: Record<Count, number>,
  counts: Record<Count, number>,
): Record<Count, number> {
  const sum = { ...total };
  for (const name in counts) sum[name] += counts[name];
  return sum;
}

/** Removes the parcel's search attributes from a run that has now worked for another parcel. */
function leaveParcel(met: ParcelMet): void {
  const named = workflowInfo().typedSearchAttributes.get(SEARCH_ATTRIBUTES.shipmentId);
  if (named === undefined || met === null || met === named) return;
  upsertSearchAttributes([
    { key: SEARCH_ATTRIBUTES.orderId, value: null },
    { key: SEARCH_ATTRIBUTES.shipmentId, value: null },
  ]);
}
