import { CancelledFailure, cancellationSignal } from '@temporalio/activity';
import type {
  BookingRequest,
  CallContext,
  CarrierAccount,
  CarrierAdapter,
} from '../src/carriers/contract.js';
import { timeoutMsOf } from '../src/carriers/settings.js';
import type { BookInput, BookOutcome, BookResult } from '../src/contracts/create-shipment.js';
import {
  type Attempt,
  beginAttempt,
  finishAttempt,
  latestAttempt,
} from '../src/db/queries/creation/attempts.js';
import { CodeTaken } from '../src/db/queries/creation/recording.js';
import { keepCall } from '../src/db/queries/creation/restoring.js';
import { type FieldErrors, problem } from '../src/domain/problems/problem.js';
import type { BookedParcel } from '../src/domain/shipment.js';
import { nowIso } from '../src/lib/time.js';
import { TimeLimit } from '../src/lib/time-limit.js';
import {
  AccountUnreadable,
  SETTINGS_UNREADABLE,
  SecretsUnreadable,
} from '../src/services/carriers/carrier-accounts.js';
import { renewCopy } from '../src/services/carriers/list-pickup-points.js';
import { carrierRequest } from '../src/services/creation/carrier-request.js';
import { DUPLICATE, decide, type Known, settlesItself } from './booking-decision.js';
import type { CarrierApp, CarrierSlots } from './carrier-slots.js';
import { withHeartbeat } from './heartbeat.js';
import { retry, waitOf } from './next-try.js';
import { restoreOwn, type Sent, sentBefore } from './own-rows.js';
import { CREDENTIALS_REFUSED } from './readable-account.js';
import { reportRetries } from './retry-reports.js';
import { recordParcel } from './shipment-recording.js';

// Plus the longest call it is below `settleMs`, after which a look-up counts as final.
const SEND_WITHIN_MS = 30_000;

/** Code of an attempt with rejected credentials. */
const UNAUTHORIZED = 'unauthorized';

export interface BookApp extends CarrierApp {
  /** Maximum time from the mark to the call; 30 s. */
  sendWithinMs?: number;
}

interface Booking {
  app: BookApp;
  adapter: CarrierAdapter;
  request: BookingRequest;
  context: CallContext;
  /** The adapter's objections to the request; they refuse the shipment only if nothing is booked. */
  invalid: FieldErrors | undefined;
  /** Tells the next try what was sent, in case the database loses it. */
  tell(sent: Sent): void;
}

/**
 * Books a parcel at most once. The attempt is marked in MySQL before it is sent; {@link decide} handles earlier
 * ones. Throws, to be retried, only while nothing can be booked or a look-up can settle it. Records a booked
 * parcel at once.
 */
export function createBookActivity(app: BookApp) {
  const bookInSlot = async (input: BookInput, tell: Booking['tell']): Promise<BookResult> => {
    const { creation, shipment } = input;
    const adapter = app.carriers(creation.carrier.provider);
    const own = await accountOf(app, input);
    if (own === null) return { kind: 'rejected', code: 'settings_unreadable', text: SETTINGS_UNREADABLE };
    const asked = await carrierRequest(app.db, creation, { adapter, own, reference: shipment.uuid });
    const { request, account, fields } = asked;
    const { accountId, licenseId, carrier } = creation;
    if (asked.isCopyOld) renewCopy(app, accountId, { id: licenseId, carrier });
    const invalid = Object.keys(fields).length > 0 ? fields : undefined;
    const booking = {
      app,
      adapter,
      request,
      context: { account, signal: cancellationSignal() },
      invalid,
      tell,
    };
    const inSlot: ReturnType<CarrierSlots> = app.slotsFor(adapter, own);
    return await inSlot(async () => recorded(booking, input, await bookOnce(booking, input.released)));
  };
  return async function book(input: BookInput): Promise<BookResult> {
    // From the start: a try that waits for MySQL must not count as dead and be duplicated.
    return await withHeartbeat((_beat, tell) => reportRetries(app.temporal, () => bookInSlot(input, tell)));
  };
}

