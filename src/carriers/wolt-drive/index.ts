import type { BookedParcel, JsonObject } from '../../domain/shipment.js';
import { isFinal, isInHand } from '../../domain/statuses.js';
import type {
  BookingRequest,
  CallContext,
  CarrierAdapter,
  Outcome,
  ParcelRef,
  StreetAddress,
} from '../contract.js';
import { beforeBooking } from '../json-api.js';
import { INVALID_SETTINGS } from '../settings.js';
import { callApi } from './client.js';
import { readConfig, type WoltConfig, woltSettings } from './config.js';
import { addressOf, checkShipment, deliveryBody, promiseBody, WOLT_LIMITS } from './mapping.js';
import { CLOSED, isOpen, pricedPromise } from './promise.js';
import { PROMISE_GONE, readBooking, readCancellation, readPromise, type WoltPromise } from './replies.js';
import { woltWebhook } from './webhook.js';

async function promise(
  body: JsonObject,
  config: WoltConfig,
  signal: AbortSignal,
): Promise<Outcome<WoltPromise>> {
  const path = `/v1/venues/${config.settings.venue_id}/shipment-promises`;
  const reply = await callApi({ method: 'POST', path, body }, config, signal);
  return reply.kind === 'accepted' ? readPromise(reply.value) : reply;
}

/** A promise that ran out between the two calls is asked for once more: its refusal says that nothing is booked. */
async function book(request: BookingRequest, context: CallContext): Promise<Outcome<BookedParcel>> {
  const config = readConfig(context.account);
  if (config === null) return INVALID_SETTINGS;
  const first = await bookOnce(request, config, context.signal);
  const isGone = first.kind === 'rejected' && first.code === PROMISE_GONE;
  return isGone ? await bookOnce(request, config, context.signal) : first;
}

async function bookOnce(
  request: BookingRequest,
  config: WoltConfig,
  signal: AbortSignal,
): Promise<Outcome<BookedParcel>> {
  const { recipient, collectOn } = request.shipment;
  const now = new Date();
  const to = { ...addressOf(recipient), zip: recipient.zip };
  const promised = beforeBooking(await promise(promiseBody(to, config, collectOn, now), config, signal));
  if (promised.kind !== 'accepted') return promised;
  if (!promised.value.isBinding) {
    return { kind: 'rejected', code: 'not_binding', text: 'The carrier does not promise this delivery.' };
  }
  const path = `/v1/venues/${config.settings.venue_id}/deliveries`;
  const body = deliveryBody(request, promised.value, config, now);
  const reply = await callApi({ method: 'POST', path, body }, config, signal);
  return reply.kind === 'accepted' ? readBooking(reply.value) : reply;
}

async function cancel(
  { trackingCode }: ParcelRef,
  { account, signal }: CallContext,
): Promise<Outcome<{ text: string }>> {
  const config = readConfig(account);
  if (config === null) return INVALID_SETTINGS;
  const path = `/order/${encodeURIComponent(trackingCode)}/status/cancel`;
  const body = { reason: 'Cancelled by the merchant' };
  const reply = await callApi({ method: 'PATCH', path, body }, config, signal);
  return reply.kind === 'accepted' ? readCancellation(reply.value) : reply;
}

async function shippingPromise(
  { to, now }: { to: StreetAddress; now: Date },
  { account, signal }: CallContext,
): Promise<Outcome<JsonObject>> {
  const config = readConfig(account);
  if (config === null) return INVALID_SETTINGS;
  if (!isOpen(config.settings, now)) return CLOSED;
  const promised = await promise(promiseBody(to, config, null, now), config, signal);
  if (promised.kind !== 'accepted') return promised;
  return pricedPromise(promised.value.body, promised.value.price, config.settings);
}

/** The on-demand delivery platform, for merchants with a venue. */
export const woltDrive: CarrierAdapter = {
  provider: 'wolt_drive',
  displayName: 'Wolt Drive',
  duplicates: 'rejects',
  limits: { requestsPerSecond: 5, concurrency: 5, settleMs: 0 },
  fieldLimits: WOLT_LIMITS,
  configSchema: woltSettings,
  canCancel: (status) => !isFinal(status) && !isInHand(status),
  checkBooking(request, account) {
    const config = readConfig(account);
    return config === null ? {} : checkShipment(request, config, new Date());
  },
  book,
  cancel,
  shippingPromise,
  webhook: woltWebhook,
};
