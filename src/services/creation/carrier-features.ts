import type { App } from '../app.js';

/** Optional features of carriers, which API v1 checks before it validates. */
export type CarrierFeature =
  | 'sameDayQuote'
  | 'shippingPromise'
  | 'expressEnabled'
  | 'expressStatus'
  | 'pickupPoints';

export function carrierOffers(
  { carriers }: Pick<App, 'carriers'>,
  provider: string,
  feature: CarrierFeature,
): boolean {
  return carriers(provider)[feature] !== undefined;
}
