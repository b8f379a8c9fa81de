import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { BookingDecision } from '../../src/contracts/create-shipment.js';
import { type BookingState, SEARCH_ATTRIBUTES } from '../../src/contracts/search-attributes.js';
import type { CreationDetails } from './creation-details.js';
import type { DecisionDesk } from './decision-desk.js';
import { records } from './proxies.js';

/** Where a person is asked, and what they read. */
export interface Asking {
  desk: DecisionDesk;
  details: CreationDetails;
}

type RecordedParcel = { action: 'recorded'; trackingCode: string };

/**
 * A try whose heartbeats were lost counts as dead, and may yet get its answer and record it: mostly within a call's
 * time-out, and a process that stood still later.
 */
const LATE_ANSWERS_MS = [60_000, 300_000];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Asks an operator what became of a booking; returns the decision, or the parcel that needs none any more. */
export async function askOperator(
  { desk, details }: Asking,
  uuid: string,
  reason: string,
): Promise<BookingDecision | RecordedParcel> {
  await records.flagNeedsAttention.executeWithOptions({ summary: 'show needs_attention' }, [
    { uuid, reason },
  ]);
  upsertSearchAttributes([named(uuid), state('needs_attention')]);
  details.asksOperator(uuid, reason);
  for (let turn = 0; ; turn += 1) {
    const decision = await desk.next(lookAfterMs(turn));
    const recorded = await findRecorded(uuid);
    if (recorded !== null) return recorded;
    if (decision !== undefined) return decision;
  }
}

/** When to look for the next time: less and less often, as the history grows. */
function lookAfterMs(turn: number): number {
  const early = LATE_ANSWERS_MS[turn];
  if (early !== undefined) return early;
  return Math.min(HOUR_MS * 2 ** (turn - LATE_ANSWERS_MS.length), DAY_MS);
}

/** What a try has recorded that was taken for dead; null where none has. */
export async function findRecorded(uuid: string): Promise<RecordedParcel | null> {
  const trackingCode = await records.findRecorded.executeWithOptions({ summary: 'recorded meanwhile?' }, [
    { uuid },
  ]);
  return trackingCode === null ? null : { action: 'recorded', trackingCode };
}

/** The search attribute by which a creation is found by its shipment. */
export function named(uuid: string | null): SearchAttributeUpdatePair {
  return { key: SEARCH_ATTRIBUTES.shipmentId, value: uuid };
}

/** The search attribute that says how far a booking has come. */
export function state(value: BookingState | null): SearchAttributeUpdatePair {
  return { key: SEARCH_ATTRIBUTES.bookingState, value };
}
