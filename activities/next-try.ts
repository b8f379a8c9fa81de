import { ApplicationFailure, activityInfo } from '@temporalio/activity';
import type { Outcome } from '../src/carriers/contract.js';
import { RETRIES } from '../src/contracts/retries.js';

const LONGEST_PAUSES = 12;

/**
 * Delay of the next try. A carrier states the minimum; a longer usual delay wins. Zero, from a carrier whose
 * clock is behind, would end the tries for good.
 */
function afterPause(waitMs: number | undefined): { nextRetryDelay?: number } {
  const usualMs = usualPauseMs(RETRIES.patiently);
  return waitMs !== undefined && waitMs > usualMs ? { nextRetryDelay: waitMs } : {};
}

/** The engine's pause after the present try by a policy, in milliseconds; null for the last one. */
export function pauseAfterTry(policy: Policy & { maximumAttempts?: number }): number | null {
  return activityInfo().attempt === policy.maximumAttempts ? null : usualPauseMs(policy);
}

interface Policy {
  initialInterval: number;
  backoffCoefficient: number;
  maximumInterval: number;
}

function usualPauseMs({ initialInterval, backoffCoefficient, maximumInterval }: Policy): number {
  return Math.min(maximumInterval, initialInterval * backoffCoefficient ** (activityInfo().attempt - 1));
}

/** The pause that a carrier asked for, in milliseconds. */
export function waitOf(outcome: Outcome<unknown>): number | undefined {
  return outcome.kind === 'throttled' ? outcome.retryAfterMs : undefined;
}

/** Failure of a try that is repeated, at the earliest after the `waitMs` that a carrier asked for. */
export function retry(type: string, message: string, waitMs?: number): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: false, ...afterPause(waitMs) });
}

/** Failure of a try without a free slot: retried after about `firstMs`, later each time, because many may wait. */
export function noPlace(type: string, message: string, firstMs: number): ApplicationFailure {
  const waits = Math.min(activityInfo().attempt, LONGEST_PAUSES);
  const nextRetryDelay = firstMs * waits * (0.5 + Math.random());
  return ApplicationFailure.create({ type, message, nonRetryable: false, nextRetryDelay });
}
