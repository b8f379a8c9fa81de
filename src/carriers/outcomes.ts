import { problem } from '../domain/problems/problem.js';
import type { BookedParcel } from '../domain/shipment.js';
import type { Outcome } from './contract.js';

/** A reply came but is unreadable: the request may have been carried out. */
export const UNREADABLE = { kind: 'unknown', text: problem('reply_unreadable').text } as const;

export function accepted<T>(value: T): Extract<Outcome<T>, { kind: 'accepted' }> {
  return { kind: 'accepted', value };
}

/** `accepted` with the value, or `unknown` for null, an unreadable reply. It is never a refusal. */
export function readable<T>(value: T | null): Outcome<T> {
  return value === null ? UNREADABLE : accepted(value);
}

/**
 * The outcome of a booking, from the refusal and the parcel read in its reply. A success with both is
 * `unknown`: as a refusal, the parcel could be booked twice.
 */
export function bookingOf(
  { status }: { status: number },
  refusal: Outcome<never> | null,
  parcel: BookedParcel | null,
): Outcome<BookedParcel> {
  if (refusal === null) return readable(parcel);
  if (parcel === null || status >= 400) return refusal;
  return { kind: 'unknown', text: problem('reply_both').text };
}

/** Whether the carrier answered, even with a refusal. */
export function isAnswer<T>(
  outcome: Outcome<T>,
): outcome is Exclude<Outcome<T>, { kind: 'throttled' | 'unavailable' | 'unknown' }> {
  return !['throttled', 'unavailable', 'unknown'].includes(outcome.kind);
}

/** Converts the value of an accepted outcome; returns any other unchanged. */
export function mapAccepted<T, U>(outcome: Outcome<T>, to: (value: T) => U): Outcome<U> {
  return outcome.kind === 'accepted' ? accepted(to(outcome.value)) : outcome;
}

/** The outcome of a call made before the booking. Nothing is booked yet, so `unknown` becomes `unavailable`. */
export function beforeBooking<T>(outcome: Outcome<T>): Outcome<T> {
  return outcome.kind === 'unknown' ? { kind: 'unavailable', text: outcome.text } : outcome;
}
