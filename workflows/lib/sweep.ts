import { isCancellation, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import { SWEEP_SECONDS, type SweepInput } from '../../src/contracts/sweep.js';
import { utcMinute } from './show-details.js';

/**
 * Sweeps once, or repeatedly for an hour with the input's interval. A failed round is left to the next; the
 * last one's failure fails the run. `story`: results for the operator.
 */
export async function sweep(
  { everySeconds }: SweepInput,
  { round, story }: { round: () => Promise<void>; story: () => string },
): Promise<void> {
  if (everySeconds === undefined) return await round();
  const endsAt = Date.now() + SWEEP_SECONDS * 1000;
  for (let failed = 0, rounds = 1; ; rounds += 1) {
    const nextAt = Date.now() + everySeconds * 1000;
    const failure = await failureOf(round);
    if (failure !== undefined) failed += 1;
    const isLast = nextAt >= endsAt || workflowInfo().continueAsNewSuggested;
    const pace = isLast ? 'Done' : `Goes round every ${everySeconds} s until ${utcMinute(endsAt)}`;
    setCurrentDetails(`${pace}: ${rounds} rounds, ${failed} failed; ${story()}`);
    if (isLast && failure !== undefined) throw failure;
    if (isLast) return;
    await sleep(Math.max(1, nextAt - Date.now()), { summary: 'until the next round' });
  }
}

async function failureOf(round: () => Promise<void>): Promise<unknown> {
  try {
    await round();
    return undefined;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return error;
  }
}
