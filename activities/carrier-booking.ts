import { ApplicationFailure, activityInfo, CancelledFailure, cancellationSignal } from '@temporalio/activity';
import type {
  BookingRequest,
  CallContext,
  CarrierAccount,
  CarrierAdapter,
  Outcome,
} from '../src/carriers/contract.js';
import { settleMsOf } from '../src/carriers/settings.js';
import type { BookInput, BookOutcome, BookResult } from '../src/contracts/create-shipment.js';
import { type Attempt, beginAttempt, finishAttempt, latestAttempt } from '../src/db/queries/attempts.js';
import { CodeTaken } from '../src/db/queries/recording.js';
import type { FieldErrors } from '../src/domain/errors.js';
import { type BookedParcel, parcelOfCode } from '../src/domain/shipment.js';
import { TimeLimit } from '../src/lib/time-limit.js';
import {
  AccountUnreadable,
  SETTINGS_UNREADABLE,
  SecretsUnreadable,
} from '../src/services/carrier-accounts.js';
import { type Signaller, tellingTrouble } from './booking-trouble.js';
import type { CarrierDeps } from './carrier-deps.js';
import type { InPlace } from './carrier-places.js';
import { withHeartbeat } from './heartbeat.js';
import { afterPause } from './next-try.js';
import { recordParcel } from './shipment-records.js';
import { toldDetails } from './told-details.js';

const OPERATION = 'book';
/**
 * From before the mark of an attempt to its sending, at most. With the longest time of a call it is below that after
 * which a look-up counts as final: a try that stood still must not send what others have decided on.
 */
const SEND_WITHIN_MS = 30_000;

/** What booking is given. `temporal`: by which the creation learns that it waits. */
export interface BookDeps extends CarrierDeps {
  temporal: Signaller;
  /** How long after its mark a call may begin; 30 s. */
  sendWithinMs?: number;
}

interface Booking {
  deps: BookDeps;
  adapter: CarrierAdapter;
  request: BookingRequest;
  context: CallContext;
  /** What the adapter has against the request; only where nothing is booked may it refuse the shipment. */
  invalid: Record<string, string[]> | undefined;
}

/**
 * Books a parcel at most once. The attempt is marked in MySQL before anything is sent; an earlier attempt
 * without an answer is looked up by our reference, never blindly sent again. Throws (and is tried again by the
 * engine) only while nothing can have been booked or a look-up can still tell. A booked parcel is recorded at once.
 */
export function createBookActivity(deps: BookDeps) {
  const bookInPlace = async (input: BookInput): Promise<BookResult> => {
    const { creation, shipment } = input;
    const adapter = deps.carriers(creation.carrier.provider);
    const { details } = creation;
    const own = await accountOf(deps, input);
    if (own === null) return { kind: 'rejected', code: 'settings_unreadable', text: SETTINGS_UNREADABLE };
    const account = details.collectFrom === undefined ? own : { ...own, collectFrom: details.collectFrom };
    const told = await toldDetails(deps, input, adapter);
    const request = {
      reference: shipment.uuid,
      orderNumber: details.carrierOrderNumber ?? creation.order.number,
      shipment: told.details,
    };
    const fields = withPoint(adapter.checkBooking(request, account), told.pointProblem);
    const invalid = Object.keys(fields).length > 0 ? fields : undefined;
    const booking = {
      deps,
      adapter,
      request,
      context: { account, signal: cancellationSignal() },
      invalid,
    };
    // An operator's decision to send again counts in the activity's first try only.
    const inPlace: InPlace = input.resend ? (work) => work() : deps.placesOf(adapter, own);
    return await inPlace(async () => recorded(deps, input, await bookOnce(booking, input.resend)));
  };
  return async function book(input: BookInput): Promise<BookResult> {
    // From the very begin: a try that only waits for MySQL must not count as dead, and be joined by a second one.
    return await withHeartbeat(() => tellingTrouble(deps.temporal, () => bookInPlace(input)));
  };
}

/** Nothing is to be said of the city where there is no point to have one. */
function withPoint(fields: FieldErrors, problem: string | null): FieldErrors {
  if (problem === null) return fields;
  const { 'ship_data.city': _city, ...others } = fields;
  return { 'ship_data.pickup': [problem], ...others };
}

