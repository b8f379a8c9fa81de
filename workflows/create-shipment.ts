import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  isCancellation,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import {
  type BookResult,
  CREATE_FAILURES,
  type CreateFailureDetails,
  type CreateShipmentResult,
  type Creation,
  type Reservation,
} from '../src/contracts/create-shipment.js';
import { SEARCH_ATTRIBUTES } from '../src/contracts/search-attributes.js';
import {
  duplicateOrderMessage,
  type OrderSnapshot,
  parcelOfCode,
  type ShipmentRecord,
} from '../src/domain/shipment.js';
import { openDecisionDesk, resolveBooking } from './lib/decision-desk.js';
import { bookingAt, records } from './lib/proxies.js';

export { resolveBooking };

type Accepted = Extract<BookResult, { kind: 'accepted' }>;
type Refused = { kind: 'refused'; type: FailureType; text: string; fields?: Record<string, string[]> };
type FailureType = (typeof CREATE_FAILURES)[keyof typeof CREATE_FAILURES];

/**
 * Creates one shipment: reserve its key and rows in MySQL, book the parcel with the carrier, record it.
 * A refusal ends the run as a failure of one of the types in `CREATE_FAILURES`, and frees the key.
 */
export async function createShipment(
  creation: Creation,
  order: OrderSnapshot,
): Promise<CreateShipmentResult> {
  const desk = openDecisionDesk();
  const { requestId } = creation;

  const reservation = await records.reserve.executeWithOptions(
    { summary: 'take the key, write order and shipment' },
    [creation, order],
  );
  if (reservation.kind !== 'reserved') return withoutBooking(creation, reservation);
  const { shipment } = reservation;
  setCurrentDetails(`Booking with ${creation.carrier.name}. ${storyOf(shipment.uuid)}`);

  const booking = await bookParcel(creation, shipment, desk);
  if (booking.kind === 'refused') {
    await records.release.executeWithOptions({ summary: 'free the key' }, [
      { uuid: shipment.uuid, reason: booking.text },
    ]);
    upsertSearchAttributes([
      { key: SEARCH_ATTRIBUTES.shipmentId, value: shipment.uuid },
      { key: SEARCH_ATTRIBUTES.shipmentStatus, value: 'refused' },
    ]);
    desk.answer('refused');
    setCurrentDetails(refusalOf(creation, booking, shipment));
    if (!allHandlersFinished()) await condition(allHandlersFinished);
    throw failure(creation, booking.type, booking.text, booking.fields);
  }

  const answer =
    booking.answer ??
    (await records.record.executeWithOptions({ summary: `record ${booking.parcel.trackingCode}` }, [
      { creation, shipment, parcel: booking.parcel, attempt: booking.attempt },
    ]));
  if (reservation.orderKnown === true) {
    await records.keepOrder.executeWithOptions({ summary: "write the order's new snapshot" }, [
      { rowId: shipment.order.rowId, order },
    ]);
  }
  upsertSearchAttributes([
    { key: SEARCH_ATTRIBUTES.shipmentId, value: shipment.uuid },
    { key: SEARCH_ATTRIBUTES.trackingCode, value: booking.parcel.trackingCode },
    { key: SEARCH_ATTRIBUTES.shipmentStatus, value: 'created' },
  ]);
  const { name } = creation.carrier;
  setCurrentDetails(`Booked with ${name}: ${booking.parcel.trackingCode}. ${storyOf(shipment.uuid)}`);
  desk.answer(`created with tracking code ${booking.parcel.trackingCode}`);
  if (!allHandlersFinished()) await condition(allHandlersFinished);
  return { ...answer, replayed: false, requestId };
}

/** Ends a creation for which nothing was reserved: with the first answer of its key, or as a failure. */
function withoutBooking(
  creation: Creation,
  reservation: Exclude<Reservation, { kind: 'reserved' }>,
): CreateShipmentResult {
  if (reservation.kind === 'finished') {
    setCurrentDetails(`Answered as before. ${storyOf(reservation.answer.shipmentUuid)}`);
    return { ...reservation.answer, replayed: true, requestId: creation.requestId };
  }
  const [type, message] =
    reservation.kind === 'key_conflict'
      ? ([CREATE_FAILURES.keyConflict, 'The idempotency key was used with another body.'] as const)
      : ([CREATE_FAILURES.duplicateOrder, duplicateOrderMessage(reservation.shipmentUuid)] as const);
  setCurrentDetails(`Nothing is booked, the carrier was not asked: ${message}`);
  throw failure(creation, type, message);
}

