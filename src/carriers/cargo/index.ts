import type { BookedParcel } from '../../domain/shipment.js';
import { isFinal, isInHand } from '../../domain/statuses.js';
import type {
  BookingRequest,
  CallContext,
  CarrierAdapter,
  CarrierStatus,
  Outcome,
  ParcelRef,
  PickupPoint,
} from '../contract.js';
import type { HttpCall, HttpReply } from '../http.js';
import { fetchLabelFile, pdfOf } from '../label-file.js';
import { INVALID_SETTINGS } from '../settings.js';
import { callApi } from './client.js';
import { type CargoConfig, cargoSettings, readConfig } from './config.js';
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

interface ApiCall {
  method: HttpCall['method'];
  path: string;
  body?: object;
}

/** Calls the API and reads its reply; whatever kept the reply away is returned as it is. */
async function call<T>(
  { account, signal }: CallContext,
  apiOf: (config: CargoConfig) => ApiCall,
  read: (reply: HttpReply, config: CargoConfig) => Outcome<T> | Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const config = readConfig(account);
  if (config === null) return INVALID_SETTINGS;
  const { method, path, body } = apiOf(config);
  const reply = await callApi(method, path, body, config, signal);
  return reply.kind === 'accepted' ? read(reply.value, config) : reply;
}

const isoOf = (ms: number) => new Date(ms).toISOString().replace('Z', '000Z');

function book(request: BookingRequest, context: CallContext): Promise<Outcome<BookedParcel>> {
  const { collectFrom } = context.account;
  return call(
    context,
    (config) => ({ method: 'POST', path: 'create', body: shipmentBody(request, config, collectFrom) }),
    (reply, { settings }) => readBooking(reply, customerCodeOf(request.shipment, settings)),
  );
}

function readParcel(parcel: ParcelRef, context: CallContext): Promise<Outcome<Event | null>> {
  return call(
    context,
    (config) => ({ method: 'POST', path: 'get-status', body: parcelBody(parcel, config) }),
    (reply, { statuses }) => readStatus(reply, parcel, statuses, isoOf(Date.now())),
  );
}

type Event = CarrierStatus['events'][number];

/** A refusal of a parcel that is cancelled already (our earlier try, its reply lost) counts as success. */
async function cancel(parcel: ParcelRef, context: CallContext): Promise<Outcome<{ text: string }>> {
  const outcome = await call(
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
  return isCancelled ? { kind: 'accepted', value: { text: outcome.text } } : outcome;
}

async function fetchStatus(
  parcels: readonly ParcelRef[],
  context: CallContext,
): Promise<Outcome<CarrierStatus[]>> {
  const known: CarrierStatus[] = [];
  for (const parcel of parcels) {
    const found = await readParcel(parcel, context);
    if (found.kind !== 'accepted') return found;
    if (found.value !== null) known.push({ trackingCode: parcel.trackingCode, events: [found.value] });
  }
  return { kind: 'accepted', value: known };
}

function label(parcel: ParcelRef, context: CallContext): Promise<Outcome<Uint8Array>> {
  return call(
    context,
    (config) => ({ method: 'POST', ...labelCall(parcel, config) }),
    async (reply, { settings, timeoutMs }) => {
      const found = readLabel(reply);
      if (found.kind !== 'accepted') return found;
      const { address, bytes } = found.value;
      if (address === null) return pdfOf(bytes);
      return fetchLabelFile(address, settings.base_url, { timeoutMs, signal: context.signal });
    },
  );
}

function pickupPoints(context: CallContext): Promise<Outcome<PickupPoint[]>> {
  return call(context, () => ({ method: 'GET', path: 'get-pickup-points' }), readPoints);
}

/** Box points and express deliveries of Cargo, by its second API. */
export const cargo: CarrierAdapter = {
  provider: 'cargo',
  displayName: 'Cargo',
  duplicates: 'none',
  limits: { requestsPerSecond: 10, concurrency: 10, settleMs: 0 },
  fieldLimits: [],
  configSchema: cargoSettings,
  canCancel: (status) => !isFinal(status) && !isInHand(status),
  checkBooking(request, account) {
    const config = readConfig(account);
    return config === null ? {} : checkShipment(request, config);
  },
  book,
  cancel,
  status: { maxBulk: 1, fetch: fetchStatus },
  label,
  pickupPoints,
  webhook: {
    read({ headers, body, nowMs }, account) {
      const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
      return readPosted(body, isForm, readConfig(account)?.statuses ?? new Map(), isoOf(nowMs));
    },
  },
};
