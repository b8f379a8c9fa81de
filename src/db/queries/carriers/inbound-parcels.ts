import type { WakeTarget } from '../../../contracts/wake.js';
import { pollDelaySeconds } from '../../../domain/polling.js';
import { isStatusCode, type StatusCode } from '../../../domain/statuses.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { isoAfter } from '../../../lib/time.js';
import type { Database, Executor } from '../../database.js';
import { int } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { carrierAttempts, inboundEvents, shipments } from '../../tables/index.js';
import { showSecond, showUnclaimed } from '../creation/recording.js';
import { type InboundParcel, postponeInboundEvents } from './inbound-events.js';
import { type ReadEvent, recordReading } from './readings.js';

const LOCKED = shipments.pick(
  'id',
  'uuid',
  'orderId',
  'state',
  'statusCode',
  'trackingCode',
  'carrierReference',
  'workflowId',
  'nextPollAt',
  'checkedAt',
);
type Locked = Selected<typeof LOCKED>;

const e = inboundEvents.as('e');
const PENDING = shape({
  id: e.id,
  trackingCode: e.trackingCode,
  reference: e.reference,
  receivedAt: e.receivedAt,
  event: shape({
    code: e.code.map((code) => (code !== null && isStatusCode(code) ? code : undefined)),
    carrierCode: e.carrierCode,
    carrierDescription: e.carrierDescription,
    occurredAt: e.occurredAt,
    location: e.location,
    isCurrent: e.isCurrent,
  }),
});

/** A stored event that is not recorded yet. */
type PendingEvent = Selected<typeof PENDING>;

/**
 * Result of the events waiting for one parcel. `waits`: the parcel is unknown, also by our `reference`, or its creation
 * still runs. `unbooked`:
 * the event proves a parcel of a creation whose booking has an unknown outcome; nothing was changed.
 */
export type InboundResult =
  | { kind: 'nothing' }
  | { kind: 'applied'; count: number; wake: WakeTarget[] }
  | { kind: 'waits'; ignored: number; reference?: string }
  | { kind: 'ignored'; count: number; reason: 'refused' | 'other_parcel'; shipmentId: number }
  | { kind: 'unbooked'; shipmentUuid: string; workflowId: string; trackingCode: string };

/**
 * Records all waiting events of one parcel with its shipment and ends them, in one transaction. Considers only
 * shipments of the same license.
 */
export async function applyInboundParcel(db: Database, parcel: InboundParcel): Promise<InboundResult> {
  return await db.transaction(async (tx): Promise<InboundResult> => {
    const events = await lockParcelEvents(tx, parcel);
    if (events.length === 0) return { kind: 'nothing' };
    const shipment = await lockShipment(tx, parcel.licenseId, events);
    if (shipment === null) {
      const reference = referenceIn(events);
      return {
        ...(await waitOn(tx, parcel, 'unknown_parcel')),
        ...(reference === null ? {} : { reference }),
      };
    }
    const { id: shipmentId, state } = shipment;
    const ids = events.map(({ id }) => id);
    if (state === 'reserved') {
      return tellsOfParcel(shipment, events) ?? (await waitOn(tx, parcel, 'not_booked_yet'));
    }
    const reason = state === 'refused' ? 'refused' : isOther(shipment, events) ? 'other_parcel' : null;
    if (reason !== null) {
      await showProof(tx, shipment, { events, reason });
      await finish(tx, { ids, shipmentId, reason });
      return { kind: 'ignored', count: ids.length, reason, shipmentId };
    }
    const wake = await record(tx, shipment, events);
    await finish(tx, { ids, shipmentId, reason });
    return { kind: 'applied', count: ids.length, wake };
  });
}

/** Locks and returns the waiting events of one parcel, due or not, oldest first. */
async function lockParcelEvents(tx: Executor, parcel: InboundParcel): Promise<PendingEvent[]> {
  return await PENDING.select(
    tx,
    `FROM inbound_events e WHERE ${e.licenseId} = ? AND ${e.parcel} = ? AND ${e.status} = 'pending'
     ORDER BY ${e.occurredAt}, ${e.id} LIMIT ${LIMITS.polling.events} FOR UPDATE`,
    [parcel.licenseId, parcel.parcel],
  );
}

/** Ends events, recorded with a shipment or given up with a `reason`. */
async function finish(
  tx: Executor,
  { ids, shipmentId, reason }: { ids: readonly number[]; shipmentId: number; reason: string | null },
): Promise<void> {
  await tx.run(
    `UPDATE inbound_events
     SET status = ?, shipment_id = ?, reason = ?, attempts = attempts + 1, next_attempt_at = NULL, finished_at = NOW(6)
     WHERE id IN (${placeholders(ids.length)})`,
    [reason === null ? 'applied' : 'ignored', shipmentId, reason, ...ids],
  );
}