/**
 * The license's account; null when it has no settings and nothing was sent, because waiting would only occupy
 * slots. After a send, the booking waits for readable settings: the request was accepted.
 */
async function accountOf(app: CarrierApp, { creation, shipment }: BookInput): Promise<CarrierAccount | null> {
  try {
    return await app.accounts(creation.licenseId, creation.carrier.provider);
  } catch (error) {
    if (error instanceof SecretsUnreadable) throw retry(error.name, SETTINGS_UNREADABLE);
    if (!(error instanceof AccountUnreadable)) throw error;
    const earlier = await latestAttempt(app.db, shipment.uuid);
    if (earlier === null) return null;
    throw error;
  }
}

/** Records here to answer a workflow task sooner; if it fails, the workflow records in a separate step. */
async function recorded({ app, tell }: Booking, input: BookInput, outcome: BookOutcome): Promise<BookResult> {
  if (outcome.kind !== 'accepted') return outcome;
  const { attempt, parcel } = outcome;
  const at = sentBefore().at ?? nowIso();
  tell({ sent: attempt, at });
  try {
    const answer = await recordParcel(app, { ...input, parcel, attempt, at });
    return input.order === undefined ? { ...outcome, answer } : { ...outcome, answer, orderKept: true };
  } catch (error) {
    // The parcel is booked: the workflow must learn of it and retries the recording.
    if (!(error instanceof CodeTaken)) return { ...outcome, at };
    const call = { uuid: input.shipment.uuid, number: attempt };
    await finishAttempt(app.db, { ...call, state: 'unknown', code: 'code_taken', text: error.message });
    return { kind: 'unknown', attempt, text: error.message };
  }
}

/** The newest call. `fields`: objections of the adapter that prevented it. */
type Calls = Pick<Known, 'attempt' | 'parcel'> & { fields?: FieldErrors };

async function bookOnce(booking: Booking, released: number): Promise<BookOutcome> {
  const { app, adapter, request, context, invalid } = booking;
  const { reference } = request;
  await keepSent(booking);
  let calls: Calls | null = invalid === undefined ? await markAndSend(booking, newAttempt(booking)) : null;
  if (calls === null) {
    const attempt = await latestAttempt(app.db, reference);
    if (attempt === null) {
      if (invalid !== undefined) return { kind: 'invalid', fields: invalid };
      if (await restoreOwn(app, reference, null)) throw retry('RowsRestored', 'Its rows were lost.');
      throw retry('AttemptVanished', 'The earlier attempt is not readable yet.');
    }
    calls = { attempt };
  }
  for (;;) {
    const step = decide({ ...calls, reference, released, adapter, account: context.account });
    switch (step.do) {
      case 'look_up':
        calls = { ...calls, parcel: await lookUp(booking) };
        break;
      case 'send':
        calls = await sendAgain(booking, calls.attempt);
        break;
      case 'adopt':
        return { kind: 'accepted', attempt: step.attempt, parcel: step.parcel };
      case 'refuse':
        return calls.fields === undefined
          ? refusalOf(calls.attempt.outcome)
          : { kind: 'invalid', fields: calls.fields };
      case 'ask_person':
        return { kind: 'unknown', attempt: step.attempt, text: step.text };
      case 'wait':
        throw retry('CarrierSettling', step.text, step.forMs);
    }
  }
}

/** The call that the try before has sent was sent, whatever the database has of it. */
async function keepSent({ app, request, tell }: Booking): Promise<void> {
  const before = sentBefore();
  const { sent } = before;
  if (sent === 0) return;
  tell(before);
  const call = { attempt: sent, parcel: null };
  if (await restoreOwn(app, request.reference, call)) return;
  await keepCall(app.db, request.reference, call);
}

/** Our own checks prevent the call; they count as a refusal like the carrier's. */
async function sendAgain(booking: Booking, earlier: Attempt): Promise<Calls> {
  const { invalid: fields } = booking;
  // Left by a process that died.
  if (earlier.state === 'sending') {
    const outcome = { code: 'abandoned', text: problem('process_ended').text };
    await note(booking, { ...earlier, state: 'unknown', outcome });
  }
  const next = newAttempt(booking, earlier);
  if (fields !== undefined) return { attempt: { ...next, state: 'rejected' }, fields };
  const calls = await markAndSend(booking, next);
  if (calls === null) throw retry('AttemptTaken', 'Another worker has just begun an attempt.');
  return calls;
}

