import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  defineSignal,
  isCancellation,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import {
  type BookInput,
  type BookResult,
  CARRIER_TROUBLE,
  type CarrierTrouble,
  type CodeQuestion,
  CREATE_FAILURES,
  type CreateShipmentResult,
  type Creation,
  REFUSALS,
  type Reservation,
  STILL_UNKNOWN,
  type StoredAnswer,
} from '../src/contracts/create-shipment.js';
import { SEARCH_ATTRIBUTES } from '../src/contracts/search-attributes.js';
import { type FieldErrors } from '../src/domain/problems/problem.js';
import { toSummary } from '../src/domain/run-summary.js';
import {
  duplicateOrderMessage,
  keyConflictMessage,
  type OrderSnapshot,
  parcelOfCode,
} from '../src/domain/shipment.js';
import { type Asking, askOperator, findRecorded, named, state } from './lib/asking.js';
import { type CreationDetails, openDetails } from './lib/creation-details.js';
import { openDecisionDesk } from './lib/decision-desk.js';
import { bookingAt, records } from './lib/proxies.js';

/** Reports that a booking is being retried. */
const carrierTrouble = defineSignal<[CarrierTrouble]>(CARRIER_TROUBLE);

/** A parcel that the carrier, or an operator, says is booked. */
type Accepted = Pick<Extract<BookResult, { kind: 'accepted' }>, 'parcel' | 'attempt' | 'at' | 'orderKept'>;
/** `adopted`: the parcel is from an operator's decision. */
type Booked = Accepted & { kind: 'booked'; answer: StoredAnswer; adopted?: boolean };
type Refused = { kind: 'refused'; type: RefusedType; text: string; fields?: FieldErrors };
type FailureType = (typeof CREATE_FAILURES)[keyof typeof CREATE_FAILURES];

type RefusedType = keyof typeof REFUSALS;

/**
 * Creates one shipment: reserves key and rows in MySQL, books with the carrier, records the parcel. A refusal
 * frees the key and fails the run with one of `CREATE_FAILURES`.
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
  if (asked.shipmentUuid !== uuid) upsertSearchAttributes([named(uuid)]);
  // A repeated request may resolve to another license by now; the reservation's stays.
  const creation = { ...asked, licenseId, carrier };

  const orderExisted = reservation.orderExisted === true;
  const toBook = { creation, shipment, ...(orderExisted ? { order } : {}) };
  const asking = { desk, details };
  const outcome = await bookParcel(toBook, asking);
  const booking = outcome.kind === 'booked' ? outcome : await unlessRecorded(toBook, outcome);
  if (booking.kind === 'refused') {
    upsertSearchAttributes([named(uuid), state('refused')]);
    desk.answer('refused');
    details.refused(uuid, booking.text, booking.type === CREATE_FAILURES.carrierRejected);
    if (!allHandlersFinished()) await condition(allHandlersFinished);
    throw failure(creation, booking);
  }

  const { answer } = booking;
  const { trackingCode } = booking.parcel;
  // A booking that could not record the parcel did not store the order either.
  if (orderExisted && booking.orderKept !== true) {
    await records.keepOrder.executeWithOptions({ summary: "write the order's new snapshot" }, [
      { uuid, order },
    ]);
  }
  showBooked(uuid, trackingCode);
  details.booked(uuid, trackingCode, booking.adopted === true);
  desk.answer(`created with tracking code ${trackingCode}`);
  if (!allHandlersFinished()) await condition(allHandlersFinished);
  return { ...answer, replayed: false, requestId };
}

function showBooked(uuid: string, trackingCode: string): void {
  upsertSearchAttributes([
    named(uuid),
    { key: SEARCH_ATTRIBUTES.trackingCode, value: trackingCode },
    state('booked'),
  ]);
}

/** Ends a creation for which nobody is called: with the parcel, its key's first answer, or a failure. */
function withoutBooking(
  creation: Creation,
  reservation: Exclude<Reservation, { kind: 'reserved' }>,
  details: CreationDetails,
): CreateShipmentResult {
  if (reservation.kind === 'finished') {
    const { shipmentUuid } = reservation.answer;
    upsertSearchAttributes([named(shipmentUuid), state('booked')]);
    details.replayed(shipmentUuid);
    return { ...reservation.answer, replayed: true, requestId: creation.requestId };
  }
  if (reservation.kind === 'issued') {
    const { answer, parcel } = reservation;
    showBooked(answer.shipmentUuid, parcel.trackingCode);
    details.booked(answer.shipmentUuid, parcel.trackingCode, false);
    return { ...answer, replayed: false, requestId: creation.requestId };
  }
  upsertSearchAttributes([named(null), state('refused')]);
  const reason = whyNothing(reservation);
  details.notBegun(reason.text);
  throw failure(creation, reason);
}

