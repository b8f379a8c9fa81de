import type { StoredAnswer } from '../../../contracts/create-shipment.js';
import type { WakeTarget } from '../../../contracts/wake.js';
import type { BookedParcel, OrderSnapshot, ShipmentRecord } from '../../../domain/shipment.js';
import { newShortTrackingCode, uuidV7 } from '../../../lib/ids.js';
import { isoToSql } from '../../../lib/time.js';
import { type Database, type Executor, isDuplicateKey, type RunResult } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { carrierAttempts, shipmentEvents, shipments } from '../../tables/index.js';
import { changeStatus } from '../shipments/attention.js';
import { anySlot, countShipments } from '../shipments/shipment-counts.js';
import { listSubscribers, recordEvents } from '../webhooks/events.js';
import { findAnswers } from './idempotency.js';
import { lockOrder, writeSnapshot } from './order-snapshots.js';

const a = carrierAttempts.as('a');
const s = shipments.as('s');
const BOOKED = shape({
  id: s.id,
  uuid: s.uuid,
  state: s.state,
  orderId: s.orderId,
  trackingCode: s.trackingCode,
});

/** A booking the carrier accepted, with the key's answer from now on. */
export interface BookingRecord {
  /** The shipment as booked. */
  shipment: ShipmentRecord;
  parcel: Pick<BookedParcel, 'trackingCode' | 'carrierReference'>;
  attempt: number;
  /** First poll of the parcel's status; null when the carrier has none. */
  nextPollAt: string | null;
  answer: StoredAnswer;
  /** How long the key keeps this answer. */
  keepForSeconds: number;
  /** Requested by a call of v1. */
  byStore?: boolean;
  /** New snapshot of an existing order. */
  order?: OrderSnapshot;
  /** An operator assigned the parcel to this shipment although another one has its code. */
  evenSo?: boolean;
}

/**
 * Writes tracking code, status, history, the count, the attempt's end, the key's answer, the order's new snapshot and
 * the event's deliveries in one transaction. Idempotent: a rerun returns the answer that was written first, null when
 * it has expired. `wake`: who delivers.
 * @throws UnclaimedParcel when the reservation was given up meanwhile; operators see it
 * @throws RowsLost when the database has no such reservation
 * @throws CodeTaken when another live shipment of the license has the tracking code
 */
export async function recordBooking(db: Database, record: BookingRecord): Promise<Recorded> {
  // Runs beside the transaction: at READ COMMITTED both read the same rows.
  const subscribers = listSubscribers(db, record.shipment);
  const recorded = db.transaction((tx) => recordIn(tx, record, subscribers));
  const [result] = await Promise.all([recorded, subscribers]);
  if (result instanceof Error) throw result;
  return result;
}

type Recorded = { answer: StoredAnswer | null; wake: WakeTarget[] };

/** {@link recordBooking} in a transaction, which must commit also where the result is an error. */
export async function recordIn(
  tx: Executor,
  record: BookingRecord,
  subscribers: ReturnType<typeof listSubscribers>,
): Promise<Recorded | UnclaimedParcel | CodeTaken | RowsLost> {
  const { shipment, answer } = record;
  // Locks the order before the shipment, as a reservation does.
  if (record.order !== undefined) await lockOrder(tx, shipment.order.rowId);
  const written = await takeCode(tx, record);
  if (written instanceof CodeTaken) return written;
  const { affectedRows, insertId } = written;
  if (affectedRows === 0) return await notRecorded(tx, record);
  return { answer, wake: await publish(tx, record, { subscribers, isCounted: insertId !== 0 }) };
}

/** Writes what follows from a created shipment: its history, its count, the order's new snapshot and the event. */
export async function publish(
  tx: Executor,
  { shipment, order: snapshot, byStore = false }: Pick<BookingRecord, 'shipment' | 'order' | 'byStore'>,
  { subscribers, isCounted }: { subscribers: ReturnType<typeof listSubscribers>; isCounted: boolean },
): Promise<WakeTarget[]> {
  const { id, accountId, licenseId, serviceType, order } = shipment;
  const event = {
    shipmentId: id,
    code: 'created',
    description: shipment.status.description,
    occurredAt: shipment.updatedAt,
  } as const;
  await shipmentEvents.insertText(tx, [event]);
  if (!isCounted) {
    await countShipments(tx, [{ accountId, licenseId, serviceType, status: 'created', by: 1 }]);
  }
  if (snapshot !== undefined) await writeSnapshot(tx, { rowId: order.rowId, shipmentId: id }, snapshot);
  const events = [{ event: 'shipment.created', fields: {} }] as const;
  // The row may have the number of a later creation, or of an earlier one when the snapshot is written afterwards.
  const told = { events, subscribers, byStore, orderNumber: order.number };
  return await recordEvents(tx, { accountId, licenseId, shipmentId: id, ...told });
}