async function waitOn(
  tx: Executor,
  parcel: InboundParcel,
  reason: 'unknown_parcel' | 'not_booked_yet',
): Promise<Extract<InboundResult, { kind: 'waits' }>> {
  return { kind: 'waits', ignored: await postponeInboundEvents(tx, { ...parcel, reason }) };
}

function referenceIn(events: readonly PendingEvent[]): string | null {
  return events.find((event) => event.reference !== null)?.reference ?? null;
}

/** Looks up our reference first: carriers reuse numbers, so an old shipment may have the same one. */
async function lockShipment(
  tx: Executor,
  licenseId: number,
  events: readonly PendingEvent[],
): Promise<Locked | null> {
  const reference = referenceIn(events);
  if (reference !== null) {
    const own = { uuid: reference, licenseId, accountId: undefined };
    const found = await shipments.findOne(tx, LOCKED, own, { lock: true });
    if (found !== null) return found;
  }
  const trackingCode = events.find((event) => event.trackingCode !== null)?.trackingCode;
  if (trackingCode == null) return null;
  const coded = { licenseId, trackingCode, state: 'created', accountId: undefined } as const;
  return await shipments.findOne(tx, LOCKED, coded, { order: [['id', 'DESC']], limit: 1, lock: true });
}

/**
 * Whether the events are of a second parcel under the same reference: they say nothing about the shipment. A carrier
 * with two names for a parcel may use either.
 */
function isOther(shipment: Locked, events: readonly Pick<PendingEvent, 'trackingCode'>[]): boolean {
  const own = [shipment.trackingCode, shipment.carrierReference];
  return events.some(({ trackingCode }) => trackingCode !== null && !own.includes(trackingCode));
}

function tellsOfParcel(shipment: Locked, events: readonly PendingEvent[]): InboundResult | null {
  const { uuid: shipmentUuid, workflowId, statusCode } = shipment;
  if (statusCode !== 'needs_attention') return null;
  const trackingCode = provenCode(events);
  return trackingCode === null ? null : { kind: 'unbooked', shipmentUuid, workflowId, trackingCode };
}

/** The code of a parcel that is proven booked. A refused or cancelled one, or an unknown status, proves nothing. */
function provenCode(events: readonly PendingEvent[]): string | null {
  if (events.some(({ event }) => event.code === 'cancelled')) return null;
  const proof = events.find(({ event, trackingCode }) => event.code !== undefined && trackingCode !== null);
  return proof?.trackingCode ?? null;
}

/** The carrier has a parcel under our reference that no shipment owns: shows it to operators, once. */
async function showProof(
  tx: Executor,
  shipment: Locked,
  { events, reason }: { events: readonly PendingEvent[]; reason: 'refused' | 'other_parcel' },
): Promise<void> {
  const { uuid } = shipment;
  const trackingCode = provenCode(events.filter(({ reference }) => reference === uuid));
  if (trackingCode === null) return;
  if (reason === 'other_parcel') {
    if (isOther(shipment, [{ trackingCode }])) {
      await showSecond(tx, shipment, { trackingCode, carrierReference: null });
    }
    return;
  }
  const a = carrierAttempts.as('a');
  const attempts = shape({
    newest: expression(`MAX(${a.number})`, int).or(null),
    shown: expression(`COALESCE(SUM(${a.state} = 'accepted' AND ${a.outcomeCode} = ?), 0)`, int),
  });
  const tried = await attempts.first(
    tx,
    `FROM carrier_attempts a WHERE ${a.shipmentUuid} = ? AND ${a.operation} = 'book'`,
    [trackingCode, uuid],
  );
  const attempt = tried?.newest ?? null;
  // Never sent, or shown before: an operator may have handled it.
  if (attempt === null || tried?.shown !== 0) return;
  await showUnclaimed(tx, { uuid, trackingCode, attempt });
}

async function record(
  tx: Executor,
  { id, checkedAt, nextPollAt }: Locked,
  events: readonly PendingEvent[],
): Promise<WakeTarget[]> {
  const receivedAt = events.map((event) => event.receivedAt).reduce(later);
  const { wake } = await recordReading(tx, {
    shipmentId: id,
    checkedAt: checkedAt === null ? receivedAt : later(checkedAt, receivedAt),
    events: events.map((event) => asOf(event, checkedAt)),
    isPartial: true,
    nextPollAt: (status) => sooner(nextPollAt, status),
  });
  return wake;
}

/** A current state in an event no longer holds when the carrier was polled after it. */
function asOf({ event, receivedAt }: PendingEvent, checkedAt: string | null): ReadEvent {
  return { ...event, isOvertaken: checkedAt !== null && checkedAt > receivedAt };
}

/** A webhook never delays a poll: polling makes up for missed webhooks. */
function sooner(polledAt: string | null, status: StatusCode): string | null {
  const seconds = pollDelaySeconds(status);
  if (polledAt === null || seconds === null) return null;
  const wanted = isoAfter(seconds);
  return wanted < polledAt ? wanted : polledAt;
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}
