import type { SearchAttributeUpdatePair } from '@temporalio/common';
import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  defineSignal,
  isCancellation,
  patched,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  type BookInput,
  type BookingDecision,
  type BookResult,
  CARRIER_TROUBLE,
  type CarrierTrouble,
  CREATE_FAILURES,
  type CreateFailureDetails,
  type CreateShipmentResult,
  type Creation,
  type Reservation,
} from '../src/contracts/create-shipment.js';
import { type BookingState, FORMER_STATE, SEARCH_ATTRIBUTES } from '../src/contracts/search-attributes.js';
import { toSummary } from '../src/domain/run-summary.js';
import {
  duplicateOrderMessage,
  keyConflictMessage,
  type OrderSnapshot,
  parcelOfCode,
} from '../src/domain/shipment.js';
import { type CreationDetails, openDetails } from './lib/creation-details.js';
import { type DecisionDesk, openDecisionDesk } from './lib/decision-desk.js';
import { bookingAt, records } from './lib/proxies.js';

/** The carrier keeps a booking waiting. */
const carrierTrouble = defineSignal<[CarrierTrouble]>(CARRIER_TROUBLE);

/** `adopted`: the parcel is the one of an operator's decision. */
type Accepted = Extract<BookResult, { kind: 'accepted' }> & { adopted?: true };
type Refused = { kind: 'refused'; type: RefusedType; text: string; fields?: Record<string, string[]> };
type RecordedParcel = { action: 'recorded'; trackingCode: string };
type FailureType = (typeof CREATE_FAILURES)[keyof typeof CREATE_FAILURES];

/** What a reservation that was refused is told by. */
const REFUSAL_CODES = {
  [CREATE_FAILURES.carrierRejected]: 'carrier_rejected',
  [CREATE_FAILURES.invalidShipment]: 'validation_failed',
  [CREATE_FAILURES.givenUp]: 'given_up',
} as const;
type RefusedType = keyof typeof REFUSAL_CODES;

/**
 * Creates one shipment: reserve its key and rows in MySQL, book the parcel with the carrier, record it.
 * A refusal ends the run as a failure of one of the types in `CREATE_FAILURES`, and frees the key.
 */
export async function createShipment(asked: Creation, order: OrderSnapshot): Promise<CreateShipmentResult> {
  const desk = openDecisionDesk();
  const details = openDetails(asked);
  setHandler(carrierTrouble, details.waits, { description: 'The carrier keeps the booking waiting.' });
  const { requestId } = asked;

  const reservation = await records.reserve.executeWithOptions(
    { summary: 'take the key, write order and shipment' },
    [asked, order],
  );
  if (reservation.kind !== 'reserved') return withoutBooking(asked, reservation, details);
  const { shipment } = reservation;
  const { uuid, licenseId, carrier } = shipment;
  if (asked.shipmentUuid !== undefined && asked.shipmentUuid !== uuid) {
    upsertSearchAttributes([named(uuid)]);
  }
  // The same body without a license may ask for another one by now: what is reserved stays with its own.
  const creation = { ...asked, licenseId, carrier };

  const isOrderKnown = reservation.orderKnown === true;
  const toBook = { creation, shipment, ...(isOrderKnown ? { order } : {}) };
  const booking = await bookParcel(toBook, { desk, details });
  if (booking.kind === 'refused') {
    await records.release.executeWithOptions({ summary: 'free the key' }, [
      { uuid, reason: booking.text, code: REFUSAL_CODES[booking.type] },
    ]);
    upsertSearchAttributes([named(uuid), ...state('refused')]);
    desk.answer('refused');
    details.refused(uuid, booking.text, booking.type === CREATE_FAILURES.carrierRejected);
    if (!allHandlersFinished()) await condition(allHandlersFinished);
    throw failure(creation, booking);
  }

  const { trackingCode } = booking.parcel;
  const answer =
    booking.answer ??
    (await records.record.executeWithOptions({ summary: `record ${trackingCode}` }, [
      { creation, shipment, parcel: booking.parcel, attempt: booking.attempt },
    ]));
  // The booking has not where it could not record the parcel with it, or ran before it did so.
  if (isOrderKnown && booking.orderKept !== true) {
    await records.keepOrder.executeWithOptions({ summary: "write the order's new snapshot" }, [
      { rowId: shipment.order.rowId, shipmentId: shipment.id, order },
    ]);
  }
  upsertSearchAttributes([
    named(uuid),
    { key: SEARCH_ATTRIBUTES.trackingCode, value: trackingCode },
    ...state('booked'),
  ]);
  details.booked(uuid, trackingCode, booking.adopted === true);
  desk.answer(`created with tracking code ${trackingCode}`);
  if (!allHandlersFinished()) await condition(allHandlersFinished);
  return { ...answer, replayed: false, requestId };
}