function whyNothing(reservation: Exclude<Reservation, { kind: 'reserved' | 'issued' | 'finished' }>): {
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

/** The unknown outcome of a run that was ended from outside. */
const ENDED = {
  kind: 'unknown',
  attempt: 0,
  text: 'The creation was ended from outside after something was sent to the carrier.',
} as const satisfies BookResult;

type ToBook = Omit<BookInput, 'released'>;

/** Books until the outcome is known and recorded. An operator decides where the carrier cannot tell. */
async function bookParcel(toBook: ToBook, asking: Asking): Promise<Booked | Refused> {
  const { desk, details } = asking;
  let released = 0;
  let isAsked = toBook.creation.askFirst === true;
  for (;;) {
    const outcome = isAsked ? ENDED : await callBook({ ...toBook, released }, details);
    isAsked = false;
    switch (outcome.kind) {
      case 'accepted':
        // Here, since an async function in the way of every creation costs the worker stack traces.
        if (outcome.answer !== undefined) return { ...outcome, kind: 'booked', answer: outcome.answer };
        break;
      case 'rejected':
        return { kind: 'refused', type: CREATE_FAILURES.carrierRejected, text: outcome.text };
      case 'invalid':
        return {
          kind: 'refused',
          type: CREATE_FAILURES.invalidShipment,
          text: Object.values(outcome.fields)
            .flat()
            .map(({ text }) => text)
            .join(' '),
          fields: outcome.fields,
        };
    }
    const known = outcome.kind === 'accepted' ? await record(toBook, outcome) : { question: outcome.text };
    if (!('question' in known)) return known;
    desk.answer(STILL_UNKNOWN);
    const decided = await settle(toBook, asking, { attempt: outcome.attempt, reason: known.question });
    if (decided.kind !== 'released') return decided;
    released = decided.attempt;
    upsertSearchAttributes([state(null)]);
  }
}

/** Resolves an unknown outcome by a person or a late answer. */
async function settle(
  toBook: ToBook,
  asking: Asking,
  { attempt, reason }: { attempt: number; reason: string },
): Promise<Booked | Refused | { kind: 'released'; attempt: number }> {
  const { uuid } = toBook.shipment;
  for (;;) {
    const decision = (await findRecorded(uuid)) ?? (await askOperator(asking, uuid, reason));
    if (decision.action === 'retry') return { kind: 'released', attempt: decision.attempt };
    if (decision.action === 'give_up') {
      return { kind: 'refused', type: CREATE_FAILURES.givenUp, text: decision.reason };
    }
    const parcel = parcelOfCode(decision.trackingCode);
    const isAdopted = decision.action === 'adopt';
    const known = await record(toBook, { parcel, attempt }, isAdopted && decision.evenSo === true);
    if (!('question' in known)) return isAdopted ? { ...known, adopted: true } : known;
    asking.desk.refuse(known.question);
  }
}

/** Records a parcel that its booking did not record. */
async function record(
  { creation, shipment }: ToBook,
  accepted: Accepted,
  evenSo = false,
): Promise<Booked | CodeQuestion> {
  const { parcel, attempt, at } = accepted;
  const recorded = await records.record.executeWithOptions({ summary: `record ${parcel.trackingCode}` }, [
    {
      creation,
      shipment,
      parcel,
      attempt,
      ...(at === undefined ? {} : { at }),
      ...(evenSo ? { evenSo } : {}),
    },
  ]);
  return 'question' in recorded ? recorded : { ...accepted, kind: 'booked', answer: recorded };
}

/** Frees the key of a refused booking, unless a late try has recorded its parcel meanwhile. */
async function unlessRecorded(toBook: ToBook, booking: Refused): Promise<Booked | Refused> {
  const { uuid } = toBook.shipment;
  const trackingCode = await records.release.executeWithOptions({ summary: 'free the key' }, [
    { uuid, reason: booking.text, code: REFUSALS[booking.type] },
  ]);
  if (trackingCode === null) return booking;
  const known = await record(toBook, { parcel: parcelOfCode(trackingCode), attempt: 0 });
  return 'question' in known ? booking : known;
}

/** Not async: each promise in a workflow costs the worker a stack trace. */
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
  { type, text, fields }: { type: FailureType; text: string; fields?: FieldErrors },
): ApplicationFailure {
  const { fingerprint } = creation.idempotency;
  const details = { fingerprint, ...(fields === undefined ? {} : { fields }) };
  return ApplicationFailure.nonRetryable(text, type, details);
}
