import { ApplicationFailure, activityInfo } from '@temporalio/activity';
import { RETRIES } from '../src/contracts/retries.js';
import { LIMITS } from '../src/lib/limits/values.js';

/**
 * When the engine makes the next try, as a carrier asked for it. A carrier says how long it wants to be left alone at
 * least: where the engine's usual pause is longer by now, that one does. A pause of nothing, which a carrier names whose
 * clock is behind ours, would end the tries for good.
 */
export function afterPause(waitMs: number | undefined): { nextRetryDelay?: number } {
  const { initialInterval, backoffCoefficient, maximumInterval } = RETRIES.patiently;
  const usualMs = Math.min(
    maximumInterval,
    initialInterval * backoffCoefficient ** (activityInfo().attempt - 1),
  );
  return waitMs !== undefined && waitMs > usualMs ? { nextRetryDelay: waitMs } : {};
}

/**
 * The failure of a try that finds no place: it leaves its slot to others and comes again after about `firstMs`, later each
 * time, since many may wait.
 */
export function noPlace(type: string, message: string, firstMs: number): ApplicationFailure {
  const waits = Math.min(activityInfo().attempt, LIMITS.carriers.longestPauses);
  const nextRetryDelay = firstMs * waits * (0.5 + Math.random());
  return ApplicationFailure.create({ type, message, nonRetryable: false, nextRetryDelay });
}
