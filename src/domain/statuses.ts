/**
 * Shipment statuses as seeded into the table `shipping_statuses`. `rank` orders the life of a parcel;
 * a final status is never left.
 */
export const SHIPPING_STATUSES = [
  { code: 'pending', name: 'Pending', rank: 0, isDelivered: false, isFinal: false },
  { code: 'needs_attention', name: 'Needs attention', rank: 5, isDelivered: false, isFinal: false },
  { code: 'created', name: 'Created', rank: 10, isDelivered: false, isFinal: false },
  { code: 'collected', name: 'Collected', rank: 20, isDelivered: false, isFinal: false },
  { code: 'in_transit', name: 'In transit', rank: 30, isDelivered: false, isFinal: false },
  { code: 'at_pickup_point', name: 'At pickup point', rank: 40, isDelivered: false, isFinal: false },
  { code: 'out_for_delivery', name: 'Out for delivery', rank: 50, isDelivered: false, isFinal: false },
  { code: 'delivery_failed', name: 'Delivery failed', rank: 60, isDelivered: false, isFinal: false },
  { code: 'returning', name: 'Returning', rank: 70, isDelivered: false, isFinal: false },
  { code: 'delivered', name: 'Delivered', rank: 100, isDelivered: true, isFinal: true },
  { code: 'returned', name: 'Returned', rank: 100, isDelivered: false, isFinal: true },
  { code: 'cancelled', name: 'Cancelled', rank: 100, isDelivered: false, isFinal: true },
  { code: 'lost', name: 'Lost', rank: 100, isDelivered: false, isFinal: true },
] as const;

export type StatusCode = (typeof SHIPPING_STATUSES)[number]['code'];

const byCode = new Map<string, (typeof SHIPPING_STATUSES)[number]>(SHIPPING_STATUSES.map((s) => [s.code, s]));

/** Whether the text is one of our status codes. */
export function isStatusCode(code: string): code is StatusCode {
  return byCode.has(code);
}

/** Whether a shipment in this status never changes again. */
export function isFinal(code: StatusCode): boolean {
  return byCode.get(code)?.isFinal ?? false;
}

/** Whether this status means that the recipient has the parcel. */
export function isDelivered(code: StatusCode): boolean {
  return byCode.get(code)?.isDelivered ?? false;
}

/** Whether the parcel is under way, or was delivered: its order has no need of another one. */
export function isActive(code: StatusCode): boolean {
  return !isFinal(code) || isDelivered(code);
}

/** English name of a status. */
export function statusName(code: StatusCode): string {
  return byCode.get(code)?.name ?? code;
}

/**
 * What callers read of a status: the carrier's own text, or the name. Why a booking needs attention is told to operators
 * alone, in their words.
 */
export function shownDescription({ code, description }: { code: StatusCode; description: string }): string {
  return code === 'needs_attention' ? statusName(code) : description;
}

/** Statuses in which the carrier has the parcel in hand, so that `collected_at` is set. */
const IN_HAND: ReadonlySet<StatusCode> = new Set<StatusCode>([
  'collected',
  'in_transit',
  'at_pickup_point',
  'out_for_delivery',
  'delivery_failed',
  'returning',
  'delivered',
  'returned',
]);

/** Whether the carrier has, or has had, the parcel in hand. */
export function isInHand(code: StatusCode): boolean {
  return IN_HAND.has(code);
}

/** What a carrier reported, and when (ISO 8601 UTC with microseconds). */
export interface StatusReading {
  /** Undefined when the carrier's code is one that we do not know: never guessed. */
  code: StatusCode | undefined;
  description: string;
  occurredAt: string;
}

/** Statuses that we set ourselves: any reading of the carrier's is news after them, whatever its clock says. */
const OURS: ReadonlySet<StatusCode> = new Set<StatusCode>(['pending', 'needs_attention', 'created']);

/**
 * The status after a reading: a final one is never left, an older reading never wins over a newer one,
 * an unknown carrier status keeps the code and shows the carrier's text. Carriers report in minutes, so a
 * reading of the minute in which we recorded the booking must not count as older than the booking.
 */
export function nextStatus(
  current: { code: StatusCode; description: string; at: string },
  reading: StatusReading,
): { code: StatusCode; description: string; at: string } {
  if (isFinal(current.code)) return current;
  if (!OURS.has(current.code) && reading.occurredAt < current.at) return current;
  return { code: reading.code ?? current.code, description: reading.description, at: reading.occurredAt };
}
