import { doorNote } from '../../src/carriers/addresses.js';
import { checkedWith } from '../../src/carriers/booking-problems.js';
import type {
  BookingRequest,
  CallContext,
  CarrierAdapter,
  Outcome,
  ParcelRef,
} from '../../src/carriers/contract.js';
import { accepted, mapAccepted } from '../../src/carriers/outcomes.js';
import { isBeforeCollection, statusOfOne } from '../../src/carriers/readings.js';
import type { BookedParcel } from '../../src/domain/shipment.js';
import { callApi } from './client.js';
import { acmeSettings, readConfig } from './config.js';
import {
  checkShipment,
  type Parcel,
  parcelBody,
  readBooking,
  readCancellation,
  readFound,
  readParcel,
} from './mapping.js';

function book(request: BookingRequest, context: CallContext): Promise<Outcome<BookedParcel>> {
  const body = parcelBody(request, context.account.collectFrom);
  return callApi(context, { method: 'POST', path: 'parcels', body }, readBooking);
}

function findByReference(reference: string, context: CallContext): Promise<Outcome<BookedParcel | null>> {
  const path = `parcels?reference=${encodeURIComponent(reference)}`;
  return callApi(context, { method: 'GET', path }, (reply) => readFound(reply, reference));
}

function pathOf({ trackingCode }: ParcelRef): string {
  return `parcels/${encodeURIComponent(trackingCode)}`;
}

function fetchParcel(parcel: ParcelRef, context: CallContext): Promise<Outcome<Parcel | null>> {
  return callApi(context, { method: 'GET', path: pathOf(parcel) }, (reply, { statuses }) =>
    readParcel(reply, statuses),
  );
}

/** A refusal because the parcel is already cancelled counts as success: the reply of an earlier try was lost. */
async function cancel(parcel: ParcelRef, context: CallContext): Promise<Outcome<{ text: string }>> {
  const path = `${pathOf(parcel)}/cancel`;
  const outcome = await callApi(context, { method: 'POST', path, body: {} }, readCancellation);
  if (outcome.kind !== 'rejected') return outcome;
  const now = await fetchParcel(parcel, context);
  const isCancelled = now.kind === 'accepted' && now.value?.isCancelled === true;
  return isCancelled ? accepted({ text: outcome.text }) : outcome;
}

/** Acme. `contract.ts` has further operations that the real carrier may offer: labels, points, webhooks … */
export const acme: CarrierAdapter = {
  provider: 'acme',
  displayName: 'Acme',
  // How the carrier treats a repeated reference. If this is wrong, parcels are booked twice.
  duplicates: 'rejects',
  limits: { requestsPerSecond: 5, concurrency: 5, settleMs: 60_000 },
  configSchema: acmeSettings,
  canCancel: isBeforeCollection,
  cutsNote: ({ shipment }) => doorNote(shipment).isCut,
  checkBooking: checkedWith(readConfig, checkShipment),
  book,
  findByReference,
  cancel,
  status: statusOfOne(async (parcel, context) =>
    mapAccepted(await fetchParcel(parcel, context), (found) => found?.events ?? null),
  ),
};
