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
  StreetAddress,
} from '../contract.js';
import type { HttpCall, HttpReply } from '../http.js';
import { fetchLabelFile } from '../label-file.js';
import { INVALID_SETTINGS } from '../settings.js';
import { callApi } from './client.js';
import { type LionwheelConfig, lionwheelSettings, readConfig } from './config.js';
import { checkShipment, regionBody, taskBody } from './mapping.js';
import {
  readBooking,
  readPoints,
  readPosted,
  readRegion,
  readTask,
  readTasks,
  readUpdate,
  type Task,
} from './replies.js';

interface ApiCall<T> {
  method: HttpCall['method'];
  path: string;
  body?: (config: LionwheelConfig) => object;
  read: (reply: HttpReply, config: LionwheelConfig) => Outcome<T>;
}

/** Calls the API and reads its reply; whatever kept the reply away is returned as it is. */
async function call<T>({ account, signal }: CallContext, api: ApiCall<T>): Promise<Outcome<T>> {
  const config = readConfig(account);
  if (config === null) return INVALID_SETTINGS;
  const reply = await callApi(api.method, api.path, api.body?.(config), config, signal);
  return reply.kind === 'accepted' ? api.read(reply.value, config) : reply;
}

const nowIso = () => new Date().toISOString().replace('Z', '000Z');

function book(request: BookingRequest, context: CallContext): Promise<Outcome<BookedParcel>> {
  const body = (config: LionwheelConfig) => taskBody(request, config, context.account.collectFrom);
  return call(context, { method: 'POST', path: 'tasks/create', body, read: readBooking });
}

function lookUp(reference: string, context: CallContext): Promise<Outcome<Task | null>> {
  return call(context, {
    method: 'GET',
    path: `tasks/by_order_id/${encodeURIComponent(reference)}`,
    read: (reply, config) => readTasks(reply, reference, config.statuses, nowIso()),
  });
}

async function findByReference(
  reference: string,
  context: CallContext,
): Promise<Outcome<BookedParcel | null>> {
  const found = await lookUp(reference, context);
  return found.kind === 'accepted' ? { kind: 'accepted', value: found.value?.parcel ?? null } : found;
}

/** By the task's number; a parcel that was adopted by its code alone is found by our reference. */
function readParcel(parcel: ParcelRef, context: CallContext): Promise<Outcome<Task | null>> {
  if (parcel.carrierReference === null) return lookUp(parcel.reference, context);
  return call(context, {
    method: 'GET',
    path: `tasks/show/${encodeURIComponent(parcel.carrierReference)}`,
    read: (reply, config) => readTask(reply, config.statuses, nowIso()),
  });
}

/** The task itself decides where the answer does not: it may be cancelled already, by our earlier try. */
async function cancel(parcel: ParcelRef, context: CallContext): Promise<Outcome<{ text: string }>> {
  let id = parcel.carrierReference;
  if (id === null) {
    const found = await lookUp(parcel.reference, context);
    if (found.kind !== 'accepted') return found;
    id = found.value?.parcel.carrierReference ?? null;
  }
  if (id === null) return { kind: 'rejected', code: 'not_found', text: 'The carrier has no such task.' };
  const outcome = await call(context, {
    method: 'PUT',
    path: `tasks/${encodeURIComponent(id)}/update`,
    body: () => ({ status: 'CANCELED' }),
    read: readUpdate,
  });
  if (outcome.kind === 'accepted' || outcome.kind === 'throttled' || outcome.kind === 'unavailable') {
    return outcome;
  }
  const now = await readParcel({ ...parcel, carrierReference: id }, context);
  if (now.kind !== 'accepted') return outcome;
  if (now.value?.isCancelled === true) return { kind: 'accepted', value: { text: 'Cancelled' } };
  // The key opens the task, so that the refusal was about its state.
  return outcome.kind === 'unauthorized'
    ? { kind: 'rejected', code: 'http_403', text: outcome.text }
    : outcome;
}

async function fetchStatus(
  parcels: readonly ParcelRef[],
  context: CallContext,
): Promise<Outcome<CarrierStatus[]>> {
  const known: CarrierStatus[] = [];
  for (const parcel of parcels) {
    const found = await readParcel(parcel, context);
    if (found.kind !== 'accepted') return found;
    if (found.value !== null) known.push({ trackingCode: parcel.trackingCode, events: [found.value.event] });
  }
  return { kind: 'accepted', value: known };
}

async function label(parcel: ParcelRef, context: CallContext): Promise<Outcome<Uint8Array>> {
  const config = readConfig(context.account);
  if (config === null) return INVALID_SETTINGS;
  const found = await readParcel(parcel, context);
  if (found.kind !== 'accepted') return found;
  if (found.value === null || found.value.label === '') {
    return { kind: 'rejected', code: 'no_label', text: 'The carrier has no label of this task.' };
  }
  const limits = { timeoutMs: config.timeoutMs, signal: context.signal };
  return fetchLabelFile(found.value.label, config.settings.base_url, limits);
}

function pickupPoints(context: CallContext): Promise<Outcome<PickupPoint[]>> {
  return call(context, { method: 'GET', path: 'self_pickup_points', read: readPoints });
}

function expressEnabled(to: StreetAddress, context: CallContext): Promise<Outcome<{ enabled: boolean }>> {
  const body = () => regionBody(to);
  return call(context, { method: 'POST', path: 'tasks/check_region', body, read: readRegion });
}

async function expressStatus(
  parcel: ParcelRef,
  context: CallContext,
): Promise<Outcome<{ carrierCode: string; description: string } | null>> {
  const found = await readParcel(parcel, context);
  if (found.kind !== 'accepted' || found.value === null) return found.kind === 'accepted' ? NONE : found;
  const { carrierCode, carrierDescription } = found.value.event;
  return { kind: 'accepted', value: { carrierCode, description: carrierDescription } };
}

const NONE = { kind: 'accepted', value: null } as const;

/** The express 24-hour carrier, on the platform of LionWheel. */
export const lionwheel: CarrierAdapter = {
  provider: 'lionwheel',
  displayName: 'LionWheel',
  duplicates: 'rejects',
  limits: { requestsPerSecond: 10, concurrency: 10, settleMs: 0 },
  fieldLimits: [],
  configSchema: lionwheelSettings,
  canCancel: (status) => !isFinal(status) && !isInHand(status),
  checkBooking(request, account) {
    const config = readConfig(account);
    return config === null ? {} : checkShipment(request, config, account.collectFrom);
  },
  book,
  findByReference,
  cancel,
  status: { maxBulk: 1, fetch: fetchStatus },
  label,
  pickupPoints,
  expressEnabled,
  expressStatus,
  webhook: {
    read({ body, nowMs }, account) {
      const at = new Date(nowMs).toISOString().replace('Z', '000Z');
      return readPosted(body, readConfig(account)?.statuses ?? new Map(), at);
    },
  },
};
