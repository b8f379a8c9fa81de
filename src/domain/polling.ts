import { isFinal, type StatusCode } from './statuses.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds between polls of a parcel, short while the recipient waits at the door. */
const EVERY: Partial<Record<StatusCode, number>> = {
  created: 2 * HOUR,
  collected: HOUR,
  in_transit: HOUR,
  at_pickup_point: 2 * HOUR,
  out_for_delivery: 10 * MINUTE,
  delivery_failed: HOUR,
  returning: 4 * HOUR,
};

/** Seconds until the next poll; null for a final status. */
export function pollDelaySeconds(status: StatusCode): number | null {
  return isFinal(status) ? null : (EVERY[status] ?? HOUR);
}
