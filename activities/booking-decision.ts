import type { CarrierAccount, CarrierAdapter } from '../src/carriers/contract.js';
import { settleMsOf } from '../src/carriers/settings.js';
import type { Attempt } from '../src/db/queries/creation/attempts.js';
import { type BookedParcel, parcelOfCode } from '../src/domain/shipment.js';

/** Code of an attempt refused for a repeated reference: an earlier attempt booked the parcel. */
export const DUPLICATE = 'duplicate';

/** Knowledge about a booking that was marked as sent. */
export interface Known {
  /** The shipment's uuid. */
  reference: string;
  attempt: Attempt;
  /** Result of the look-up by our reference: null for none, undefined before a look-up. */
  parcel?: BookedParcel | null;
  /** Number of the last attempt that an operator released as not booked; 0 for none. */
  released: number;
  adapter: CarrierAdapter;
  account: CarrierAccount;
}

/** The next step. `attempt` is the number of the call that booked, or may have booked. */
type Step =
  | { do: 'send' | 'look_up' | 'refuse' }
  | { do: 'adopt'; attempt: number; parcel: BookedParcel }
  | { do: 'ask_person'; attempt: number; text: string }
  | { do: 'wait'; text: string; forMs?: number };

const OTHER_ACCOUNT =
  "The license's settings name another account of the carrier's than the booking was sent to; the parcel may be in the former one.";
const NO_ANSWER = 'The carrier gave no readable answer and offers no look-up by reference.';

/**
 * Decides a booking's next step by the first line that applies. `send` only if provably nothing was booked, a
 * repeat is safe, or an operator says so. `look_up` comes once, for carriers that support it.
 */
export function decide(known: Known): Step {
  const { attempt } = known;
  const parcel = attempt.trackingCode === null ? known.parcel : parcelOfCode(attempt.trackingCode);
  if (parcel) return { do: 'adopt', attempt: bookedBy(attempt), parcel };
  if (isElsewhere(known)) return { do: 'ask_person', attempt: attempt.number, text: OTHER_ACCOUNT };
  // The condition that permitted this attempt also permits the next.
  if (attempt.state === 'not_sent') return { do: 'send' };
  if (attempt.state === 'rejected') return afterRefusal(known);
  return attempt.outcome.code === DUPLICATE && !isReleased(known) ? afterDuplicate(known) : unanswered(known);
}

/** A refused attempt booked nothing, so the parcel belongs to the earlier unanswered one. */
function bookedBy({ state, number, open }: Attempt): number {
  return state === 'rejected' && open !== null ? open.number : number;
}

/**
 * Whether the parcel may be booked in another account than the license has now: then neither look-up nor repeat
 * reaches it. The newest attempt names the account; only an operator may permit another one.
 */
function isElsewhere(known: Known): boolean {
  const { open, accountIdentity } = known.attempt;
  if (open === null || accountIdentity === null || isReleased(known)) return false;
  return accountIdentity !== known.account.identity;
}

function isReleased({ attempt, released }: Known): boolean {
  return attempt.number <= released;
}

/**
 * A refusal frees the key. With an earlier unanswered attempt it does so only after a look-up late enough to
 * find its parcel, or when an operator says that it booked nothing.
 */
function afterRefusal(known: Known): Step {
  const { attempt, adapter, parcel, released } = known;
  const { open } = attempt;
  // The refusal may not have been reported. Asking again could book what was meanwhile refused.
  const final: Step = { do: isReleased(known) ? 'send' : 'refuse' };
  if (open === null) return final;
  if (canBeAsked(adapter)) {
    if (parcel === undefined) return { do: 'look_up' };
    if (settlingMs(known, open.ageSeconds) <= 0) return final;
    return { do: 'wait', text: 'The carrier refused, but may still be booking an earlier call.' };
  }
  // Where a repeat is safe, the operator need not vouch for earlier attempts.
  const { number } = isRepeatSafe(adapter) ? attempt : open;
  return number <= released ? final : { do: 'ask_person', attempt: open.number, text: NO_ANSWER };
}

/** The carrier may not show the parcel yet; later a person must look for it. */
function afterDuplicate(known: Known): Step {
  const { attempt, adapter, parcel, reference } = known;
  const { text } = attempt.outcome;
  if (canBeAsked(adapter)) {
    if (parcel === undefined) return { do: 'look_up' };
    if (settlingMs(known, attempt.ageSeconds) > 0) return { do: 'wait', text };
  }
  return {
    do: 'ask_person',
    attempt: attempt.number,
    text: `The carrier has the parcel under the reference ${reference} but does not show it: ${text}`,
  };
}

/** The attempt may have booked. A carrier that refuses duplicates needs no wait until it shows the parcel. */
function unanswered(known: Known): Step {
  const { attempt, adapter, parcel } = known;
  if (isRepeatSafe(adapter)) return { do: 'send' };
  if (!canBeAsked(adapter)) {
    if (!isReleased(known)) {
      return { do: 'ask_person', attempt: attempt.number, text: attempt.outcome.text || NO_ANSWER };
    }
    // A process that was cut off may still send what an operator looked for in vain.
    if (attempt.underWayMs <= 0) return { do: 'send' };
    return { do: 'wait', text: 'The last call may still be under way.', forMs: attempt.underWayMs };
  }
  if (parcel === undefined) return { do: 'look_up' };
  const forMs = settlingMs(known, attempt.ageSeconds);
  return adapter.duplicates === 'rejects' || forMs <= 0
    ? { do: 'send' }
    : { do: 'wait', text: 'The carrier may still be booking the parcel.', forMs };
}

/** Remaining time in which the carrier may still process a call of this age; 0 or less: none. */
function settlingMs({ adapter, account }: Known, ageSeconds: number): number {
  return settleMsOf(adapter, account) - ageSeconds * 1000;
}

function canBeAsked({ findByReference }: CarrierAdapter): boolean {
  return findByReference !== undefined;
}

/**
 * Whether the booking may be repeated without a look-up: the carrier replays the first parcel or refuses the
 * reference. A carrier with a look-up is asked instead.
 */
function isRepeatSafe(adapter: CarrierAdapter): boolean {
  return adapter.duplicates === 'replays' || (adapter.duplicates === 'rejects' && !canBeAsked(adapter));
}

/** Whether an unanswered attempt can be settled without a person, by look-up or repeat. */
export function settlesItself(adapter: CarrierAdapter): boolean {
  return isRepeatSafe(adapter) || canBeAsked(adapter);
}
