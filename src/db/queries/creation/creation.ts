import type { Creation, Reservation } from '../../../contracts/create-shipment.js';
import type { WakeTarget } from '../../../contracts/wake.js';
import { phoneKey } from '../../../domain/phone.js';
import type { BookedParcel, OrderSnapshot, ServiceType, ShipmentRecord } from '../../../domain/shipment.js';
import { statusName } from '../../../domain/statuses.js';
import type { Database, Executor } from '../../database.js';
import { placeholders } from '../../sql.js';
import { batches, orders, shipments } from '../../tables/index.js';
import type { ChangesOf, RowOf } from '../../tables/table.js';
import { getShipment } from '../shipments/shipments.js';
import { listSubscribers } from '../webhooks/events.js';
import { shipmentOfKey, takeKey } from './idempotency.js';
import { insertItems, insertOrder } from './order-snapshots.js';
import { type BookingRecord, publish } from './recording.js';

/** The identity that the caller of {@link reserveShipment} chose for the shipment. */
export interface NewShipment {
  uuid: string;
  shortTrackingCode: string;
  workflowId: string;
  /** ISO 8601 UTC with microseconds. */
  createdAt: string;
}

/** Rolls back when the order already has an active shipment of the same service type. */
export class DuplicateOrder extends Error {
  constructor(readonly shipmentUuid: string | null) {
    super();
  }
}

/** Rolls back when the batch of the creation is cancelled. */
class BatchCancelled extends Error {}

/**
 * Takes the idempotency key and writes the order and the shipment in one transaction. A rerun with the same key finds
 * the first reservation: the unique key decides, also after a crash.
 */
export async function reserveShipment(
  db: Database,
  { creation, order }: { creation: Creation; order: OrderSnapshot },
  fresh: NewShipment,
): Promise<Reservation> {
  return await refusable(
    db.transaction(async (tx) => {
      const met = await reserveKey(tx, creation, fresh.uuid);
      if (met !== undefined) return met;
      await refuseCancelled(tx, creation);
      return await writeReservation(tx, { creation, order }, fresh);
    }),
  );
}

/** A reservation, or why there is none. */
async function refusable<R>(reserving: Promise<R>): Promise<R | Refused> {
  try {
    return await reserving;
  } catch (error) {
    if (error instanceof BatchCancelled) return { kind: 'batch_cancelled' };
    if (error instanceof DuplicateOrder) {
      const { shipmentUuid } = error;
      return shipmentUuid === null ? { kind: 'duplicate_order' } : { kind: 'duplicate_order', shipmentUuid };
    }
    throw error;
  }
}

type Refused = Extract<Reservation, { kind: 'batch_cancelled' | 'duplicate_order' }>;

/** How a shipment is issued: its record, and what is stored with it. Its row ids are 0 until it is inserted. */
export type Issued = Pick<BookingRecord, 'shipment' | 'answer' | 'nextPollAt' | 'byStore'> & {
  parcel: BookedParcel;
};

/**
 * Takes the key with its answer and writes order, shipment, history and the event's deliveries in one transaction:
 * nobody is called, so there is nothing between reservation and record. `issue` makes the record of what is reserved.
 * `wake`: who delivers.
 */
export async function issueShipment(
  db: Database,
  { creation, order }: { creation: Creation; order: OrderSnapshot },
  fresh: NewShipment,
  issue: (reserved: ShipmentRecord) => Issued,
): Promise<{ reservation: Reservation; wake: WakeTarget[] }> {
  const issued = issue(newRecord(creation, fresh));
  // Runs beside the transaction: at READ COMMITTED both read the same rows.
  const subscribers = listSubscribers(db, creation);
  const written = db.transaction(async (tx): Promise<{ reservation: Reservation; wake: WakeTarget[] }> => {
    const met = await reserveKey(tx, creation, fresh.uuid, { ...issued.answer, at: fresh.createdAt });
    if (met !== undefined) return { reservation: met, wake: [] };
    await refuseCancelled(tx, creation);
    const { parcel, nextPollAt, answer, byStore } = issued;
    const { shipment, isNew } = await writeRows(tx, { creation, order }, issued.shipment, {
      workflowId: fresh.workflowId,
      pendingOrder: null,
      carrierReference: parcel.carrierReference,
      nextPollAt,
    });
    const record = { shipment, ...(byStore ? { byStore } : {}), ...(isNew ? {} : { order }) };
    const wake = await publish(tx, record, { subscribers, isCounted: false });
    return { reservation: { kind: 'issued', shipment, parcel, answer }, wake };
  });
  const [result] = await Promise.all([refusable(written), subscribers]);
  return 'reservation' in result ? result : { reservation: result, wake: [] };
}