/**
 * Null where the license has no settings and nothing was ever sent: waiting would only keep places that others need.
 * Where something was, the booking waits for the settings, and for the right key wherever secrets cannot be opened: the
 * request was accepted.
 */
async function accountOf(
  deps: CarrierDeps,
  { creation, shipment }: BookInput,
): Promise<CarrierAccount | null> {
  try {
    return await deps.accounts(creation.licenseId, creation.carrier.provider);
  } catch (error) {
    if (error instanceof SecretsUnreadable) throw retry(error.name, SETTINGS_UNREADABLE);
    if (!(error instanceof AccountUnreadable)) throw error;
    const earlier = await latestAttempt(deps.db, { uuid: shipment.uuid, operation: OPERATION });
    if (earlier === null) return null;
    throw error;
  }
}

/** The answer is there a workflow task sooner than by a step of its own, which follows where this one fails. */
async function recorded(deps: CarrierDeps, input: BookInput, outcome: BookOutcome): Promise<BookResult> {
  if (outcome.kind !== 'accepted') return outcome;
  const { attempt, parcel } = outcome;
  try {
    const answer = await recordParcel(deps, { ...input, parcel, attempt });
    return input.order === undefined ? { ...outcome, answer } : { ...outcome, answer, orderKept: true };
  } catch (error) {
    // Whatever else it was, the parcel is booked: the workflow must learn of it, and tries to record it until it can.
    if (!(error instanceof CodeTaken)) return outcome;
    const call = { uuid: input.shipment.uuid, operation: OPERATION, number: attempt } as const;
    await finishAttempt(deps.db, { ...call, state: 'unknown', code: 'code_taken', text: error.message });
    return { kind: 'unknown', attempt, text: error.message };
  }
}

async function bookOnce(booking: Booking, resend: boolean): Promise<BookOutcome> {
  const { deps, request } = booking;
  const outcome = booking.invalid === undefined ? await markAndSend(booking, 1) : null;
  if (outcome !== null) return outcome;

  const earlier = await latestAttempt(deps.db, { uuid: request.reference, operation: OPERATION });
  if (earlier === null) {
    if (booking.invalid !== undefined) return { kind: 'invalid', fields: booking.invalid };
    throw retry('AttemptVanished', 'The earlier attempt is not readable yet.');
  }
  const settled = await settle(booking, earlier, resend && activityInfo().attempt === 1);
  if (settled !== undefined) return settled;
  // The mark of a process that died; the parcel is not there, or a repeat gives the same one.
  await note(booking, earlier.number, 'unknown', 'abandoned', 'The process ended before the answer.');

  return await repeat(booking, earlier);
}

/** Sends again. A refusal now says nothing about an earlier call without an answer. */
async function repeat(booking: Booking, earlier: Attempt): Promise<BookOutcome> {
  const { invalid } = booking;
  const result: BookOutcome | null =
    invalid === undefined
      ? await markAndSend(booking, earlier.number + 1)
      : { kind: 'invalid', fields: invalid };
  if (result === null) throw retry('AttemptTaken', 'Another worker has just begun an attempt.');
  if (result.kind !== 'invalid' && result.kind !== 'rejected') return result;
  return earlier.open === null ? result : await confirmRefusal(booking, earlier.open, result);
}

/**
 * A refusal that came while an earlier call has no answer frees the key only after a look-up that is late enough to see
 * that call's parcel; where nobody can be asked, it does not free the key.
 */
async function confirmRefusal(
  booking: Booking,
  open: NonNullable<Attempt['open']>,
  refusal: BookOutcome,
): Promise<BookOutcome> {
  const found = await lookUp(booking);
  if (found === 'impossible') {
    // Elsewhere it was sent again at an operator's word that nothing had been booked.
    return isRepeatSafe(booking.adapter)
      ? { kind: 'unknown', attempt: open.number, text: NO_ANSWER }
      : refusal;
  }
  if (found !== null) return { kind: 'accepted', attempt: open.number, parcel: found };
  if (isSettling(booking, open.ageSeconds)) {
    throw retry('CarrierSettling', 'The carrier refused, but may still be booking an earlier call.');
  }
  return refusal;
}