/** The reservation was released before the carrier answered; an operator must cancel the parcel. */
export class UnclaimedParcel extends Error {}

/** The database has forgotten the reservation, or it was written again under other row ids. */
export class RowsLost extends Error {}

/** The carrier returned the number of another shipment: there may be one parcel for two. */
export class CodeTaken extends Error {}

/**
 * The result of a booking that changed nothing, by the state of its shipment: its key may be gone. Cases for an
 * operator are committed before the error is thrown.
 */
async function notRecorded(
  tx: Executor,
  record: BookingRecord,
): Promise<Recorded | UnclaimedParcel | RowsLost> {
  const { uuid } = record.shipment;
  const booked = await BOOKED.first(tx, `FROM shipments s WHERE ${s.uuid} = ? FOR UPDATE`, [uuid]);
  if (booked === null || booked.state === 'reserved') {
    return new RowsLost(`the rows of shipment ${uuid} are not those of its reservation`);
  }
  if (booked.state === 'created') {
    await showSecond(tx, booked, record.parcel);
    const [answer = null] = await findAnswers(tx, [uuid]);
    return { answer, wake: [] };
  }
  await showUnclaimed(tx, { uuid, trackingCode: record.parcel.trackingCode, attempt: record.attempt });
  return new UnclaimedParcel(`shipment ${uuid} was given up before it was booked`);
}

/** Carriers reuse numbers after months. */
const HOLDS_CODE = `${s.state} = 'created' AND ${s.isActive} AND ${s.createdAt} > NOW(6) - INTERVAL 60 DAY`;

/**
 * {@link writeBooking}, under the code's unique key: of two that get one code at once, at whatever nodes, one waits for
 * the other and is refused. A code that nobody holds any more, or that a person shares, goes over to this shipment.
 */