function named(uuid: string | null): SearchAttributeUpdatePair {
  return { key: SEARCH_ATTRIBUTES.shipmentId, value: uuid };
}

function state(value: BookingState | null): SearchAttributeUpdatePair[] {
  const isFormer = workflowInfo().typedSearchAttributes.get(FORMER_STATE) !== undefined;
  const former = isFormer ? [{ key: FORMER_STATE, value: null }] : [];
  return [{ key: SEARCH_ATTRIBUTES.bookingState, value }, ...former];
}

/** Ends a creation for which nothing was reserved: with the first answer of its key, or as a failure. */
function withoutBooking(
  creation: Creation,
  reservation: Exclude<Reservation, { kind: 'reserved' }>,
  details: CreationDetails,
): CreateShipmentResult {
  // Runs that were not started under the uuid of a shipment were left without.
  const isNamed = creation.shipmentUuid !== undefined;
  if (reservation.kind === 'finished') {
    const { shipmentUuid } = reservation.answer;
    if (isNamed) upsertSearchAttributes([named(shipmentUuid), ...state('booked')]);
    details.replayed(shipmentUuid);
    return { ...reservation.answer, replayed: true, requestId: creation.requestId };
  }
  if (isNamed) upsertSearchAttributes([named(null), ...state('refused')]);
  const reason = whyNothing(reservation);
  details.notBegun(reason.text);
  throw failure(creation, reason);
}

function whyNothing(reservation: Exclude<Reservation, { kind: 'reserved' | 'finished' }>): {
  type: FailureType;
  text: string;
} {
  switch (reservation.kind) {
    case 'key_conflict':
      return {
        type: CREATE_FAILURES.keyConflict,
        text: keyConflictMessage(reservation.shipmentUuid),
      };
    case 'duplicate_order':
      return {
        type: CREATE_FAILURES.duplicateOrder,
        text: duplicateOrderMessage(reservation.shipmentUuid),
      };
    case 'batch_cancelled':
      return { type: CREATE_FAILURES.batchCancelled, text: 'Its batch was cancelled before.' };
  }
}

/** Stands for what the carrier was told before the run was ended. */
const ENDED = {
  kind: 'unknown',
  attempt: 0,
  text: 'The creation was ended from outside after something was sent to the carrier.',
} as const satisfies BookResult;

