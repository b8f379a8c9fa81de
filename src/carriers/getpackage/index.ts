import type { BookedParcel, JsonObject } from '../../domain/shipment.js';
import { nowIso } from '../../lib/time.js';
import type {
  BookingRequest,
  CallContext,
  CarrierAdapter,
  Outcome,
  PackageSize,
  ParcelRef,
  StreetAddress,
} from '../contract.js';
import { accepted, beforeBooking } from '../outcomes.js';
import { isBeforeCollection, statusOfOne } from '../readings.js';
import { callApi, ERRORS } from './client.js';
import { getpackageSettings, readConfig } from './config.js';
import { bookingBody, checkShipment, cutsNote, quoteBody, slotBody } from './mapping.js';
import {
  readBooking,
  readCancellation,
  readQuote,
  readSettlements,
  readSlot,
  readStatus,
  type Slot,
} from './replies.js';

async function book(request: BookingRequest, context: CallContext): Promise<Outcome<BookedParcel>> {
  const slot = beforeBooking(await slotOf(request, context));
  if (slot.kind !== 'accepted') return slot;
  const { collectFrom } = context.account;
  return callApi(
    context,
    (config) => {
      const body = bookingBody(request, config, collectFrom, slot.value);
      return { method: 'POST', path: 'sharedRoute', body };
    },
    readBooking,
  );
}

/** The window from the settings, else the next one that the carrier offers. */
async function slotOf(request: BookingRequest, context: CallContext): Promise<Outcome<Slot>> {
  const { collectOn } = request.shipment;
  const timeRange = readConfig(context.account)?.settings.time_range;
  if (timeRange !== undefined) return accepted({ date: collectOn, timeRange });
  const { collectFrom } = context.account;
  return callApi(
    context,
    (config) => {
      const body = slotBody(request, config, collectFrom);
      return { method: 'POST', path: 'serviceTimes/evaluate', body };
    },
    (reply) => readSlot(reply, collectOn),
  );
}

function pathOf(parcel: ParcelRef): string {
  return `common/deliveries/${encodeURIComponent(parcel.trackingCode)}`;
}

function cancel(parcel: ParcelRef, context: CallContext): Promise<Outcome<{ text: string }>> {
  return callApi(context, { method: 'DELETE', path: pathOf(parcel) }, readCancellation);
}

function settlements(context: CallContext): Promise<Outcome<string[]>> {
  return callApi(context, { method: 'GET', path: 'businessCompanies/settlements' }, readSettlements);
}

function quote(
  { from, to, packageSize }: { from: StreetAddress; to: StreetAddress; packageSize: PackageSize },
  context: CallContext,
): Promise<Outcome<JsonObject>> {
  const body = quoteBody(from, to, packageSize);
  const call = { method: 'POST', path: 'sharedRoute/quote', body, readStatuses: ERRORS } as const;
  return callApi(context, call, readQuote);
}

export const getpackage: CarrierAdapter = {
  provider: 'getpackage',
  displayName: 'GetPackage',
  duplicates: 'none',
  limits: { requestsPerSecond: 5, concurrency: 5, settleMs: 0 },
  configSchema: getpackageSettings,
  needsCollectionAddress: true,
  canCancel: isBeforeCollection,
  checkBooking: checkShipment,
  cutsNote,
  book,
  cancel,
  status: statusOfOne((parcel, context) => {
    const askedAt = nowIso();
    return callApi(context, { method: 'GET', path: pathOf(parcel) }, (reply, config) =>
      readStatus(reply, config, askedAt),
    );
  }),
  sameDayQuote: { settlements, quote },
};
