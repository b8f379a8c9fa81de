import { isStatusCode } from '../../domain/statuses.js';
import { cutText } from '../../lib/text.js';
import { isoToSql } from '../../lib/time.js';
import type { Executor, Row, SqlValue } from '../database.js';
import { bool, int, iso, text, textOrNull } from '../row.js';
import { placeholders } from '../sql.js';
import type { ReadEvent } from './polling.js';

/** How long an event is kept for which no shipment is found. */
const KEEP_UNKNOWN_HOURS = 24;
/** A parcel is looked up again after half of the event's age, at the earliest after so many seconds. */
const LEAST_RETRY_SECONDS = 1;
/** Events of one parcel that are recorded together, at most. */
const PARCEL_EVENTS = 500;

/** One event as a carrier's webhook told it. At least one of `trackingCode` and `reference` is there. */
export interface NewInboundEvent {
  /** SHA-256 of the carrier's id of the event: 32 bytes. */
  eventKey: Buffer;
  trackingCode: string | null;
  /** Uuid of a shipment, which is not known to exist. */
  reference: string | null;
  event: ReadEvent;
}

/** A stored event that waits. */
export interface WaitingEvent {
  id: number;
  trackingCode: string | null;
  reference: string | null;
  /** ISO 8601 UTC with microseconds. */
  receivedAt: string;
  event: ReadEvent;
}

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
  const rows = await db.select(
    `SELECT parcel FROM inbound_events
     WHERE license_id = ? AND state = 'waiting' AND next_attempt_at <= NOW(6) ORDER BY next_attempt_at, id LIMIT ?`,
    [args.licenseId, args.limit],
  );
  return [...new Set(rows.map((row) => text(row, 'parcel')))];
}

/** Locks and gives what waits for one parcel, due or not, in the order in which it happened. */
export async function lockParcelEvents(tx: Executor, parcel: InboundParcel): Promise<WaitingEvent[]> {
  const rows = await tx.select(
    `SELECT id, tracking_code, reference, code, carrier_code, carrier_description, occurred_at, location, is_current,
       received_at
     FROM inbound_events WHERE license_id = ? AND parcel = ? AND state = 'waiting'
     ORDER BY occurred_at, id LIMIT ${PARCEL_EVENTS} FOR UPDATE`,
    [parcel.licenseId, parcel.parcel],
  );
  return rows.map(toWaiting);
}

/** Ends events: recorded with a shipment, or never to be. `reason` says why not. */
export async function finishInboundEvents(
  tx: Executor,
  args: {
    ids: readonly number[];
    state: 'applied' | 'ignored';
    shipmentId: number | null;
    reason: string | null;
  },
): Promise<void> {
  await tx.run(
    `UPDATE inbound_events
     SET state = ?, shipment_id = ?, reason = ?, attempts = attempts + 1, next_attempt_at = NULL, finished_at = NOW(6)
     WHERE id IN (${placeholders(args.ids.length)})`,
    [args.state, args.shipmentId, args.reason, ...args.ids],
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
         next_attempt_at = NOW(6) + INTERVAL LEAST(?, GREATEST(${LEAST_RETRY_SECONDS},
           TIMESTAMPDIFF(SECOND, received_at, NOW(6)) / 2)) SECOND
     WHERE license_id = ? AND parcel = ? AND state = 'waiting'`,
    [args.reason, MOST_RETRY_SECONDS[args.reason], ...waiting],
  );
  if (args.reason === 'not_booked_yet') return 0;
  const { affectedRows } = await db.run(
    `UPDATE inbound_events SET state = 'ignored', next_attempt_at = NULL, finished_at = NOW(6)
     WHERE license_id = ? AND parcel = ? AND state = 'waiting'
       AND received_at < NOW(6) - INTERVAL ${KEEP_UNKNOWN_HOURS} HOUR`,
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

function toWaiting(row: Row): WaitingEvent {
  const code = textOrNull(row, 'code');
  return {
    id: int(row, 'id'),
    trackingCode: textOrNull(row, 'tracking_code'),
    reference: textOrNull(row, 'reference'),
    receivedAt: iso(row, 'received_at'),
    event: {
      code: code !== null && isStatusCode(code) ? code : undefined,
      carrierCode: text(row, 'carrier_code'),
      carrierDescription: text(row, 'carrier_description'),
      occurredAt: iso(row, 'occurred_at'),
      location: textOrNull(row, 'location'),
      isCurrent: bool(row, 'is_current'),
    },
  };
}