/** Stands for what the carrier was told before the run was ended. */
const ENDED = {
  kind: 'unknown',
  attempt: 0,
  text: 'The creation was ended from outside after something was sent to the carrier.',
} as const satisfies BookResult;

/** Books until the outcome is known; an operator decides where neither we nor the carrier can. */
async function bookParcel(
  creation: Creation,
  shipment: ShipmentRecord,
  desk: ReturnType<typeof openDecisionDesk>,
): Promise<Accepted | Refused> {
  let resend = false;
  let isAsked = creation.askFirst === true;
  for (;;) {
    const outcome = isAsked ? ENDED : await callBook(creation, shipment, resend);
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
          text: 'The carrier cannot take this shipment.',
          fields: outcome.fields,
        };
    }
    desk.answer('still unknown');
    await askOperator(shipment.uuid, outcome.text);
    const decision = await desk.next();
    if (decision.action === 'adopt') {
      return { kind: 'accepted', attempt: outcome.attempt, parcel: parcelOfCode(decision.trackingCode) };
    }
    if (decision.action === 'give_up') {
      return { kind: 'refused', type: CREATE_FAILURES.givenUp, text: decision.reason };
    }
    resend = true;
    setCurrentDetails(`Booking again with ${creation.carrier.name}. ${storyOf(shipment.uuid)}`);
  }
}

/** No async function: each promise in a workflow costs the worker a stack trace. */
function callBook(creation: Creation, shipment: ShipmentRecord, resend: boolean): Promise<BookResult> {
  const { provider } = creation.carrier;
  return bookingAt(provider)
    .book.executeWithOptions({ summary: `${provider}, order ${creation.order.id}`.slice(0, 200) }, [
      { creation, shipment, resend },
    ])
    .catch((error: unknown) => {
      if (isCancellation(error)) throw error;
      return {
        kind: 'unknown',
        attempt: 0,
        text: 'The carrier could not be asked for a day; see the activity.',
      };
    });
}

async function askOperator(shipmentUuid: string, reason: string): Promise<void> {
  await records.flagNeedsAttention.executeWithOptions({ summary: 'show needs_attention' }, [
    { uuid: shipmentUuid, reason },
  ]);
  upsertSearchAttributes([
    { key: SEARCH_ATTRIBUTES.shipmentId, value: shipmentUuid },
    { key: SEARCH_ATTRIBUTES.shipmentStatus, value: 'needs_attention' },
  ]);
  // Lists and short lines: the UI cuts at 363 px, strips what looks like a tag, and knows tables since 2026 only.
  setCurrentDetails(
    [
      `**Waits for a decision.** ${oneLine(reason)}`,
      '',
      `Look in the carrier's own system for \`${shipmentUuid}\`; \`admin show ${shipmentUuid}\` tells what was sent. Then \`admin resolve ${shipmentUuid}\` with an option, or the Update \`${resolveBooking.name}\`:`,
      '',
      '- The parcel is there: `--adopt CODE`, or `{"action":"adopt","trackingCode":"CODE"}`',
      '- It is certainly not there: `--retry`, or `{"action":"retry"}`',
      '- It is not wanted any more: `--give-up REASON`, or `{"action":"give_up","reason":"REASON"}`',
    ].join('\n'),
  );
}

function refusalOf({ carrier }: Creation, { type, text }: Refused, shipment: ShipmentRecord): string {
  const who = type === CREATE_FAILURES.carrierRejected ? `Refused by ${carrier.name}` : 'Nothing is booked';
  return `${who}: ${oneLine(text)}\n\nThe key is free again. ${storyOf(shipment.uuid)}`;
}

function storyOf(uuid: string): string {
  return `\`admin show ${uuid}\` tells more.`;
}

/** A carrier's words, short enough to leave the rest in sight. */
function oneLine(words: string): string {
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, 300);
}

function failure(
  creation: Creation,
  type: FailureType,
  message: string,
  fields?: Record<string, string[]>,
): ApplicationFailure {
  const details: CreateFailureDetails = {
    fingerprint: creation.idempotency.fingerprint,
    ...(fields === undefined ? {} : { fields }),
  };
  return ApplicationFailure.nonRetryable(message, type, details);
}
