import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { BookingDecision, Calls } from '../../src/contracts/create-shipment.js';
import { type BookingState, SEARCH_ATTRIBUTES } from '../../src/contracts/search-attributes.js';
import type { CreationDetails } from './creation-details.js';
import { type DecisionDesk, objectionTo } from './decision-desk.js';
import { records } from './proxies.js';

/** How a person is asked. */
export interface Asking {
  desk: DecisionDesk;
  details: CreationDetails;
}

type RecordedParcel = { action: 'recorded'; trackingCode: string };

/**
 * A try with lost heartbeats counts as dead, but may still record its answer: mostly within a call's timeout,
 * later if its process stalled.
 */
const LATE_ANSWERS_MS = [60_000, 300_000];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Asks an operator about an unknown booking. Returns the decision, or a parcel recorded meanwhile. */
export async function askOperator(
  { desk, details }: Asking,
  uuid: string,
  reason: string,
): Promise<BookingDecision | RecordedParcel> {
  let calls: Calls = await records.flagNeedsAttention.executeWithOptions(
    { summary: 'show needs_attention' },
    [{ uuid, reason }],
  );
  upsertSearchAttributes([named(uuid), state('needs_attention')]);
  details.asksOperator(uuid, reason, calls.attempt);
  for (let turn = 0; ; turn += 1) {
    const decision = await desk.next(lookAfterMs(turn), calls);
    const { trackingCode, ...now } = await look(uuid);
    if (trackingCode !== null) return { action: 'recorded', trackingCode };
    if (now.attempt !== calls.attempt) details.asksOperator(uuid, reason, now.attempt);
    calls = now;
    if (decision === undefined) continue;
    // A try that counts as dead may have sent something since the last look.
    const objection = objectionTo(decision, calls);
    if (objection === null) return decision;
    desk.refuse(objection);
  }
}

/** Time until the next look, growing to keep the history short. */
function lookAfterMs(turn: number): number {
  const early = LATE_ANSWERS_MS[turn];
  if (early !== undefined) return early;
  return Math.min(HOUR_MS * 2 ** (turn - LATE_ANSWERS_MS.length), DAY_MS);
}

/** A parcel recorded by a try that counted as dead; null if none. */
export async function findRecorded(uuid: string): Promise<RecordedParcel | null> {
  const { trackingCode } = await look(uuid);
  return trackingCode === null ? null : { action: 'recorded', trackingCode };
}

/** Not async: each promise in a workflow costs the worker a stack trace. */
function look(uuid: string) {
  return records.findRecorded.executeWithOptions({ summary: 'recorded meanwhile?' }, [{ uuid }]);
}

/** Search attribute to find a creation by its shipment. */
export function named(uuid: string | null): SearchAttributeUpdatePair {
  return { key: SEARCH_ATTRIBUTES.shipmentId, value: uuid };
}

/** Search attribute of a booking's state. */
export function state(value: BookingState | null): SearchAttributeUpdatePair {
  return { key: SEARCH_ATTRIBUTES.bookingState, value };
}
