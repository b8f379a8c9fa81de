import { isFinal, type StatusCode } from './statuses.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds between two questions about a parcel: short while the recipient waits at the door. */
const EVERY: Partial<Record<StatusCode, number>> = {
  created: 2 * HOUR,
  collected: HOUR,
  in_transit: HOUR,
  at_pickup_point: 2 * HOUR,
  out_for_delivery: 10 * MINUTE,
  delivery_failed: HOUR,
  returning: 4 * HOUR,
};

/** Seconds until the carrier should be asked again, or null when the status is final: never again. */
export function pollDelaySeconds(status: StatusCode): number | null {
  return isFinal(status) ? null : (EVERY[status] ?? HOUR);
}
