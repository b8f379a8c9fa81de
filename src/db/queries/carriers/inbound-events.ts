import { isStatusCode } from '../../../domain/statuses.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { cutText } from '../../../lib/text.js';
import { isoToSql } from '../../../lib/time.js';
import type { Executor, SqlValue } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { inboundEvents } from '../../tables/index.js';
import type { ReadEvent } from './readings.js';

/** One event of a carrier's webhook, with at least one of `trackingCode` and `reference`. */
export interface NewInboundEvent {
  /** SHA-256 of the carrier's id of the event: 32 bytes. */
  eventKey: Buffer;
  trackingCode: string | null;
  /** Uuid of a shipment that may not exist. */
  reference: string | null;
  event: ReadEvent;
}

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
export type PendingEvent = Selected<typeof PENDING>;

/** The carrier's name of one parcel: its tracking code, or our reference where the event has no code. */
export interface InboundParcel {
  licenseId: number;
  parcel: string;
}

/** Stores events in one statement, due at once; leaves stored ones unchanged. */
export async function insertInboundEvents(
  db: Executor,
  args: { licenseId: number; events: readonly NewInboundEvent[] },
): Promise<void> {
  const rows = args.events.map(({ eventKey, trackingCode, reference, event }): SqlValue[] => [
    args.licenseId,
    eventKey,
    trackingCode ?? reference ?? '',
    trackingCode,
    reference,
    event.code ?? null,
    cutText(event.carrierCode, 64),
    cutText(event.carrierDescription, 500),
    isoToSql(event.occurredAt),
    event.location === null ? null : cutText(event.location, 255),
    event.isCurrent ?? false,
  ]);
  if (rows.length === 0) return;
  await db.run(
    `INSERT INTO inbound_events
       (license_id, event_key, parcel, tracking_code, reference, code, carrier_code, carrier_description, occurred_at,
        location, is_current, next_attempt_at)
     VALUES ${rows.map((row) => `(${placeholders(row.length)}, NOW(6))`).join(', ')}
     ON DUPLICATE KEY UPDATE id = id`,
    rows.flat(),
  );
}

/** Parcels of a license with a due event, longest due first, without repeats. */
export async function listDueParcels(
  db: Executor,
  args: { licenseId: number; limit: number },
): Promise<string[]> {
  const parcels = await e.parcel.select(
    db,
    `FROM inbound_events e WHERE ${e.licenseId} = ? AND ${e.status} = 'pending' AND ${e.nextAttemptAt} <= NOW(6)
     ORDER BY ${e.nextAttemptAt}, ${e.id} LIMIT ?`,
    [args.licenseId, args.limit],
  );
  return [...new Set(parcels)];
}

/** Locks and returns the waiting events of one parcel, due or not, oldest first. */
export async function lockParcelEvents(tx: Executor, parcel: InboundParcel): Promise<PendingEvent[]> {
  return await PENDING.select(
    tx,
    `FROM inbound_events e WHERE ${e.licenseId} = ? AND ${e.parcel} = ? AND ${e.status} = 'pending'
     ORDER BY ${e.occurredAt}, ${e.id} LIMIT ${LIMITS.polling.events} FOR UPDATE`,
    [parcel.licenseId, parcel.parcel],
  );
}

/** Ends events, recorded with a shipment or given up with a `reason`. */
export async function finishInboundEvents(
  tx: Executor,
  args: {
    ids: readonly number[];
    status: 'applied' | 'ignored';
    shipmentId: number | null;
    reason: string | null;
  },
): Promise<void> {
  await tx.run(
    `UPDATE inbound_events
     SET status = ?, shipment_id = ?, reason = ?, attempts = attempts + 1, next_attempt_at = NULL, finished_at = NOW(6)
     WHERE id IN (${placeholders(args.ids.length)})`,
    [args.status, args.shipmentId, args.reason, ...args.ids],
  );
}

/** Why events wait: the parcel is unknown, its shipment is not booked yet, or recording them failed. */
export type WaitReason = 'unknown_parcel' | 'not_booked_yet' | 'failed';

/** Longest time between two tries. A booking may complete at any time. */
const MOST_RETRY_SECONDS: Record<WaitReason, number> = {
  unknown_parcel: 1800,
  not_booked_yet: 300,
  failed: 1800,
};

/**
 * Postpones the waiting events of a parcel, the longer the older they are; returns how many were given up after waiting
 * a day. Events of a shipment that is not booked yet wait as long as it does: after an operator's decision, no other
 * source reports what happened to the parcel.
 */
export async function postponeInboundEvents(
  db: Executor,
  args: InboundParcel & { reason: WaitReason },
): Promise<number> {
  const waiting = [args.licenseId, args.parcel];
  await db.run(
    `UPDATE inbound_events
     SET attempts = attempts + 1, reason = ?,
         next_attempt_at = NOW(6) + INTERVAL LEAST(?, GREATEST(1,
           TIMESTAMPDIFF(SECOND, received_at, NOW(6)) / 2)) SECOND
     WHERE license_id = ? AND parcel = ? AND status = 'pending'`,
    [args.reason, MOST_RETRY_SECONDS[args.reason], ...waiting],
  );
  if (args.reason === 'not_booked_yet') return 0;
  const { affectedRows } = await db.run(
    `UPDATE inbound_events SET status = 'ignored', next_attempt_at = NULL, finished_at = NOW(6)
     WHERE license_id = ? AND parcel = ? AND status = 'pending'
       AND received_at < NOW(6) - INTERVAL ${LIMITS.polling.unknownHours} HOUR`,
    waiting,
  );
  return affectedRows;
}

/** Deletes at most `limit` events that ended long ago; returns how many. */
export async function deleteOldInboundEvents(
  db: Executor,
  args: { keepDays: number; limit: number },
): Promise<number> {
  const { affectedRows } = await db.run(
    'DELETE FROM inbound_events WHERE finished_at < NOW(6) - INTERVAL ? DAY ORDER BY finished_at LIMIT ?',
    [args.keepDays, args.limit],
  );
  return affectedRows;
}