/** Writes order and shipment. `asRefused`: as what operators see, which counts for nothing. @throws DuplicateOrder */
export async function writeReservation(
  tx: Executor,
  { creation, order }: { creation: Creation; order: OrderSnapshot },
  fresh: NewShipment,
  asRefused = false,
): Promise<Extract<Reservation, { kind: 'reserved' }>> {
  const reserved = newRecord(creation, fresh);
  const record = asRefused ? { ...reserved, state: 'refused' as const, isActive: false } : reserved;
  const { workflowId } = fresh;
  const columns = { workflowId, pendingOrder: JSON.stringify(order) };
  const { shipment, isNew } = await writeRows(tx, { creation, order }, record, columns);
  return { kind: 'reserved', shipment, ...(isNew ? {} : { orderExisted: true }) };
}

/** Writes order, shipment and items. `columns`: those that the record has not. @throws DuplicateOrder */
async function writeRows(
  tx: Executor,
  { creation, order }: { creation: Creation; order: OrderSnapshot },
  record: ShipmentRecord,
  columns: Pick<RowOf<typeof shipments>, GivenColumn> & ChangesOf<typeof shipments>,
): Promise<{ shipment: ShipmentRecord; isNew: boolean }> {
  const { rowId, isNew } = await insertOrder(tx, creation, order);
  const shipment = { ...record, order: { ...record.order, rowId } };
  const id = await insertShipment(tx, { creation, shipment }, { ...rowOf(creation, shipment), ...columns });
  if (isNew) await insertItems(tx, rowId, order.items);
  return { shipment: { ...shipment, id }, isNew };
}

/** Undefined when the key was taken now; else the content of its row. */
async function reserveKey(
  tx: Executor,
  creation: Creation,
  uuid: string,
  answer?: { status: number; body: string; at: string },
): Promise<Reservation | undefined> {
  const { accountId, idempotency } = creation;
  const stored = await takeKey(tx, {
    accountId,
    idempotency,
    uuid,
    ...(answer === undefined ? {} : { answer }),
  });
  if (stored === undefined) return undefined;
  const { shipmentUuid, fingerprint, status, body } = stored;
  if (fingerprint !== idempotency.fingerprint) {
    const holder = shipmentOfKey(stored);
    return holder === undefined ? { kind: 'key_conflict' } : { kind: 'key_conflict', shipmentUuid: holder };
  }
  if (status !== null)
    return { kind: 'finished', answer: { shipmentUuid, fingerprint, status, body: body ?? '' } };
  return { kind: 'reserved', shipment: await getShipment(tx, shipmentUuid), orderExisted: true };
}

const b = batches.as('b');

/**
 * The lock makes a cancellation wait for reservations under way: an item without a key after it never gets one. A
 * stalled process may start the creation of an item that failed long ago. The row is not changed, or the items of a
 * batch would wait for one another: a cancellation by another node of a cluster ends the transaction that holds the
 * lock, and what was committed in the same moment counts as under way.
 * @throws BatchCancelled
 */
async function refuseCancelled(tx: Executor, { accountId, batchUuid }: Creation): Promise<void> {
  if (batchUuid === undefined) return;
  const batch = await b.id.first(
    tx,
    `FROM batches b WHERE ${b.uuid} = ? AND ${b.accountId} = ? AND ${b.cancelledAt} IS NULL LOCK IN SHARE MODE`,
    [batchUuid, accountId],
  );
  if (batch === null) throw new BatchCancelled();
}

