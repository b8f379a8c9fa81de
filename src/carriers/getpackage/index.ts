import type { BookedParcel, JsonObject } from '../../domain/shipment.js';
import { isFinal, isInHand } from '../../domain/statuses.js';
import { nowIso } from '../../lib/time.js';
import type {
  BookingRequest,
  CallContext,
  CarrierAdapter,
  CarrierStatus,
  Outcome,
  PackageSize,
  ParcelRef,
  StreetAddress,
} from '../contract.js';
import { beforeBooking, type JsonReply } from '../json-api.js';
import { INVALID_SETTINGS } from '../settings.js';
import { type ApiCall, callApi } from './client.js';
import { type GetpackageConfig, getpackageSettings, readConfig } from './config.js';
import { bookingBody, checkShipment, GETPACKAGE_LIMITS, quoteBody, slotBody } from './mapping.js';
import {
  readBooking,
  readCancellation,
  readQuote,
  readSettlements,
  readSlot,
  readStatus,
  type Slot,
} from './replies.js';

/** Makes one call and reads its reply; whatever kept the reply away is returned as it is. */
async function call<T>(
  callOf: (config: GetpackageConfig) => ApiCall,
  { account, signal }: CallContext,
  read: (reply: JsonReply, config: GetpackageConfig) => Outcome<T>,
): Promise<Outcome<T>> {
  const config = readConfig(account);
  if (config === null) return INVALID_SETTINGS;
  const reply = await callApi(callOf(config), config, signal);
  return reply.kind === 'accepted' ? read(reply.value, config) : reply;
}

async function book(request: BookingRequest, context: CallContext): Promise<Outcome<BookedParcel>> {
  const slot = beforeBooking(await slotOf(request, context));
  if (slot.kind !== 'accepted') return slot;
  const { collectFrom } = context.account;
  const booking = (config: GetpackageConfig): ApiCall => {
    return {
      method: 'POST',
      path: 'sharedRoute',
      body: bookingBody(request, config, collectFrom, slot.value),
    };
  };
  return call(booking, context, readBooking);
}

/** The window of the settings, else the next one that the carrier offers. */
async function slotOf(request: BookingRequest, context: CallContext): Promise<Outcome<Slot>> {
  const { collectOn } = request.shipment;
  const timeRange = readConfig(context.account)?.settings.time_range;
  if (timeRange !== undefined) return { kind: 'accepted', value: { date: collectOn, timeRange } };
  const { collectFrom } = context.account;
  const question = (config: GetpackageConfig): ApiCall => {
    return { method: 'POST', path: 'serviceTimes/evaluate', body: slotBody(request, config, collectFrom) };
  };
  return call(question, context, (reply) => readSlot(reply, collectOn));
}

function pathOf(parcel: ParcelRef): string {
  return `common/deliveries/${encodeURIComponent(parcel.trackingCode)}`;
}

function cancel(parcel: ParcelRef, context: CallContext): Promise<Outcome<{ text: string }>> {
  return call(() => ({ method: 'DELETE', path: pathOf(parcel) }), context, readCancellation);
}

async function fetchStatus(
  parcels: readonly ParcelRef[],
  context: CallContext,
): Promise<Outcome<CarrierStatus[]>> {
  const known: CarrierStatus[] = [];
  for (const parcel of parcels) {
    const found = await call(
      () => ({ method: 'GET', path: pathOf(parcel) }),
      context,
      (reply, config) => readStatus(reply, parcel.trackingCode, config, nowIso()),
    );
    if (found.kind !== 'accepted') return found;
    if (found.value !== null) known.push(found.value);
  }
  return { kind: 'accepted', value: known };
}

function settlements(context: CallContext): Promise<Outcome<string[]>> {
  return call(() => ({ method: 'GET', path: 'businessCompanies/settlements' }), context, readSettlements);
}

function quote(
  { from, to, packageSize }: { from: StreetAddress; to: StreetAddress; packageSize: PackageSize },
  context: CallContext,
): Promise<Outcome<JsonObject>> {
  const body = quoteBody(from, to, packageSize);
  return call(
    () => ({ method: 'POST', path: 'sharedRoute/quote', body, readErrors: true }),
    context,
    readQuote,
  );
}

/** The same-day courier platform, by its shared routes. */
export const getpackage: CarrierAdapter = {
  provider: 'getpackage',
  displayName: 'GetPackage',
  duplicates: 'none',
  limits: { requestsPerSecond: 5, concurrency: 5, settleMs: 0 },
  fieldLimits: GETPACKAGE_LIMITS,
  configSchema: getpackageSettings,
  canCancel: (status) => !isFinal(status) && !isInHand(status),
  checkBooking: checkShipment,
  book,
  cancel,
  status: { maxBulk: 1, fetch: fetchStatus },
  sameDayQuote: { settlements, quote },
};
