import type { ServiceType } from '../shipment.js';
import type { StatusCode } from '../statuses.js';

/** A status as the public sees it; our internal ones are all `preparing`. */
export type PublicStatus =
  | Exclude<StatusCode, 'pending' | 'needs_attention' | 'created'>
  | 'preparing'
  | 'awaiting_collection';

const NO_LONGER_AWAITED = new Set<PublicStatus>(['delivered', 'returning', 'returned', 'cancelled', 'lost']);
const NEEDS_SHOP = new Set<PublicStatus>(['delivery_failed', 'returning', 'returned', 'cancelled', 'lost']);

export function publicStatus(code: StatusCode, serviceType: ServiceType): PublicStatus {
  if (code === 'pending' || code === 'needs_attention') return 'preparing';
  if (code === 'created') return serviceType === 2 ? 'awaiting_collection' : 'preparing';
  return code;
}

/** Whether the parcel is not handed over yet: the recipient may still have to pay or to go somewhere. */
export function isAwaited(status: PublicStatus): boolean {
  return !NO_LONGER_AWAITED.has(status);
}

/** Whether only the shop can solve the recipient's problem. */
export function needsShop(status: PublicStatus): boolean {
  return NEEDS_SHOP.has(status);
}
