import type { WakeTarget } from '../../contracts/wake.js';
import { pollDelaySeconds } from '../../domain/polling.js';
import type { StatusCode } from '../../domain/statuses.js';
import { isoAfter } from '../../lib/time.js';
import type { Database, Executor, Row } from '../database.js';
import { int, intOrNull, isoOrNull, statusCode, text, textOrNull } from '../row.js';
import {
  finishInboundEvents,
  type InboundParcel,
  lockParcelEvents,
  postponeInboundEvents,
  type WaitingEvent,
  type WaitReason,
} from './inbound-events.js';
import { type ReadEvent, recordReading } from './polling.js';
import { showSecond, showUnclaimed } from './recording.js';

/**
 * What came of the events that wait for one parcel. `waits`: nobody knows the parcel yet, or its creation still runs.
 * `unbooked`: a creation whose booking has an unknown outcome is told here that the parcel exists; nothing was changed.
 */
export type InboundResult =
  | { kind: 'nothing' }
  | { kind: 'applied'; count: number; wake: WakeTarget[] }
  | { kind: 'waits'; ignored: number }
  | { kind: 'ignored'; count: number; reason: 'refused' | 'other_parcel'; shipmentId: number }
  | { kind: 'unbooked'; shipmentUuid: string; workflowId: string; trackingCode: string };

/**
 * Records everything that waits for one parcel with its shipment, and ends those events, in one transaction: both are
 * committed, or neither. Only shipments of the same license are looked at.
 */
export async function applyInboundParcel(db: Database, parcel: InboundParcel): Promise<InboundResult> {
  return await db.transaction(async (tx): Promise<InboundResult> => {
    const events = await lockParcelEvents(tx, parcel);
    if (events.length === 0) return { kind: 'nothing' };
    const shipment = await lockShipment(tx, parcel.licenseId, events);
    if (shipment === null) return await waitOn(tx, parcel, 'unknown_parcel');
    const shipmentId = int(shipment, 'id');
    const ids = events.map(({ id }) => id);
    const state = text(shipment, 'state');
    if (state === 'reserved') {
      return tellsOfParcel(shipment, events) ?? (await waitOn(tx, parcel, 'not_booked_yet'));
    }
    const reason = state === 'refused' ? 'refused' : isOther(shipment, events) ? 'other_parcel' : null;
    if (reason !== null) {
      await showProof(tx, shipment, { events, reason });
      await finishInboundEvents(tx, { ids, state: 'ignored', shipmentId, reason });
      return { kind: 'ignored', count: ids.length, reason, shipmentId };
    }
    const wake = await record(tx, shipment, events);
    await finishInboundEvents(tx, { ids, state: 'applied', shipmentId, reason: null });
    return { kind: 'applied', count: ids.length, wake };
  });
}

async function waitOn(tx: Executor, parcel: InboundParcel, reason: WaitReason): Promise<InboundResult> {
  return { kind: 'waits', ignored: await postponeInboundEvents(tx, { ...parcel, reason }) };
}

/** Our reference goes first: carriers use numbers again, and an old shipment may have the same. */
async function lockShipment(
  tx: Executor,
  licenseId: number,
  events: readonly WaitingEvent[],
): Promise<Row | null> {
  const columns = `id, uuid, order_id, state, status_code, tracking_code, carrier_reference, workflow_id, next_poll_at, checked_at`;
  const reference = events.find((event) => event.reference !== null)?.reference;
  if (reference != null) {
    const [found] = await tx.select(
      `SELECT ${columns} FROM shipments WHERE uuid = ? AND license_id = ? FOR UPDATE`,
      [reference, licenseId],
    );
    if (found !== undefined) return found;
  }
  const trackingCode = events.find((event) => event.trackingCode !== null)?.trackingCode;
  if (trackingCode == null) return null;
  const [found] = await tx.select(
    `SELECT ${columns} FROM shipments WHERE license_id = ? AND tracking_code = ? AND state = 'created'
     ORDER BY id DESC LIMIT 1 FOR UPDATE`,
    [licenseId, trackingCode],
  );
  return found ?? null;
}

