import type { CarrierAccount, CarrierAdapter } from '../src/carriers/contract.js';
import { settleMsOf } from '../src/carriers/settings.js';
import type { Attempt } from '../src/db/queries/attempts.js';
import { type BookedParcel, parcelOfCode } from '../src/domain/shipment.js';

/** Code of an attempt that the carrier refused because it knows our reference: the parcel is an earlier attempt's. */
export const DUPLICATE = 'duplicate';

/** What is known of a booking of which something was marked as sent. */
export interface Known {
  /** Ours; the shipment's uuid. */
  reference: string;
  attempt: Attempt;
  /** By our reference: null where the carrier shows none, undefined where nobody has looked since the attempt. */
  parcel?: BookedParcel | null;
  /** An operator says that this attempt and those before it booked nothing; 0 where nobody does. */
  released: number;
  adapter: CarrierAdapter;
  account: CarrierAccount;
}

/** What comes next. `attempt` is the number of the call that booked, or may have. */
export type Step =
  | { do: 'send' | 'look_up' | 'refuse' }
  | { do: 'adopt'; attempt: number; parcel: BookedParcel }
  | { do: 'ask_person'; attempt: number; text: string }
  | { do: 'wait'; text: string; forMs?: number };

const OTHER_ACCOUNT =
  "The license's settings name another account of the carrier's than the booking was sent to; the parcel may be in the former one.";
const NO_ANSWER = 'The carrier gave no readable answer and offers no look-up by reference.';

/**
 * Decides how a booking goes on, by the first line that applies. `send` only where provably nothing was booked, a
 * repeat is safe, or an operator says so. `look_up` comes once, where the carrier can be asked.
 */
export function decide(known: Known): Step {
  const { attempt } = known;
  const parcel = attempt.trackingCode === null ? known.parcel : parcelOfCode(attempt.trackingCode);
  if (parcel) return { do: 'adopt', attempt: bookedBy(attempt), parcel };
  if (isElsewhere(known)) return { do: 'ask_person', attempt: attempt.number, text: OTHER_ACCOUNT };
  // What let this attempt follow one without an answer lets the next one, too.
  if (attempt.state === 'not_sent') return { do: 'send' };
  if (attempt.state === 'rejected') return afterRefusal(known);
  return attempt.outcome.code === DUPLICATE && !isReleased(known) ? afterDuplicate(known) : unanswered(known);
}

/** A refused attempt booked nothing: the parcel is that of the earlier one without an answer. */
function bookedBy({ state, number, open }: Attempt): number {
  return state === 'rejected' && open !== null ? open.number : number;
}

/**
 * Whether what may be booked is in another account than the license has now: neither a look-up nor a repeat meets it.
 * The newest attempt names the account, though an earlier one may be booked: an operator alone lets another follow.
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
 * A refusal frees the key, unless an earlier attempt has no answer: then only after a look-up that is late enough to see
 * its parcel, or where an operator says that it booked nothing.
 */
function afterRefusal(known: Known): Step {
  const { attempt, adapter, parcel, released } = known;
  const { open } = attempt;
  // Its process could not tell the refusal. To ask again might book what is given up as refused meanwhile.
  const final: Step = { do: isReleased(known) ? 'send' : 'refuse' };
  if (open === null) return final;
  if (canBeAsked(adapter)) {
    if (parcel === undefined) return { do: 'look_up' };
    if (settlingMs(known, open.ageSeconds) <= 0) return final;
    return { do: 'wait', text: 'The carrier refused, but may still be booking an earlier call.' };
  }
  // Where a repeat is safe, an operator need not be sure of the attempts before it.
  const { number } = isRepeatSafe(adapter) ? attempt : open;
  return number <= released ? final : { do: 'ask_person', attempt: open.number, text: NO_ANSWER };
}

/** The parcel that the carrier says it has may not be shown yet; after a while a person must look for it. */
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

/** The attempt may have booked. A carrier that refuses a second parcel needs no wait until it shows the first. */
function unanswered(known: Known): Step {
  const { attempt, adapter, parcel } = known;
  if (isRepeatSafe(adapter)) return { do: 'send' };
  if (!canBeAsked(adapter)) {
    if (isReleased(known)) return { do: 'send' };
    return { do: 'ask_person', attempt: attempt.number, text: attempt.outcome.text || NO_ANSWER };
  }
  if (parcel === undefined) return { do: 'look_up' };
  const forMs = settlingMs(known, attempt.ageSeconds);
  return adapter.duplicates === 'rejects' || forMs <= 0
    ? { do: 'send' }
    : { do: 'wait', text: 'The carrier may still be booking the parcel.', forMs };
}

/** How long the carrier may still be at work on a call that was marked so long ago; 0 or less: no longer. */
function settlingMs({ adapter, account }: Known, ageSeconds: number): number {
  return settleMsOf(adapter, account) - ageSeconds * 1000;
}

function canBeAsked({ findByReference }: CarrierAdapter): boolean {
  return findByReference !== undefined;
}

/**
 * Whether a booking may be sent again without a look at the first: the carrier replays the first parcel, or refuses
 * the reference as used where it booked one. A carrier that refuses and can be asked is asked instead.
 */
function isRepeatSafe(adapter: CarrierAdapter): boolean {
  return adapter.duplicates === 'replays' || (adapter.duplicates === 'rejects' && !canBeAsked(adapter));
}

/** Whether an attempt without an answer is settled without a person, by a look-up or a repeat. */
export function settlesItself(adapter: CarrierAdapter): boolean {
  return isRepeatSafe(adapter) || canBeAsked(adapter);
}