/** Books until the outcome is known; an operator decides where neither we nor the carrier can. */
async function bookParcel(
  toBook: Omit<BookInput, 'resend'>,
  { desk, details }: { desk: DecisionDesk; details: CreationDetails },
): Promise<Accepted | Refused> {
  const { creation, shipment } = toBook;
  const { uuid } = shipment;
  let resend = false;
  let isAsked = creation.askFirst === true;
  for (;;) {
    const outcome = isAsked ? ENDED : await callBook({ ...toBook, resend }, details);
    isAsked = false;
    switch (outcome.kind) {
      case 'accepted':
        return outcome;
      case 'rejected':
        return { kind: 'refused', type: CREATE_FAILURES.carrierRejected, text: outcome.text };
      case 'invalid':
        return {
          kind: 'refused',
          type: CREATE_FAILURES.invalidShipment,
          text: Object.values(outcome.fields).flat().join(' '),
          fields: outcome.fields,
        };
    }
    desk.answer('still unknown');
    const decision =
      (patched('late-answers') ? await findRecorded(uuid) : null) ??
      (await decide({ desk, details, uuid }, outcome.text));
    if (decision.action === 'recorded') {
      return { kind: 'accepted', attempt: outcome.attempt, parcel: parcelOfCode(decision.trackingCode) };
    }
    if (decision.action === 'adopt') {
      const parcel = parcelOfCode(decision.trackingCode);
      return { kind: 'accepted', attempt: outcome.attempt, parcel, adopted: true };
    }
    if (decision.action === 'give_up') {
      return { kind: 'refused', type: CREATE_FAILURES.givenUp, text: decision.reason };
    }
    resend = true;
    if (patched('decided')) upsertSearchAttributes(state(null));
  }
}

/**
 * A try whose heartbeats were lost counts as dead, and may yet get its answer and record it: mostly within a call's
 * time-out, and a process that stood still later.
 */
const LATE_ANSWERS_MS = [60_000, 300_000];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Asks an operator; returns the decision, or the parcel that needs none any more. */
async function decide(
  { desk, details, uuid }: { desk: DecisionDesk; details: CreationDetails; uuid: string },
  reason: string,
): Promise<BookingDecision | RecordedParcel> {
  await records.flagNeedsAttention.executeWithOptions({ summary: 'show needs_attention' }, [
    { uuid, reason },
  ]);
  upsertSearchAttributes([named(uuid), ...state('needs_attention')]);
  details.asksOperator(uuid, reason);
  const isWatched = patched('late-answers');
  for (let turn = 0; ; turn += 1) {
    const decision = await desk.next(isWatched ? lookAfterMs(turn) : undefined);
    const recorded = isWatched ? await findRecorded(uuid) : null;
    if (recorded !== null) return recorded;
    if (decision !== undefined) return decision;
  }
}

/** When to look for the next time: less and less often, as the history grows. A run of an earlier version looks no more. */
function lookAfterMs(turn: number): number | undefined {
  const early = LATE_ANSWERS_MS[turn];
  if (early !== undefined || !patched('later-answers')) return early;
  return Math.min(HOUR_MS * 2 ** (turn - LATE_ANSWERS_MS.length), DAY_MS);
}

/** What a try has recorded that was taken for dead; null where none has. */
async function findRecorded(uuid: string): Promise<RecordedParcel | null> {
  const trackingCode = await records.findRecorded.executeWithOptions({ summary: 'recorded meanwhile?' }, [
    { uuid },
  ]);
  return trackingCode === null ? null : { action: 'recorded', trackingCode };
}

/** No async function: each promise in a workflow costs the worker a stack trace. */
function callBook(input: BookInput, details: CreationDetails): Promise<BookResult> {
  const { creation, shipment } = input;
  const { provider } = creation.carrier;
  details.booking(shipment.uuid);
  return bookingAt(provider)
    .book.executeWithOptions({ summary: toSummary(`${provider}, order ${creation.order.id}`) }, [input])
    .catch((error: unknown) => {
      if (isCancellation(error)) {
        details.ended();
        throw error;
      }
      return {
        kind: 'unknown',
        attempt: 0,
        text: 'The carrier could not be asked for a day; see the activity.',
      };
    });
}

function failure(
  creation: Creation,
  { type, text, fields }: { type: FailureType; text: string; fields?: Record<string, string[]> },
): ApplicationFailure {
  const details: CreateFailureDetails = {
    fingerprint: creation.idempotency.fingerprint,
    ...(fields === undefined ? {} : { fields }),
  };
  return ApplicationFailure.nonRetryable(text, type, details);
}