/**
 * A second parcel under one reference: what happens to it says nothing of the shipment. A carrier with two names for a
 * parcel may tell of it by either.
 */
function isOther(shipment: Row, events: readonly Pick<WaitingEvent, 'trackingCode'>[]): boolean {
  const own = [textOrNull(shipment, 'tracking_code'), textOrNull(shipment, 'carrier_reference')];
  return events.some(({ trackingCode }) => trackingCode !== null && !own.includes(trackingCode));
}

function tellsOfParcel(shipment: Row, events: readonly WaitingEvent[]): InboundResult | null {
  if (statusCode(shipment, 'status_code') !== 'needs_attention') return null;
  const trackingCode = provenCode(events);
  if (trackingCode === null) return null;
  return {
    kind: 'unbooked',
    shipmentUuid: text(shipment, 'uuid'),
    workflowId: text(shipment, 'workflow_id'),
    trackingCode,
  };
}

/** A parcel that the carrier refused or cancelled, or of which it says what we do not know, proves no booking. */
function provenCode(events: readonly WaitingEvent[]): string | null {
  if (events.some(({ event }) => event.code === 'cancelled')) return null;
  const proof = events.find(({ event, trackingCode }) => event.code !== undefined && trackingCode !== null);
  return proof?.trackingCode ?? null;
}

/** The carrier has a parcel under our reference that nobody wants: a person is told of it, once. */
async function showProof(
  tx: Executor,
  shipment: Row,
  { events, reason }: { events: readonly WaitingEvent[]; reason: 'refused' | 'other_parcel' },
): Promise<void> {
  const uuid = text(shipment, 'uuid');
  const trackingCode = provenCode(events.filter(({ reference }) => reference === uuid));
  if (trackingCode === null) return;
  if (reason === 'other_parcel') {
    if (isOther(shipment, [{ trackingCode }])) {
      await showSecond(tx, shipment, { uuid, trackingCode, carrierReference: null });
    }
    return;
  }
  const [latest] = await tx.select(
    `SELECT MAX(number) AS number, COALESCE(SUM(state = 'accepted' AND outcome_code = ?), 0) AS shown
     FROM carrier_attempts WHERE shipment_uuid = ? AND operation = 'book'`,
    [trackingCode, uuid],
  );
  const attempt = latest === undefined ? null : intOrNull(latest, 'number');
  // Nothing was ever sent for it, or it was shown before, and a person may have taken care of it.
  if (attempt === null || Number(latest?.shown) > 0) return;
  await showUnclaimed(tx, { uuid, trackingCode, attempt });
}

async function record(tx: Executor, shipment: Row, events: readonly WaitingEvent[]): Promise<WakeTarget[]> {
  const receivedAt = events.map((event) => event.receivedAt).reduce(later);
  const checkedAt = isoOrNull(shipment, 'checked_at');
  const polledAt = isoOrNull(shipment, 'next_poll_at');
  const { wake } = await recordReading(tx, {
    shipmentId: int(shipment, 'id'),
    checkedAt: checkedAt === null ? receivedAt : later(checkedAt, receivedAt),
    events: events.map((event) => asOf(event, checkedAt)),
    isPartial: true,
    nextPollAt: (status) => sooner(polledAt, status),
  });
  return wake;
}

/** How a parcel stood when the carrier told it is no longer how it stands once the carrier was asked since. */
function asOf({ event, receivedAt }: WaitingEvent, checkedAt: string | null): ReadEvent {
  const isOvertaken = checkedAt !== null && checkedAt > receivedAt;
  return { ...event, isCurrent: event.isCurrent === true && !isOvertaken };
}

/** A webhook never puts a poll off: polling is what makes up for webhooks that do not come. */
function sooner(polledAt: string | null, status: StatusCode): string | null {
  const seconds = pollDelaySeconds(status);
  if (polledAt === null || seconds === null) return null;
  const wanted = isoAfter(seconds);
  return wanted < polledAt ? wanted : polledAt;
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}
