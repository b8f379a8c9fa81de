import type { BookedParcel } from '../domain/shipment.js';
import type { Outcome } from './contract.js';

/** A reply that came but says nothing readable: what it answers may have been done. */
export const UNREADABLE = { kind: 'unknown', text: 'The reply of the carrier cannot be read.' } as const;

/** What is done, with its result. */
export function accepted<T>(value: T): Extract<Outcome<T>, { kind: 'accepted' }> {
  return { kind: 'accepted', value };
}

/** What was read of a reply; null where it could not be read, which is `unknown` and never a refusal. */
export function readable<T>(value: T | null): Outcome<T> {
  return value === null ? UNREADABLE : accepted(value);
}

/**
 * What a booking's reply says, by the refusal and the parcel that were read of it. A success that names both is
 * `unknown`: taken for a refusal, the parcel could be booked once more.
 */
export function bookingOf(
  { status }: { status: number },
  refusal: Outcome<never> | null,
  parcel: BookedParcel | null,
): Outcome<BookedParcel> {
  if (refusal === null) return readable(parcel);
  if (parcel === null || status >= 400) return refusal;
  return { kind: 'unknown', text: 'The reply of the carrier names a parcel and an error.' };
}

/** Whether the carrier has answered, if only with a refusal; without an answer nothing is known. */
export function isAnswer<T>(
  outcome: Outcome<T>,
): outcome is Exclude<Outcome<T>, { kind: 'throttled' | 'unavailable' | 'unknown' }> {
  return !['throttled', 'unavailable', 'unknown'].includes(outcome.kind);
}

/** The outcome with another value where it is accepted; every other one as it is. */
export function mapAccepted<T, U>(outcome: Outcome<T>, to: (value: T) => U): Outcome<U> {
  return outcome.kind === 'accepted' ? accepted(to(outcome.value)) : outcome;
}

/**
 * The outcome of a call that a booking makes before it books: whatever became of that call, nothing is booked, so
 * that an `unknown` one is `unavailable`.
 */
export function beforeBooking<T>(outcome: Outcome<T>): Outcome<T> {
  return outcome.kind === 'unknown' ? { kind: 'unavailable', text: outcome.text } : outcome;
}
