import type { BookedParcel } from '../../domain/shipment.js';
import { nowIso } from '../../lib/time.js';
import { checkedWith } from '../booking-problems.js';
import type {
  BookingRequest,
  CallContext,
  CarrierAdapter,
  LabelContext,
  Outcome,
  ParcelRef,
  PickupPoint,
} from '../contract.js';
import { fetchLabelFile, pdfOf } from '../label-file.js';
import { accepted, mapAccepted } from '../outcomes.js';
import { type CarrierEvent, isBeforeCollection, isoOf, statusOfOne } from '../readings.js';
import { callApi } from './client.js';
import { cargoSettings, readConfig } from './config.js';
import { checkShipment, customerCodeOf, labelCall, parcelBody, shipmentBody } from './mapping.js';
import {
  CANCELLED,
  readBooking,
  readCancellation,
  readLabel,
  readPoints,
  readPosted,
  readStatus,
} from './replies.js';

function book(request: BookingRequest, context: CallContext): Promise<Outcome<BookedParcel>> {
  const { collectFrom } = context.account;
  return callApi(
    context,
    (config) => ({ method: 'POST', path: 'create', body: shipmentBody(request, config, collectFrom) }),
    (reply, { settings }) => readBooking(reply, customerCodeOf(request.shipment, settings)),
  );
}

function readParcel(parcel: ParcelRef, context: CallContext): Promise<Outcome<CarrierEvent | null>> {
  const askedAt = nowIso();
  return callApi(
    context,
    (config) => ({ method: 'POST', path: 'get-status', body: parcelBody(parcel, config) }),
    (reply, { statuses }) => readStatus(reply, parcel, statuses, askedAt),
  );
}

/** A refusal because the parcel is already cancelled counts as success: the reply of an earlier try was lost. */
async function cancel(parcel: ParcelRef, context: CallContext): Promise<Outcome<{ text: string }>> {
  const outcome = await callApi(
    context,
    (config) => ({
      method: 'PUT',
      path: 'update-status',
      body: { ...parcelBody(parcel, config), status_code: CANCELLED },
    }),
    readCancellation,
  );
  if (outcome.kind !== 'rejected') return outcome;
  const now = await readParcel(parcel, context);
  const isCancelled = now.kind === 'accepted' && now.value?.carrierCode === String(CANCELLED);
  return isCancelled ? accepted({ text: outcome.text }) : outcome;
}

function label(parcel: ParcelRef, context: LabelContext): Promise<Outcome<Uint8Array>> {
  return callApi(
    context,
    (config) => ({ method: 'POST', ...labelCall(parcel, config) }),
    async (reply, { settings, timeoutMs }) => {
      const found = readLabel(reply);
      if (found.kind !== 'accepted') return found;
      const { address, bytes } = found.value;
      if (address === null) return pdfOf(bytes);
      const { signal, elsewhere } = context;
      return fetchLabelFile(address, settings.base_url, { timeoutMs, signal, elsewhere });
    },
  );
}

function pickupPoints(context: CallContext): Promise<Outcome<PickupPoint[]>> {
  return callApi(context, { method: 'GET', path: 'get-pickup-points' }, readPoints);
}

/** Cargo's box points and express deliveries, by its second API. */
export const cargo: CarrierAdapter = {
  provider: 'cargo',
  displayName: 'Cargo',
  duplicates: 'none',
  limits: { requestsPerSecond: 10, concurrency: 10, settleMs: 0 },
  configSchema: cargoSettings,
  canCancel: isBeforeCollection,
  checkBooking: checkedWith(readConfig, (request, config) => checkShipment(request, config, new Date())),
  book,
  adoptedReference(shipment, account) {
    const config = readConfig(account);
    return config === null ? null : String(customerCodeOf(shipment, config.settings));
  },
  cancel,
  status: statusOfOne(async (parcel, context) =>
    mapAccepted(await readParcel(parcel, context), (event) => (event === null ? null : [event])),
  ),
  label,
  pickupPoints,
  webhook: {
    read({ headers, body, nowMs }, account) {
      const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
      return readPosted(body, isForm, readConfig(account)?.statuses ?? new Map(), isoOf(nowMs));
    },
  },
};