/** The shipment before the carrier is asked; the inserts set the row ids. */
function newRecord(creation: Creation, fresh: NewShipment): ShipmentRecord {
  const { accountId, licenseId, carrier, details, order } = creation;
  const { uuid, shortTrackingCode, createdAt } = fresh;
  return {
    id: 0,
    uuid,
    accountId,
    licenseId,
    carrier,
    state: 'reserved',
    trackingCode: null,
    shortTrackingCode,
    status: { code: 'pending', description: statusName('pending'), at: createdAt },
    serviceType: details.serviceType,
    returnType: details.returnType,
    isActive: true,
    recipient: creation.recipient ?? details.recipient,
    pickupPointId: details.pickupPointId,
    packages: details.packages,
    cod: details.cod,
    order: { rowId: 0, id: order.id, number: order.number },
    externalId: order.externalId,
    labelGenerated: false,
    collectionStatus: details.serviceType === 2 ? 'awaiting_collection' : null,
    collectedAt: null,
    readyAt: null,
    cancelledAt: null,
    deliveredAt: null,
    checkedAt: null,
    createdAt,
    updatedAt: createdAt,
  };
}

const s = shipments.as('s');

/** Shipments that block another one: a delivery never blocks a collection of the same order. */
const ACTIVE_OF_ORDER = `FROM shipments s WHERE ${s.orderId} = ? AND ${s.serviceType} = ? AND ${s.isActive} = TRUE
  AND ${s.state} IN ('reserved', 'created')`;

/** The first active shipment of a service type that the order has; null without any. */
export async function findActiveOfOrder(
  db: Executor,
  { licenseId, orderId, serviceType }: { licenseId: number; orderId: string; serviceType: ServiceType },
): Promise<string | null> {
  const order = await orders.findOne(db, orders.pick('id'), { licenseId, orderId, accountId: undefined });
  if (order === null) return null;
  return await s.uuid.first(db, `${ACTIVE_OF_ORDER} ORDER BY ${s.id} LIMIT 1`, [order.id, serviceType]);
}

/** @throws DuplicateOrder */
async function insertShipment(
  tx: Executor,
  { creation, shipment }: { creation: Creation; shipment: ShipmentRecord },
  row: ChangesOf<typeof shipments>,
): Promise<number> {
  const { names, params } = shipments.written(row);
  const { multipleShipment } = creation;
  const active = [shipment.order.rowId, shipment.serviceType];
  const { affectedRows, insertId } = await tx.run(
    `INSERT INTO shipments (${names.join(', ')}) SELECT ${placeholders(params.length)} FROM DUAL
     ${multipleShipment ? '' : `WHERE NOT EXISTS (SELECT 1 ${ACTIVE_OF_ORDER})`}`,
    multipleShipment ? params : [...params, ...active],
  );
  if (affectedRows > 0) return insertId;
  throw new DuplicateOrder(await s.uuid.first(tx, `${ACTIVE_OF_ORDER} ORDER BY ${s.id} LIMIT 1`, active));
}

/** Columns that `writeRows` is given beside the record. */
type GivenColumn = 'workflowId' | 'pendingOrder';
/** Columns that the creation leaves to their defaults and to later steps: `rowOf` writes every other column. */
type LaterColumn = 'id' | 'holdsCode' | 'carrierReference' | 'answeredPending' | 'nextPollAt' | 'flag';

function rowOf(
  creation: Creation,
  shipment: ShipmentRecord,
): Omit<RowOf<typeof shipments>, LaterColumn | GivenColumn> {
  const { id: _id, recipient, ...record } = shipment;
  return {
    ...record,
    carrierId: shipment.carrier.id,
    orderId: shipment.order.rowId,
    statusCode: shipment.status.code,
    statusDescription: shipment.status.description,
    statusAt: shipment.status.at,
    recipientName: recipient.name,
    recipientPhone: recipient.phone,
    recipientEmail: recipient.email,
    recipientCompany: recipient.company,
    recipientStreet: recipient.street,
    recipientNumber: recipient.number,
    recipientEntrance: recipient.entrance,
    recipientFloor: recipient.floor,
    recipientApartment: recipient.apartment,
    recipientCity: recipient.city,
    recipientState: recipient.state,
    recipientZip: recipient.zip,
    recipientCountry: recipient.country,
    recipientPhoneKey: phoneKey(recipient.phone),
    codAmount: shipment.cod?.amount ?? null,
    codCurrency: shipment.cod?.currency ?? null,
    details: { ...creation.details },
  };
}