/** Whether the carrier may still be at work on a call that was marked so long ago. */
function isSettling({ adapter, context }: Booking, ageSeconds: number): boolean {
  return ageSeconds * 1000 < settleMsOf(adapter, context.account);
}

/** Finds out what became of an earlier attempt. Undefined: provably nothing was booked, or a repeat is safe. */
async function settle(booking: Booking, earlier: Attempt, resend: boolean): Promise<BookOutcome | undefined> {
  const { adapter, context } = booking;
  if (earlier.trackingCode !== null) {
    return { kind: 'accepted', attempt: earlier.number, parcel: parcelOfCode(earlier.trackingCode) };
  }
  if (!resend && isElsewhere(booking, earlier)) {
    return { kind: 'unknown', attempt: earlier.number, text: OTHER_ACCOUNT };
  }
  if (earlier.state === 'rejected' && earlier.open !== null && adapter.findByReference !== undefined) {
    const confirmed = await confirmRefusal(booking, earlier.open, refusalOf(earlier.outcome));
    return resend && confirmed.kind === 'rejected' ? undefined : confirmed;
  }
  // The process that got the refusal could not tell it. To ask again might book what is given up as refused meanwhile.
  if (earlier.state === 'rejected' && earlier.open === null && !resend) return refusalOf(earlier.outcome);
  if (earlier.state === 'not_sent' || earlier.state === 'rejected') return undefined;
  if (isRepeatSafe(adapter)) return undefined;
  const found = await lookUp(booking);
  if (found === 'impossible') {
    return resend ? undefined : { kind: 'unknown', attempt: earlier.number, text: NO_ANSWER };
  }
  if (found !== null) return { kind: 'accepted', attempt: earlier.number, parcel: found };
  if (earlier.outcome.code === DUPLICATE && !resend) {
    return awaitDuplicate(booking, earlier);
  }
  const waitMs = settleMsOf(adapter, context.account) - earlier.ageSeconds * 1000;
  if (adapter.duplicates === 'lookup' && waitMs > 0) {
    throw retry('CarrierSettling', 'The carrier may still be booking the parcel.', waitMs);
  }
  return undefined;
}

/**
 * Whether what may be booked is in another account than the license has now: neither a look-up nor a repeat meets it.
 * The newest attempt names the account, though an earlier one may be booked: another one comes by a person's word only.
 */
function isElsewhere({ context }: Booking, { open, accountIdentity }: Attempt): boolean {
  return open !== null && accountIdentity !== null && accountIdentity !== context.account.identity;
}

const OTHER_ACCOUNT =
  "The license's settings name another account of the carrier's than the booking was sent to; the parcel may be in the former one.";
const NO_ANSWER = 'The carrier gave no readable answer and offers no look-up by reference.';

/** Null where somebody else has marked the attempt, or the shipment is not reserved any more. */
async function markAndSend(booking: Booking, number: number): Promise<BookOutcome | null> {
  const { deps, request, context } = booking;
  const sendWithin = new TimeLimit(deps.sendWithinMs ?? SEND_WITHIN_MS);
  const marked = await beginAttempt(deps.db, {
    uuid: request.reference,
    operation: OPERATION,
    number,
    accountIdentity: context.account.identity,
  });
  return marked ? await send(booking, number, sendWithin) : null;
}

async function send(booking: Booking, number: number, sendWithin: TimeLimit): Promise<BookOutcome> {
  const { adapter, request, context } = booking;
  const outcome = await adapter.book(request, {
    ...context,
    signal: untilShutdown(context.signal),
    sendWithin,
  });
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'accepted', attempt: number, parcel: outcome.value };
    case 'rejected':
      await note(booking, number, 'rejected', outcome.code, outcome.text);
      return { kind: 'rejected', code: outcome.code, text: outcome.text };
    case 'unauthorized':
      await note(booking, number, 'rejected', 'unauthorized', outcome.text);
      return refusalOf({ code: 'unauthorized', text: outcome.text });
    case 'throttled':
    case 'unavailable':
      await note(booking, number, 'not_sent', outcome.kind, outcome.text);
      throw retry('CarrierUnavailable', outcome.text, waitOf(outcome));
    case 'duplicate':
      return await adoptDuplicate(booking, number, outcome.text);
    case 'unknown':
      await note(booking, number, 'unknown', 'unknown', outcome.text);
      if (canSettle(adapter)) throw retry('CarrierOutcomeUnknown', outcome.text);
      return { kind: 'unknown', attempt: number, text: outcome.text };
  }
}

