import { isStatusCode } from '../../../domain/statuses.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { cutText } from '../../../lib/text.js';
import { isoToSql } from '../../../lib/time.js';
import type { Executor, SqlValue } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { inboundEvents } from '../../tables/inbound-events.js';
import type { ReadEvent } from './readings.js';

/** One event as a carrier's webhook told it. At least one of `trackingCode` and `reference` is there. */
export interface NewInboundEvent {
  /** SHA-256 of the carrier's id of the event: 32 bytes. */
  eventKey: Buffer;
  trackingCode: string | null;
  /** Uuid of a shipment, which is not known to exist. */
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

/** Names what a license's carrier calls one parcel: its tracking code, or our reference where it tells no code. */
export interface InboundParcel {
  licenseId: number;
  parcel: string;
}

/** Stores events in one statement, due at once; those that are stored already stay as they are. */
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

/** Parcels of a license of which an event is due, those due longest first, each once. */
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

/** Locks and gives what waits for one parcel, due or not, in the order in which it happened. */
export async function lockParcelEvents(tx: Executor, parcel: InboundParcel): Promise<PendingEvent[]> {
  return await PENDING.select(
    tx,
    `FROM inbound_events e WHERE ${e.licenseId} = ? AND ${e.parcel} = ? AND ${e.status} = 'pending'
     ORDER BY ${e.occurredAt}, ${e.id} LIMIT ${LIMITS.polling.events} FOR UPDATE`,
    [parcel.licenseId, parcel.parcel],
  );
}

/** Ends events: recorded with a shipment, or never to be. `reason` says why not. */
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

/** Why events wait: nobody knows the parcel, its shipment is not booked yet, or recording them failed. */
export type WaitReason = 'unknown_parcel' | 'not_booked_yet' | 'failed';

/** Longest time between two tries. A booking may be decided at any time. */
const MOST_RETRY_SECONDS: Record<WaitReason, number> = {
  unknown_parcel: 1800,
  not_booked_yet: 300,
  failed: 1800,
};

/**
 * Lets what waits for a parcel wait on, the longer the older it is; returns how many events were given up, which
 * those are that have waited for a day. Those of a shipment that is not booked yet wait as long as it does: once a
 * person has decided, nobody else may tell what happened to the parcel.
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

/** Deletes events that ended so long ago, at most `limit`, and tells how many. */
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
