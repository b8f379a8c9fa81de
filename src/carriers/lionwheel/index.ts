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
  StreetAddress,
} from '../contract.js';
import { fetchLabelFile } from '../label-file.js';
import { accepted, isAnswer, mapAccepted } from '../outcomes.js';
import { isBeforeCollection, isoOf, statusOfOne } from '../readings.js';
import { INVALID_SETTINGS } from '../settings.js';
import { callApi } from './client.js';
import { lionwheelSettings, readConfig } from './config.js';
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

function book(request: BookingRequest, context: CallContext): Promise<Outcome<BookedParcel>> {
  const { collectFrom } = context.account;
  return callApi(
    context,
    (config) => ({ method: 'POST', path: 'tasks/create', body: taskBody(request, config, collectFrom) }),
    readBooking,
  );
}

function lookUp(reference: string, context: CallContext): Promise<Outcome<Task | null>> {
  const path = `tasks/by_order_id/${encodeURIComponent(reference)}`;
  const askedAt = nowIso();
  return callApi(context, { method: 'GET', path }, (reply, { statuses }) =>
    readTasks(reply, reference, statuses, askedAt),
  );
}

async function findByReference(
  reference: string,
  context: CallContext,
): Promise<Outcome<BookedParcel | null>> {
  return mapAccepted(await lookUp(reference, context), (task) => task?.parcel ?? null);
}

/** Reads a parcel by its task's number. A parcel that was adopted by code only is found by our reference. */
function readParcel(parcel: ParcelRef, context: CallContext): Promise<Outcome<Task | null>> {
  if (parcel.carrierReference === null) return lookUp(parcel.reference, context);
  const path = `tasks/show/${encodeURIComponent(parcel.carrierReference)}`;
  const askedAt = nowIso();
  return callApi(context, { method: 'GET', path }, (reply, { statuses }) =>
    readTask(reply, statuses, askedAt),
  );
}

/** Reads the task where the answer is unclear: an earlier try may have cancelled it. */
async function cancel(parcel: ParcelRef, context: CallContext): Promise<Outcome<{ text: string }>> {
  let id = parcel.carrierReference;
  if (id === null) {
    const found = await lookUp(parcel.reference, context);
    if (found.kind !== 'accepted') return found;
    id = found.value?.parcel.carrierReference ?? null;
  }
  if (id === null) return { kind: 'rejected', code: 'not_found', text: 'The carrier has no such task.' };
  const path = `tasks/${encodeURIComponent(id)}/update`;
  const body = { status: 'CANCELED' };
  const outcome = await callApi(context, { method: 'PUT', path, body }, readUpdate);
  if (outcome.kind === 'accepted' || outcome.kind === 'throttled' || outcome.kind === 'unavailable') {
    return outcome;
  }
  const now = await readParcel({ ...parcel, carrierReference: id }, context);
  if (!isAnswer(now)) return now;
  if (now.kind !== 'accepted') return outcome;
  if (now.value?.isCancelled === true) return accepted({ text: 'Cancelled' });
  // The key can read the task, so the refusal was about the task's state.
  return outcome.kind === 'unauthorized'
    ? { kind: 'rejected', code: 'http_403', text: outcome.text }
    : outcome;
}

async function label(parcel: ParcelRef, context: LabelContext): Promise<Outcome<Uint8Array>> {
  const config = readConfig(context.account);
  if (config === null) return INVALID_SETTINGS;
  const found = await readParcel(parcel, context);
  if (found.kind !== 'accepted') return found;
  if (found.value === null || found.value.label === '') {
    return { kind: 'rejected', code: 'no_label', text: 'The carrier has no label of this task.' };
  }
  const { signal, elsewhere } = context;
  const call = { timeoutMs: config.timeoutMs, signal, elsewhere };
  return fetchLabelFile(found.value.label, config.settings.base_url, call);
}

function pickupPoints(context: CallContext): Promise<Outcome<PickupPoint[]>> {
  return callApi(context, { method: 'GET', path: 'self_pickup_points' }, readPoints);
}

function expressEnabled(to: StreetAddress, context: CallContext): Promise<Outcome<{ enabled: boolean }>> {
  const body = regionBody(to);
  return callApi(context, { method: 'POST', path: 'tasks/check_region', body }, readRegion);
}

async function expressStatus(
  parcel: ParcelRef,
  context: CallContext,
): Promise<Outcome<{ carrierCode: string; description: string } | null>> {
  return mapAccepted(await readParcel(parcel, context), (task) => {
    if (task === null) return null;
    return { carrierCode: task.event.carrierCode, description: task.event.carrierDescription };
  });
}

/** An express 24-hour carrier on the LionWheel platform. */
export const lionwheel: CarrierAdapter = {
  provider: 'lionwheel',
  displayName: 'LionWheel',
  duplicates: 'rejects',
  limits: { requestsPerSecond: 10, concurrency: 10, settleMs: 60_000 },
  configSchema: lionwheelSettings,
  canCancel: isBeforeCollection,
  checkBooking: checkedWith(readConfig, checkShipment),
  book,
  findByReference,
  cancel,
  status: statusOfOne(async (parcel, context) =>
    mapAccepted(await readParcel(parcel, context), (task) => (task === null ? null : [task.event])),
  ),
  label,
  pickupPoints,
  expressEnabled,
  expressStatus,
  webhook: {
    read: ({ body, nowMs }, account) =>
      readPosted(body, readConfig(account)?.statuses ?? new Map(), isoOf(nowMs)),
  },
};
