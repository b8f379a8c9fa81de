import type { App } from './app.js';

/** What some carriers offer and others do not; API v1 asks before it validates. */
export type CarrierFeature =
  | 'sameDayQuote'
  | 'shippingPromise'
  | 'expressEnabled'
  | 'expressStatus'
  | 'pickupPoints';

/** Whether the carrier of that provider name offers the feature. */
export function carrierOffers(
  { carriers }: Pick<App, 'carriers'>,
  provider: string,
  feature: CarrierFeature,
): boolean {
  return carriers(provider)[feature] !== undefined;
}