async function takeCode(tx: Executor, record: BookingRecord): Promise<RunResult | CodeTaken> {
  const { licenseId } = record.shipment;
  const { trackingCode } = record.parcel;
  const isShared = record.evenSo === true;
  for (;;) {
    try {
      return await writeBooking(tx, record);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    const holder = isShared ? null : await findHolder(tx, { licenseId, trackingCode });
    if (holder !== null)
      return new CodeTaken(`The carrier gave the number of shipment ${holder}: ${trackingCode}.`);
    // The row stays locked: nobody takes the code in between. One that has just taken it is the holder of the next round.
    await tx.run(
      `UPDATE shipments s SET s.holds_code = NULL, s.updated_at = s.updated_at
       WHERE ${s.licenseId} = ? AND ${s.trackingCode} = ? AND ${s.holdsCode} ${isShared ? '' : `AND NOT (${HOLDS_CODE})`}`,
      [licenseId, trackingCode],
    );
  }
}

/** The live shipment of the license that has the code; of several that share it the first. */
async function findHolder(
  tx: Executor,
  { licenseId, trackingCode }: { licenseId: number; trackingCode: string },
): Promise<string | null> {
  return await s.uuid.first(
    tx,
    `FROM shipments s WHERE ${s.licenseId} = ? AND ${s.trackingCode} = ? AND ${HOLDS_CODE} ORDER BY ${s.id} LIMIT 1`,
    [licenseId, trackingCode],
  );
}

/** Shows the parcel to operators, who cancel it with the carrier. Idempotent. `why`: nobody claims it. */
export async function showUnclaimed(
  tx: Executor,
  { uuid, trackingCode, attempt }: { uuid: string; trackingCode: string; attempt: number },
  why = 'after this was given up',
): Promise<void> {
  const text = `The carrier booked ${trackingCode} ${why}: cancel it there.`;
  await tx.run(
    `UPDATE carrier_attempts SET state = 'accepted', outcome_code = ?, answered_at = NOW(6)
     WHERE shipment_uuid = ? AND operation = 'book' AND number = ? AND state <> 'accepted'`,
    [trackingCode, uuid, attempt],
  );
  const change = { uuid, code: 'needs_attention', description: text } as const;
  const said = `The carrier booked ${trackingCode} %`;
  await changeStatus(tx, change, `${s.state} = 'refused' AND ${s.statusDescription} NOT LIKE ?`, [said]);
}

/** Whose parcel it is: a row without one of them is not found by who erases a person's data. */
const RECIPIENT = `recipient_name, recipient_phone, recipient_phone_key, recipient_email, recipient_company,
  recipient_street, recipient_number, recipient_entrance, recipient_floor, recipient_apartment, recipient_city,
  recipient_state, recipient_zip, recipient_country`;

/**
 * A try that was considered dead booked a second parcel. It is stored as a refused shipment of the same order, so that
 * an operator cancels it with the carrier. Idempotent. `booked`: the recorded parcel.
 */
export async function showSecond(
  tx: Executor,
  booked: Omit<Selected<typeof BOOKED>, 'state'>,
  { trackingCode, carrierReference }: BookingRecord['parcel'],
): Promise<void> {
  const { id, orderId, trackingCode: known } = booked;
  // An operator may have adopted the parcel by its other name.
  if (known === trackingCode || known === carrierReference) return;
  await lockOrder(tx, orderId);
  const shown = await s.id.first(
    tx,
    `FROM shipments s JOIN carrier_attempts a ON ${a.shipmentUuid} = ${s.uuid}
     WHERE ${s.orderId} = ? AND ${s.state} = 'refused' AND ${a.state} = 'accepted' AND ${a.outcomeCode} = ?`,
    [orderId, trackingCode],
  );
  if (shown !== null) return;
  const uuid = uuidV7();
  const text = `The carrier booked ${trackingCode} as well as ${known} of shipment ${booked.uuid}: cancel it there.`;
  await tx.run(
    `INSERT INTO shipments (uuid, short_tracking_code, state, is_active, status_code, status_description, status_at,
       account_id, license_id, carrier_id, order_id, workflow_id, service_type, return_type,
       ${RECIPIENT}, details)
     SELECT ?, ?, 'refused', FALSE, 'needs_attention', ?, NOW(6), account_id, license_id, carrier_id, order_id,
       workflow_id, service_type, return_type, ${RECIPIENT}, details
     FROM shipments WHERE id = ?`,
    [uuid, newShortTrackingCode(), text, id],
  );
  await tx.run(
    `INSERT INTO carrier_attempts (shipment_uuid, operation, number, state, outcome_code, answered_at)
     VALUES (?, 'book', 1, 'accepted', ?, NOW(6))`,
    [uuid, trackingCode],
  );
}

/**
 * One statement. It changes nothing when the shipment is no longer reserved. Its insert id is 0 in the rare case that
 * the count has no row yet. @throws DatabaseError of a duplicate key where another shipment holds the code
 */
async function writeBooking(tx: Executor, record: BookingRecord): Promise<RunResult> {
  const { shipment, parcel, answer } = record;
  const at = isoToSql(shipment.updatedAt);
  return await tx.run(
    `UPDATE shipments s
       LEFT JOIN idempotency_keys k ON k.shipment_uuid = s.uuid
       LEFT JOIN carrier_attempts a ON a.shipment_uuid = s.uuid AND a.operation = 'book' AND a.number = ?
       LEFT JOIN shipment_counts c ON c.account_id = s.account_id AND c.license_id = s.license_id
         AND c.status_code = 'created' AND c.service_type = s.service_type AND c.slot = ?
     SET s.state = 'created', s.tracking_code = ?, s.carrier_reference = ?, s.status_code = 'created',
         s.status_description = ?, s.status_at = ?, s.next_poll_at = ?, s.pending_order = NULL, s.updated_at = ?,
         k.response_status = ?, k.response_body = ?, k.finished_at = ?,
         k.expires_at = NOW(6) + INTERVAL ? SECOND,
         a.state = 'accepted', a.outcome_code = ?, a.answered_at = ?,
         c.total = c.total + SIGN(LAST_INSERT_ID(c.slot + 1))
     WHERE s.uuid = ? AND s.id = ? AND s.state = 'reserved'`,
    [
      record.attempt,
      anySlot(),
      parcel.trackingCode,
      parcel.carrierReference,
      shipment.status.description,
      at,
      record.nextPollAt === null ? null : isoToSql(record.nextPollAt),
      at,
      answer.status,
      answer.body,
      at,
      record.keepForSeconds,
      parcel.trackingCode,
      at,
      shipment.uuid,
      shipment.id,
    ],
  );
}

/**
 * Marks the reservation for an operator's decision. A call since the last mark renews time and reason, so that operators
 * hear of its unknown outcome too. Idempotent.
 */
export async function markNeedsAttention(
  db: Database,
  { uuid, reason }: { uuid: string; reason: string },
): Promise<void> {
  const change = { uuid, code: 'needs_attention', description: reason } as const;
  const isUnmarked = `${s.state} = 'reserved' AND (${s.statusCode} <> 'needs_attention' OR EXISTS (
    SELECT 1 FROM carrier_attempts a WHERE a.shipment_uuid = s.uuid AND a.operation = 'book'
      AND ${a.sentAt} > ${s.statusAt}))`;
  await db.transaction((tx) => changeStatus(tx, change, isUnmarked));
}

/** The tracking code of a created shipment; null before that. */
export async function findRecordedCode(db: Executor, uuid: string): Promise<string | null> {
  return await s.trackingCode.first(db, `FROM shipments s WHERE ${s.uuid} = ? AND ${s.state} = 'created'`, [
    uuid,
  ]);
}
