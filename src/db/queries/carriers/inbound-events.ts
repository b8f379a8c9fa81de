import { LIMITS } from '../../../lib/limits/values.js';
import { cutText } from '../../../lib/text.js';
import { isoToSql } from '../../../lib/time.js';
import type { Executor, SqlValue } from '../../database.js';
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

/** Longest time between two tries, by why the events wait. A booking may complete at any time. */
const MOST_RETRY_SECONDS = { unknown_parcel: 1800, not_booked_yet: 300, failed: 1800 };

/**
 * Postpones the waiting events of a parcel, the longer the older they are; returns how many were given up after waiting
 * a day. Events of a shipment that is not booked yet wait as long as it does: after an operator's decision, no other
 * source reports what happened to the parcel.
 */
export async function postponeInboundEvents(
  db: Executor,
  args: InboundParcel & { reason: keyof typeof MOST_RETRY_SECONDS },
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