/**
 * A booking under way is worth its answer, whatever has become of its try: a process that stood still is told that its
 * try counts as dead a moment before the carrier's answer, which it can still record. The end of the process alone cuts
 * it off.
 */
function untilShutdown(signal: AbortSignal): AbortSignal {
  // Nothing is under way yet.
  if (signal.aborted) return signal;
  const controller = new AbortController();
  const listen = () => {
    const reason: unknown = signal.reason;
    if (reason instanceof CancelledFailure && reason.message === 'WORKER_SHUTDOWN') controller.abort(reason);
  };
  signal.addEventListener('abort', listen, { once: true });
  return controller.signal;
}

/** The refusal as the client reads it; what a carrier says of credentials is the merchant's own business. */
function refusalOf({ code, text }: { code: string; text: string }): BookOutcome {
  const isCredentials = code === 'unauthorized';
  return {
    kind: 'rejected',
    code,
    text: isCredentials ? `The carrier refused the license's credentials.` : text,
  };
}

const DUPLICATE = 'duplicate';

/** The carrier knows our reference: the parcel is an earlier attempt's. */
async function adoptDuplicate(booking: Booking, number: number, text: string): Promise<BookOutcome> {
  const found = await lookUp(booking);
  if (found !== null && found !== 'impossible') return { kind: 'accepted', attempt: number, parcel: found };
  await note(booking, number, 'unknown', DUPLICATE, text);
  return awaitDuplicate(booking, { number, ageSeconds: 0, outcome: { code: DUPLICATE, text } });
}

/** The parcel that the carrier says it has may not be shown yet; after a while a person must look for it. */
function awaitDuplicate(
  booking: Booking,
  { number, ageSeconds, outcome }: Pick<Attempt, 'number' | 'ageSeconds' | 'outcome'>,
): BookOutcome {
  const { adapter, request } = booking;
  if (adapter.findByReference !== undefined && isSettling(booking, ageSeconds)) {
    throw retry('CarrierSettling', outcome.text);
  }
  return {
    kind: 'unknown',
    attempt: number,
    text: `The carrier has the parcel under the reference ${request.reference} but does not show it: ${outcome.text}`,
  };
}

async function lookUp(booking: Booking): Promise<BookedParcel | null | 'impossible'> {
  const { adapter, request, context } = booking;
  if (adapter.findByReference === undefined) return 'impossible';
  const outcome = await adapter.findByReference(request.reference, context);
  if (outcome.kind === 'accepted') return outcome.value;
  throw retry('CarrierLookupFailed', outcome.text, waitOf(outcome));
}

function canSettle(adapter: CarrierAdapter): boolean {
  return isRepeatSafe(adapter) || adapter.findByReference !== undefined;
}

/**
 * Whether a booking may be sent again without a look at the first: the carrier replays the first parcel, or refuses
 * the reference as used where it booked one. A carrier that refuses and can be asked is asked instead.
 */
function isRepeatSafe({ duplicates, findByReference }: CarrierAdapter): boolean {
  return duplicates === 'replays' || (duplicates === 'rejects' && findByReference === undefined);
}

function waitOf(outcome: Outcome<unknown>): number | undefined {
  return outcome.kind === 'throttled' ? outcome.retryAfterMs : undefined;
}

async function note(
  booking: Booking,
  number: number,
  state: 'rejected' | 'not_sent' | 'unknown',
  code: string,
  text: string,
): Promise<void> {
  const { deps, request } = booking;
  await finishAttempt(deps.db, { uuid: request.reference, operation: OPERATION, number, state, code, text });
}

function retry(type: string, message: string, waitMs?: number): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    nonRetryable: false,
    ...afterPause(waitMs),
  });
}