function newAttempt({ context }: Booking, earlier?: Attempt): Attempt {
  return {
    number: (earlier?.number ?? 0) + 1,
    state: 'sending',
    ageSeconds: 0,
    underWayMs: 0,
    outcome: { code: '', text: '' },
    open: earlier?.open ?? null,
    accountIdentity: context.account.identity ?? null,
    trackingCode: null,
  };
}

/** Null when another process has marked the attempt, or the shipment is no longer reserved. */
async function markAndSend(booking: Booking, attempt: Attempt): Promise<Calls | null> {
  const { app, request, context } = booking;
  const sendWithinMs = app.sendWithinMs ?? SEND_WITHIN_MS;
  const sendWithin = new TimeLimit(sendWithinMs);
  const marked = await beginAttempt(app.db, {
    uuid: request.reference,
    number: attempt.number,
    accountIdentity: context.account.identity,
    withinMs: sendWithinMs + timeoutMsOf(context.account),
  });
  return marked ? await send(booking, attempt, sendWithin) : null;
}

async function send(booking: Booking, attempt: Attempt, sendWithin: TimeLimit): Promise<Calls> {
  const { adapter, request, context } = booking;
  booking.tell({ sent: attempt.number });
  const outcome = await adapter.book(request, {
    ...context,
    signal: untilShutdown(context.signal),
    sendWithin,
  });
  const { kind } = outcome;
  if (kind === 'accepted') return { attempt: { ...attempt, state: kind }, parcel: outcome.value };
  const { text } = outcome;
  const noted = async (state: Attempt['state'], code: string): Promise<Calls> => {
    const open = state === 'unknown' ? attempt : attempt.open;
    booking.tell({ sent: open?.number ?? 0 });
    const ended = { ...attempt, state, outcome: { code, text }, open };
    await note(booking, ended);
    return { attempt: ended };
  };
  switch (kind) {
    case 'rejected':
      return await noted(kind, outcome.code);
    case 'unauthorized':
      return await noted('rejected', UNAUTHORIZED);
    case 'throttled':
    case 'unavailable':
      await noted('not_sent', kind);
      throw retry('CarrierUnavailable', text, waitOf(outcome));
    case 'duplicate':
      return await noted('unknown', DUPLICATE);
    case 'unknown': {
      const calls = await noted(kind, kind);
      if (settlesItself(adapter)) throw retry('CarrierOutcomeUnknown', text);
      return calls;
    }
  }
}

/**
 * Aborts only when the process stops. After a stall, the try may already count as dead when the carrier's
 * answer arrives, but that answer can still be recorded.
 */
function untilShutdown(signal: AbortSignal): AbortSignal {
  // Nothing was sent yet.
  if (signal.aborted) return signal;
  const controller = new AbortController();
  const listen = () => {
    const reason: unknown = signal.reason;
    if (reason instanceof CancelledFailure && reason.message === 'WORKER_SHUTDOWN') controller.abort(reason);
  };
  signal.addEventListener('abort', listen, { once: true });
  return controller.signal;
}

/** The refusal for the client, without the carrier's text about credentials. */
function refusalOf({ code, text }: Attempt['outcome']): BookOutcome {
  return { kind: 'rejected', code, text: code === UNAUTHORIZED ? CREDENTIALS_REFUSED : text };
}

async function lookUp({ adapter, request, context }: Booking): Promise<BookedParcel | null> {
  if (adapter.findByReference === undefined) throw new Error(`${adapter.provider} offers no look-up`);
  const outcome = await adapter.findByReference(request.reference, context);
  if (outcome.kind === 'accepted') return outcome.value;
  throw retry('CarrierLookupFailed', outcome.text, waitOf(outcome));
}

async function note({ app, request }: Booking, { number, state, outcome }: Attempt): Promise<void> {
  await finishAttempt(app.db, { uuid: request.reference, number, state, ...outcome });
}
