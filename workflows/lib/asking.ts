import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { BookingDecision } from '../../src/contracts/create-shipment.js';
import { type BookingState, SEARCH_ATTRIBUTES } from '../../src/contracts/search-attributes.js';
import type { CreationDetails } from './creation-details.js';
import type { DecisionDesk } from './decision-desk.js';
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

/** Time until the next look, growing to keep the history short. */
function lookAfterMs(turn: number): number {
  const early = LATE_ANSWERS_MS[turn];
  if (early !== undefined) return early;
  return Math.min(HOUR_MS * 2 ** (turn - LATE_ANSWERS_MS.length), DAY_MS);
}

/** A parcel recorded by a try that counted as dead; null if none. */
export async function findRecorded(uuid: string): Promise<RecordedParcel | null> {
  const trackingCode = await records.findRecorded.executeWithOptions({ summary: 'recorded meanwhile?' }, [
    { uuid },
  ]);
  return trackingCode === null ? null : { action: 'recorded', trackingCode };
}

/** Search attribute to find a creation by its shipment. */
export function named(uuid: string | null): SearchAttributeUpdatePair {
  return { key: SEARCH_ATTRIBUTES.shipmentId, value: uuid };
}

/** Search attribute of a booking's state. */
export function state(value: BookingState | null): SearchAttributeUpdatePair {
  return { key: SEARCH_ATTRIBUTES.bookingState, value };
}
