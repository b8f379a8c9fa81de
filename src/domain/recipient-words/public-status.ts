import type { ServiceType } from '../shipment.js';
import type { StatusCode } from '../statuses.js';

/** What the public may see of a status; those of our own affairs are all `preparing`. */
export type PublicStatus =
  | 'preparing'
  | 'awaiting_collection'
  | 'collected'
  | 'in_transit'
  | 'at_pickup_point'
  | 'out_for_delivery'
  | 'delivered'
  | 'delivery_failed'
  | 'returning'
  | 'returned'
  | 'cancelled'
  | 'lost';

const NO_LONGER_AWAITED: ReadonlySet<PublicStatus> = new Set<PublicStatus>([
  'delivered',
  'returning',
  'returned',
  'cancelled',
  'lost',
]);

const NEEDS_SHOP: ReadonlySet<PublicStatus> = new Set<PublicStatus>([
  'delivery_failed',
  'returning',
  'returned',
  'cancelled',
  'lost',
]);

/** What the public may see of the status. */
export function publicStatus(code: StatusCode, serviceType: ServiceType): PublicStatus {
  if (code === 'pending' || code === 'needs_attention') return 'preparing';
  if (code === 'created') return serviceType === 2 ? 'awaiting_collection' : 'preparing';
  return code;
}

/** Whether the parcel is still to be handed over, so that its recipient has something to pay or a place to go to. */
export function isAwaited(status: PublicStatus): boolean {
  return !NO_LONGER_AWAITED.has(status);
}

/** Whether something went wrong that the recipient can only settle with the shop. */
export function needsShop(status: PublicStatus): boolean {
  return NEEDS_SHOP.has(status);
}
