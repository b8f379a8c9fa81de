import { problem } from '../../domain/problems/problem.js';
import type { BookedParcel, JsonObject } from '../../domain/shipment.js';
import { addressOf, doorNote } from '../addresses.js';
import { checkedWith } from '../booking-problems.js';
import type {
  BookingRequest,
  CallContext,
  CarrierAdapter,
  Outcome,
  ParcelRef,
  StreetAddress,
} from '../contract.js';
import { beforeBooking } from '../outcomes.js';
import { isBeforeCollection } from '../readings.js';
import { INVALID_SETTINGS } from '../settings.js';
import { callApi } from './client.js';
import { readConfig, type WoltConfig, woltSettings } from './config.js';
import { checkShipment, deliveryBody, promiseBody } from './mapping.js';
import { CLOSED, isOpen, pricedPromise } from './promise.js';
import { PROMISE_GONE, readBooking, readCancellation, readPromise, type WoltPromise } from './replies.js';
import { woltWebhook } from './webhook.js';

/** A call to the venue's API. */
function venueCall(path: string, bodyOf: (config: WoltConfig) => JsonObject) {
  return (config: WoltConfig) => ({
    method: 'POST' as const,
    path: `v1/venues/${config.settings.venue_id}/${path}`,
    body: bodyOf(config),
  });
}

function promise(
  to: StreetAddress & { zip?: string | null },
  day: string | null,
  now: Date,
  context: CallContext,
): Promise<Outcome<WoltPromise>> {
  const call = venueCall('shipment-promises', (config) => promiseBody(to, config, day, now));
  return callApi(context, call, readPromise);
}

/** A promise that expired between the two calls is requested again once; its refusal proves nothing was booked. */
async function book(request: BookingRequest, context: CallContext): Promise<Outcome<BookedParcel>> {
  const first = await bookOnce(request, context);
  const isGone = first.kind === 'rejected' && first.code === PROMISE_GONE;
  return isGone ? await bookOnce(request, context) : first;
}

async function bookOnce(request: BookingRequest, context: CallContext): Promise<Outcome<BookedParcel>> {
  const { recipient, collectOn } = request.shipment;
  const now = new Date();
  const to = { ...addressOf(recipient), zip: recipient.zip };
  const promised = beforeBooking(await promise(to, collectOn, now, context));
  if (promised.kind !== 'accepted') return promised;
  if (!promised.value.isBinding) {
    return { kind: 'rejected', code: 'not_binding', text: problem('carrier_no_promise').text };
  }
  const call = venueCall('deliveries', (config) => deliveryBody(request, promised.value, config, now));
  return callApi(context, call, readBooking);
}

function cancel({ trackingCode }: ParcelRef, context: CallContext): Promise<Outcome<{ text: string }>> {
  const path = `order/${encodeURIComponent(trackingCode)}/status/cancel`;
  const body = { reason: 'Cancelled by the merchant' };
  return callApi(context, { method: 'PATCH', path, body }, readCancellation);
}

async function shippingPromise(
  { to, now }: { to: StreetAddress; now: Date },
  context: CallContext,
): Promise<Outcome<JsonObject>> {
  const config = readConfig(context.account);
  if (config === null) return INVALID_SETTINGS;
  if (!isOpen(config.settings, now)) return CLOSED;
  const promised = await promise(to, null, now, context);
  if (promised.kind !== 'accepted') return promised;
  return pricedPromise(promised.value.body, promised.value.price, config.settings);
}

const NO_ADDRESS = {
  ...INVALID_SETTINGS,
  text: 'Wolt is asked for a price to the collection address: collect_street or collect_city is missing.',
};

/** The price of a delivery to the license's own collection address; no hours are looked at. */
async function check(context: CallContext): Promise<Outcome<WoltPromise>> {
  const { city, street, number } = context.account.collectFrom;
  if (city.trim() === '' || street.trim() === '') return NO_ADDRESS;
  return await promise({ city, street, number: number || null }, null, new Date(), context);
}

/** On-demand deliveries for merchants with a venue. */
export const woltDrive: CarrierAdapter = {
  provider: 'wolt_drive',
  displayName: 'Wolt Drive',
  duplicates: 'rejects',
  limits: { requestsPerSecond: 5, concurrency: 5, settleMs: 0 },
  configSchema: woltSettings,
  canCancel: isBeforeCollection,
  cutsNote: ({ shipment }) => doorNote(shipment).isCut,
  checkBooking: checkedWith(readConfig, (request, config) => checkShipment(request, config, new Date())),
  book,
  cancel,
  check,
  shippingPromise,
  webhook: woltWebhook,
};
