import type { BookedParcel } from '../../domain/shipment.js';
import { nowIso } from '../../lib/time.js';
import { checkedWith } from '../booking-problems.js';
import type {
  BookingRequest,
  CallContext,
  CarrierAdapter,
  Outcome,
  ParcelRef,
  PickupPoint,
} from '../contract.js';
import type { HttpReply } from '../http.js';
import { accepted, mapAccepted } from '../outcomes.js';
import { isBeforeCollection, statusOfOne } from '../readings.js';
import { INVALID_SETTINGS } from '../settings.js';
import { callProgram, type Program } from './client.js';
import { type RunConfig, readConfig, runSettings } from './config.js';
import {
  bookingArguments,
  cancelArguments,
  checkShipment,
  cutsNote,
  labelArguments,
  numberArguments,
  referenceArguments,
} from './mapping.js';
import { readPointsAside } from './points-reader.js';
import { type RunStatus, readBooking, readCancellation, readLabel, readStatus } from './replies.js';

/** Calls one program and reads its reply. Outcomes without a reply are returned unchanged. */
async function call<T>(
  program: Program,
  context: CallContext,
  argumentsOf: (config: RunConfig) => string[],
  read: (reply: HttpReply, config: RunConfig) => Outcome<T> | Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const config = readConfig(context.account);
  if (config === null) return INVALID_SETTINGS;
  const reply = await callProgram(program, argumentsOf(config), config, context);
  return reply.kind === 'accepted' ? read(reply.value, config) : reply;
}

function book(request: BookingRequest, context: CallContext): Promise<Outcome<BookedParcel>> {
  const { collectFrom } = context.account;
  return call(
    'ship_create_anonymous',
    context,
    (c) => bookingArguments(request, c, collectFrom),
    readBooking,
  );
}

/** The parcel's current state; null when the carrier does not have it. */
function readParcel(
  context: CallContext,
  argumentsOf: (config: RunConfig) => string[],
): Promise<Outcome<RunStatus | null>> {
  return call('ship_status_xml', context, argumentsOf, (reply, config) =>
    readStatus(reply, config.settings.customer_number, config.statuses, nowIso()),
  );
}

function lookUp(reference: string, context: CallContext): Promise<Outcome<RunStatus | null>> {
  return readParcel(context, (config) => referenceArguments(reference, config));
}

async function findByReference(
  reference: string,
  context: CallContext,
): Promise<Outcome<BookedParcel | null>> {
  return mapAccepted(await lookUp(reference, context), (found) => found?.parcel ?? null);
}

/** A refusal because the parcel is already cancelled counts as success: the reply of an earlier try was lost. */
async function cancel(parcel: ParcelRef, context: CallContext): Promise<Outcome<{ text: string }>> {
  const code = parcel.carrierReference ?? parcel.trackingCode;
  const outcome = await call('bitul_mishloah', context, (c) => cancelArguments(code, c), readCancellation);
  if (outcome.kind !== 'rejected' || outcome.code !== 'ERROR') return outcome;
  const found = await lookUp(parcel.reference, context);
  const cancelled = found.kind === 'accepted' && found.value?.cancelled === true;
  return cancelled ? accepted({ text: outcome.text }) : outcome;
}

/** Reads by parcel number. A host that does not name the parcel's owner is asked by our reference instead. */
async function fetchOne(parcel: ParcelRef, context: CallContext): Promise<Outcome<RunStatus | null>> {
  const found = await readParcel(context, () => numberArguments(parcel.trackingCode));
  const unsure = found.kind === 'accepted' && found.value !== null && !found.value.ownerNamed;
  return unsure ? lookUp(parcel.reference, context) : found;
}

function label(parcel: ParcelRef, context: CallContext): Promise<Outcome<Uint8Array>> {
  return call('ship_print_ws', context, () => labelArguments(parcel.trackingCode), readLabel);
}

function pickupPoints(context: CallContext): Promise<Outcome<PickupPoint[]>> {
  return call('ws_spotslist', context, () => ['-Aall'], readPointsAside);
}

/** The pickup-network carrier. HFD, Chita, Focus and YDM are hosts and codes of it in license settings. */
export const run: CarrierAdapter = {
  provider: 'run',
  displayName: 'Run',
  companies: ['HFD', 'Chita', 'Focus', 'YDM'],
  duplicates: 'rejects',
  limits: { requestsPerSecond: 50, concurrency: 20, settleMs: 60_000 },
  configSchema: runSettings,
  canCancel: isBeforeCollection,
  cutsNote,
  checkBooking: checkedWith(readConfig, checkShipment),
  book,
  findByReference,
  cancel,
  status: statusOfOne(async (parcel, context) =>
    mapAccepted(await fetchOne(parcel, context), (found) =>
      found?.parcel.trackingCode === parcel.trackingCode ? found.status.events : null,
    ),
  ),
  label,
  pickupPoints,
};
