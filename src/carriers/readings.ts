import { createHash } from 'node:crypto';
import { isFinal, isInHand, type StatusCode } from '../domain/statuses.js';
import { isUuid } from '../lib/ids.js';
import { LIMITS } from '../lib/limits/values.js';
import type {
  CallContext,
  CarrierAdapter,
  CarrierStatus,
  InboundReading,
  Outcome,
  ParcelRef,
} from './contract.js';
import { accepted } from './outcomes.js';
import { carrierText } from './text.js';

export type CarrierEvent = CarrierStatus['events'][number];

/** Whether a parcel in this status can still be cancelled: nobody has collected it. */
export function isBeforeCollection(status: StatusCode): boolean {
  return !isFinal(status) && !isInHand(status);
}

/** The current status of a parcel, for carriers that report only that. `occurredAt`: its time, or the request's. */
export function currentEvent(
  code: StatusCode | undefined,
  carrierCode: string,
  description: string,
  occurredAt: string,
): CarrierEvent {
  return {
    code,
    carrierCode: carrierText(carrierCode),
    carrierDescription: carrierText(description),
    occurredAt,
    location: null,
    isCurrent: true,
  };
}

/**
 * The past events of a list in either order, oldest first; events of one minute keep the list's order. Events
 * dated later than now are only planned.
 */
export function happened(events: readonly CarrierEvent[], nowIso: string): CarrierEvent[] {
  const latest = isoOf(Date.parse(nowIso) + LIMITS.carriers.aheadMs);
  const past = events.filter(({ occurredAt }) => occurredAt <= latest);
  const isNewestFirst = (past[0]?.occurredAt ?? '') > (past.at(-1)?.occurredAt ?? '');
  if (isNewestFirst) past.reverse();
  return past.sort((a, b) => (a.occurredAt < b.occurredAt ? -1 : a.occurredAt > b.occurredAt ? 1 : 0));
}

/** The status of carriers that are asked about one parcel a call. Parcels that `read` answers with null are left out. */
export function statusOfOne(
  read: (parcel: ParcelRef, context: CallContext) => Promise<Outcome<CarrierEvent[] | null>>,
): NonNullable<CarrierAdapter['status']> {
  return {
    maxBulk: 1,
    async fetch(parcels, context) {
      const known: CarrierStatus[] = [];
      for (const parcel of parcels) {
        const found = await read(parcel, context);
        if (found.kind !== 'accepted') return found;
        if (found.value !== null) known.push({ trackingCode: parcel.trackingCode, events: found.value });
      }
      return accepted(known);
    },
  };
}

/**
 * A posted status of a carrier that neither signs nor dates its posts: equal content is the same event.
 * `number` is the carrier's parcel number; a `reference` that is not one of ours is dropped.
 */
export function unsignedEvent(
  body: Buffer,
  number: string,
  trackingCode: string,
  reference: string,
  event: CarrierEvent,
): InboundReading {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 32);
  const id = `${number}:${event.carrierCode.slice(0, 64)}:${digest}`;
  const named = reference.toLowerCase();
  return {
    kind: 'events',
    events: [{ id, trackingCode, reference: isUuid(named) ? named : null, event }],
  };
}

/** An instant (ms since 1970) as ISO 8601 UTC with microseconds. */
export function isoOf(instantMs: number): string {
  return new Date(instantMs).toISOString().replace('Z', '000Z');
}

/** An ISO 8601 instant with zone as UTC with microseconds, none of them lost; null when unreadable. */
export function isoMicros(text: string): string | null {
  const parts = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.(\d{1,9}))?)?(?:Z|[+-]\d\d:?\d\d)$/.exec(text);
  const instant = parts === null ? Number.NaN : Date.parse(text);
  if (Number.isNaN(instant)) return null;
  const fraction = (parts?.[1] ?? '').slice(0, 6).padEnd(6, '0');
  return `${new Date(instant).toISOString().slice(0, 19)}.${fraction}Z`;
}
