import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  isCancellation,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { BookInput, BookResult } from '../src/contracts/carrier-calls.js';
import { SEARCH_ATTRIBUTES } from '../src/contracts/search-attributes.js';
import {
  CREATE_FAILURES,
  type CreateFailureDetails,
  type CreateShipmentInput,
  type CreateShipmentResult,
  type ReservedShipment,
} from '../src/contracts/shipments.js';
import { parcelOfCode } from '../src/domain/shipment.js';
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
export async function createShipment(input: CreateShipmentInput): Promise<CreateShipmentResult> {
  const desk = openDecisionDesk();

  const reservation = await records.reserve.executeWithOptions(
    { summary: 'take the key, write order and shipment' },
    [input],
  );
  if (reservation.kind === 'finished') return { ...reservation.answer, replayed: true };
  if (reservation.kind === 'key_conflict') {
    throw failure(input, CREATE_FAILURES.keyConflict, 'The idempotency key was used with another body.');
  }
  if (reservation.kind === 'duplicate_order') {
    throw failure(input, CREATE_FAILURES.duplicateOrder, 'The order already has an active shipment.');
  }
  const { shipment } = reservation;

  const booking = await bookParcel(input, shipment, desk);
  if (booking.kind === 'refused') {
    await records.release.executeWithOptions({ summary: 'free the key' }, [
      { uuid: shipment.uuid, reason: booking.text },
    ]);
    upsertSearchAttributes([
      { key: SEARCH_ATTRIBUTES.shipmentId, value: shipment.uuid },
      { key: SEARCH_ATTRIBUTES.shipmentStatus, value: 'refused' },
    ]);
    desk.answer('refused');
    if (!allHandlersFinished()) await condition(allHandlersFinished);
    throw failure(input, booking.type, booking.text, booking.fields);
  }

  const answer =
    booking.answer ??
    (await records.record.executeWithOptions({ summary: `record ${booking.parcel.trackingCode}` }, [
      { input, shipment, parcel: booking.parcel, attempt: booking.attempt },
    ]));
  upsertSearchAttributes([
    { key: SEARCH_ATTRIBUTES.shipmentId, value: shipment.uuid },
    { key: SEARCH_ATTRIBUTES.trackingCode, value: booking.parcel.trackingCode },
    { key: SEARCH_ATTRIBUTES.shipmentStatus, value: 'created' },
  ]);
  desk.answer(`created with tracking code ${booking.parcel.trackingCode}`);
  if (!allHandlersFinished()) await condition(allHandlersFinished);
  return { ...answer, replayed: false };
}

/** Books until the outcome is known; an operator decides where neither we nor the carrier can. */
async function bookParcel(
  input: CreateShipmentInput,
  shipment: ReservedShipment,
  desk: ReturnType<typeof openDecisionDesk>,
): Promise<Accepted | Refused> {
  let resend = false;
  for (;;) {
    const outcome = await callBook(input, shipment, resend);
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
  }
}

/** No async function: each promise in a workflow costs the worker a stack trace. */
function callBook(
  input: CreateShipmentInput,
  shipment: ReservedShipment,
  resend: boolean,
): Promise<BookResult> {
  return bookingAt(input.provider)
    .book.executeWithOptions({ summary: `${input.provider}, order ${input.order.orderId}`.slice(0, 200) }, [
      {
        provider: input.provider,
        licenseId: input.licenseId,
        shipmentUuid: shipment.uuid,
        orderNumber: input.details.carrierOrderNumber ?? input.order.number,
        details: input.details,
        resend,
        record: { creation: factsOf(input), shipment },
      },
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

/** The rest of an order may be large, and no later step shows it. */
function factsOf(input: CreateShipmentInput): NonNullable<BookInput['record']>['creation'] {
  const { accountId, licenseId, carrierId, carrierName, provider, idempotency } = input;
  const { orderId, number, externalId } = input.order;
  return {
    accountId,
    licenseId,
    carrierId,
    carrierName,
    provider,
    idempotency,
    order: { orderId, number, externalId },
  };
}

async function askOperator(shipmentUuid: string, reason: string): Promise<void> {
  await records.flagNeedsAttention.executeWithOptions({ summary: 'show needs_attention' }, [
    { uuid: shipmentUuid, reason },
  ]);
  upsertSearchAttributes([
    { key: SEARCH_ATTRIBUTES.shipmentId, value: shipmentUuid },
    { key: SEARCH_ATTRIBUTES.shipmentStatus, value: 'needs_attention' },
  ]);
  setCurrentDetails(
    [
      '### Waits for a decision',
      reason,
      `Look in the carrier's own system for the reference \`${shipmentUuid}\`, then send the Update \`${resolveBooking.name}\`, or run \`admin resolve ${shipmentUuid}\` with the option named here.`,
      'The parcel is there (`--adopt`):',
      '`{"action":"adopt","trackingCode":"…"}`',
      'It is certainly not there (`--retry`):',
      '`{"action":"retry"}`',
      'The shipment is not wanted any more (`--give-up`):',
      '`{"action":"give_up","reason":"…"}`',
    ].join('\n\n'),
  );
}

function failure(
  input: CreateShipmentInput,
  type: FailureType,
  message: string,
  fields?: Record<string, string[]>,
): ApplicationFailure {
  const details: CreateFailureDetails = {
    fingerprint: input.idempotency.fingerprint,
    ...(fields === undefined ? {} : { fields }),
  };
  return ApplicationFailure.nonRetryable(message, type, details);
}
