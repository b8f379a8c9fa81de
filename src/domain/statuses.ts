/** Shipment statuses, seeded into `shipping_statuses`. `rank` orders a parcel's life; a final status never changes. */
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

/** Statuses in which the carrier has the parcel; they set `collected_at`. */
const IN_HAND = [
  'collected',
  'in_transit',
  'at_pickup_point',
  'out_for_delivery',
  'delivery_failed',
  'returning',
  'delivered',
  'returned',
] as const satisfies readonly StatusCode[];

/** Statuses that a person may set: those in which a courier has or had the parcel. A cancellation has its own way. */
export const SETTABLE_STATUSES = [...IN_HAND, 'lost'] as const satisfies readonly StatusCode[];

export type SettableStatus = (typeof SETTABLE_STATUSES)[number];

const byCode = new Map<string, (typeof SHIPPING_STATUSES)[number]>(SHIPPING_STATUSES.map((s) => [s.code, s]));

export function isStatusCode(code: string): code is StatusCode {
  return byCode.has(code);
}

export function isFinal(code: StatusCode): boolean {
  return byCode.get(code)?.isFinal ?? false;
}

/** Whether the recipient has the parcel. */
export function isDelivered(code: StatusCode): boolean {
  return byCode.get(code)?.isDelivered ?? false;
}

/** Whether the parcel is in progress or delivered: the order needs no other one. */
export function isActive(code: StatusCode): boolean {
  return !isFinal(code) || isDelivered(code);
}

export function statusName(code: StatusCode): string {
  return byCode.get(code)?.name ?? code;
}

/** The status text for callers: the carrier's own, or the name. Only operators see why a booking needs attention. */
export function shownDescription({ code, description }: { code: StatusCode; description: string }): string {
  return code === 'needs_attention' ? statusName(code) : description;
}

/** Whether the carrier has or had the parcel. */
export function isInHand(code: StatusCode): boolean {
  return IN_HAND.some((one) => one === code);
}

/** Statuses that we set: any report of the carrier is newer, whatever its time. */
const OURS: ReadonlySet<StatusCode> = new Set<StatusCode>(['pending', 'needs_attention', 'created']);

/** Whether we set it, so that any report is newer. */
export function isOurs(code: StatusCode): boolean {
  return OURS.has(code);
}

/**
 * The status after a reading of the carrier's. A final status stays, an older reading never replaces a newer one,
 * and an unknown carrier status, `undefined`, is never guessed: it changes only the text. Carriers report whole
 * minutes, so a reading in the minute of our booking counts as newer. Times are ISO 8601 UTC with microseconds.
 */
export function nextStatus(
  current: { code: StatusCode; description: string; at: string },
  reading: { code: StatusCode | undefined; description: string; occurredAt: string },
): typeof current {
  if (isFinal(current.code)) return current;
  if (!isOurs(current.code) && reading.occurredAt < current.at) return current;
  return { code: reading.code ?? current.code, description: reading.description, at: reading.occurredAt };
}
