import type { Creation, Reservation } from '../../contracts/create-shipment.js';
import { warehouseLocation } from '../../domain/labels.js';
import { phoneKey } from '../../domain/phone.js';
import type { OrderSnapshot, ShipmentRecord } from '../../domain/shipment.js';
import { statusName } from '../../domain/statuses.js';
import { cutText } from '../../lib/text.js';
import { isoToSql } from '../../lib/time.js';
import type { Database, Executor, SqlValue } from '../database.js';
import { int, text } from '../row.js';
import { type StoredKey, shipmentOfKey, takeKey } from './idempotency.js';
import { getShipment } from './shipments.js';

/** Characters of a location in the warehouse that are kept for labels and lists. */
const MAX_LOCATION = 255;

/** What the caller of {@link reserveShipment} chose: the shipment's future identity. */
export interface NewShipment {
  uuid: string;
  shortTrackingCode: string;
  workflowId: string;
  /** ISO 8601 UTC with microseconds. */
  createdAt: string;
}

/** Leaves the transaction, undoing it, when the order already has an active shipment of the same service type. */
class DuplicateOrder extends Error {
  constructor(readonly shipmentUuid: string | undefined) {
    super();
  }
}

/** Leaves the transaction, undoing it, when the batch of the creation is cancelled. */
class BatchCancelled extends Error {}

/**
 * Takes the idempotency key and writes the order and the shipment, all or nothing. Running it again under the
 * same key finds the first reservation: the unique key decides, whatever crashed in between.
 */
export async function reserveShipment(
  db: Database,
  { creation, order }: { creation: Creation; order: OrderSnapshot },
  fresh: NewShipment,
): Promise<Reservation> {
  try {
    return await db.transaction(async (tx) => {
      const met = await reserveKey(tx, creation, fresh.uuid);
      if (met !== undefined) return met;
      await refuseCancelled(tx, creation);
      const { rowId, isNew } = await insertOrder(tx, creation, order);
      const shipment = newRecord(creation, fresh, rowId);
      const id = await insertShipment(tx, { creation, order }, shipment, fresh.workflowId);
      if (isNew) await insertItems(tx, rowId, order.items);
      const reserved = { kind: 'reserved', shipment: { ...shipment, id } } as const;
      return isNew ? reserved : { ...reserved, orderKnown: true };
    });
  } catch (error) {
    if (error instanceof BatchCancelled) return { kind: 'batch_cancelled' };
    if (error instanceof DuplicateOrder) {
      const { shipmentUuid } = error;
      return shipmentUuid === undefined
        ? { kind: 'duplicate_order' }
        : { kind: 'duplicate_order', shipmentUuid };
    }
    throw error;
  }
}

/** Undefined when the key is now ours; else what its row says. */
async function reserveKey(tx: Executor, creation: Creation, uuid: string): Promise<Reservation | undefined> {
  const { accountId, idempotency } = creation;
  const stored = await takeKey(tx, { accountId, idempotency, uuid });
  if (stored === undefined) return undefined;
  const { shipmentUuid, fingerprint, status, body } = stored;
  if (fingerprint !== idempotency.fingerprint) return keyConflict(stored);
  if (status !== null)
    return { kind: 'finished', answer: { shipmentUuid, fingerprint, status, body: body ?? '' } };
  return { kind: 'reserved', shipment: await getShipment(tx, shipmentUuid), orderKnown: true };
}

function keyConflict(stored: StoredKey): Reservation {
  const shipmentUuid = shipmentOfKey(stored);
  return shipmentUuid === undefined ? { kind: 'key_conflict' } : { kind: 'key_conflict', shipmentUuid };
}

/**
 * The lock makes a cancellation wait for the reservations under way: what has no key after it never gets one. A process
 * that stood still may start the creation of an item when that has long been failed.
 * @throws BatchCancelled
 */
async function refuseCancelled(tx: Executor, { accountId, batchUuid }: Creation): Promise<void> {
  if (batchUuid === undefined) return;
  const [open] = await tx.select(
    'SELECT id FROM batches WHERE account_id = ? AND uuid = ? AND cancelled_at IS NULL LOCK IN SHARE MODE',
    [accountId, batchUuid],
  );
  if (open === undefined) throw new BatchCancelled();
}

/** The shipment as it is before the carrier is asked; `id` follows from the insert. */
function newRecord(creation: Creation, fresh: NewShipment, orderRowId: number): ShipmentRecord {
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
    order: { rowId: orderRowId, id: order.id, number: order.number },
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

/**
 * Inserts the order where it is new, else leaves it as it is: the carrier may refuse what comes with the snapshot. Its
 * row lock makes shipments of one order take turns.
 */
async function insertOrder(
  tx: Executor,
  { accountId, licenseId }: Creation,
  order: OrderSnapshot,
): Promise<{ rowId: number; isNew: boolean }> {
  const result = await tx.run(
    `INSERT INTO orders (account_id, license_id, order_id, number, status, source, total, currency, external_id,
                         billing, shipping, meta_data, warehouse_location, store_site_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id)`,
    [accountId, licenseId, order.id, ...snapshotValues(order)],
  );
  return { rowId: result.insertId, isNew: result.affectedRows === 1 };
}

/** Writes the snapshot of an accepted creation as {@link writeSnapshot}, by itself. */
export async function writeOrder(db: Database, place: OrderPlace, order: OrderSnapshot): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOrder(tx, place.rowId);
    await writeSnapshot(tx, place, order);
  });
}

/** An order's row, and that of one of its shipments. */
interface OrderPlace {
  rowId: number;
  shipmentId: number;
}

/** Makes creations of one order take turns. */
export async function lockOrder(tx: Executor, rowId: number): Promise<void> {
  await tx.select('SELECT id FROM orders WHERE id = ? FOR UPDATE', [rowId]);
}

/**
 * Writes the snapshot of an accepted creation over the order's earlier one, unless a later creation was accepted before:
 * an older one that took longer knows less. A snapshot without items keeps those of an accepted one, but none that a
 * refused creation has left. Run again, it changes nothing. The order is locked.
 */
export async function writeSnapshot(tx: Executor, place: OrderPlace, order: OrderSnapshot): Promise<void> {
  const { rowId, shipmentId } = place;
  const others = await tx.select(
    `SELECT id FROM shipments WHERE order_id = ? AND state = 'created' AND id <> ? ORDER BY id DESC LIMIT 1`,
    [rowId, shipmentId],
  );
  const newest = others[0] === undefined ? 0 : int(others[0], 'id');
  if (newest > shipmentId) return;
  await tx.run(
    `UPDATE orders SET number = ?, status = ?, source = ?, total = ?, currency = ?, external_id = ?, billing = ?,
       shipping = ?, meta_data = ?, warehouse_location = ?, store_site_id = COALESCE(?, store_site_id)
     WHERE id = ?`,
    [...snapshotValues(order), rowId],
  );
  if (order.items.length === 0 && newest > 0) return;
  await tx.run('DELETE FROM order_items WHERE order_id = ?', [rowId]);
  await insertItems(tx, rowId, order.items);
}

function snapshotValues(order: OrderSnapshot): SqlValue[] {
  const location = warehouseLocation(order.metaData);
  return [
    order.number,
    order.status,
    order.source,
    order.total,
    order.currency,
    order.externalId,
    JSON.stringify(order.billing),
    JSON.stringify(order.shipping),
    order.metaData === null || order.metaData === undefined ? null : JSON.stringify(order.metaData),
    location === null ? null : cutText(location, MAX_LOCATION),
    order.storeSiteId ?? null,
  ];
}

const SHIPMENT_INSERT_COLUMNS = `uuid, account_id, license_id, carrier_id, order_id, workflow_id,
  short_tracking_code, status_at, service_type, return_type, recipient_name, recipient_phone, recipient_email,
  recipient_company, recipient_street, recipient_number, recipient_entrance, recipient_floor,
  recipient_apartment, recipient_city, recipient_state, recipient_zip, recipient_country, pickup_point_id,
  packages, cod_amount, cod_currency, external_id, details, pending_order, collection_status,
  recipient_phone_key, created_at, updated_at`;

/** What blocks another one: a delivery never keeps its order from being collected again. */
const ACTIVE_OF_ORDER = `WHERE order_id = ? AND service_type = ? AND is_active = TRUE
  AND state IN ('reserved', 'created')`;

async function activeShipment(
  tx: Executor,
  { order, serviceType }: ShipmentRecord,
): Promise<string | undefined> {
  const [row] = await tx.select(`SELECT uuid FROM shipments ${ACTIVE_OF_ORDER} ORDER BY id LIMIT 1`, [
    order.rowId,
    serviceType,
  ]);
  return row === undefined ? undefined : text(row, 'uuid');
}

async function insertShipment(
  tx: Executor,
  given: { creation: Creation; order: OrderSnapshot },
  shipment: ShipmentRecord,
  workflowId: string,
): Promise<number> {
  const values = shipmentValues(given, shipment, workflowId);
  const { multipleShipment } = given.creation;
  const unlessActive = multipleShipment
    ? ''
    : `WHERE NOT EXISTS (SELECT 1 FROM shipments ${ACTIVE_OF_ORDER})`;
  const result = await tx.run(
    `INSERT INTO shipments (${SHIPMENT_INSERT_COLUMNS})
     SELECT ${values.map(() => '?').join(', ')} FROM DUAL ${unlessActive}`,
    multipleShipment ? values : [...values, shipment.order.rowId, shipment.serviceType],
  );
  if (result.affectedRows === 0) {
    throw new DuplicateOrder(await activeShipment(tx, shipment));
  }
  return result.insertId;
}

function shipmentValues(
  { creation, order }: { creation: Creation; order: OrderSnapshot },
  shipment: ShipmentRecord,
  workflowId: string,
): SqlValue[] {
  const { recipient } = shipment;
  const at = isoToSql(shipment.createdAt);
  return [
    shipment.uuid,
    shipment.accountId,
    shipment.licenseId,
    shipment.carrier.id,
    shipment.order.rowId,
    workflowId,
    shipment.shortTrackingCode,
    at,
    shipment.serviceType,
    shipment.returnType,
    recipient.name,
    recipient.phone,
    recipient.email,
    recipient.company,
    recipient.street,
    recipient.number,
    recipient.entrance,
    recipient.floor,
    recipient.apartment,
    recipient.city,
    recipient.state,
    recipient.zip,
    recipient.country,
    shipment.pickupPointId,
    shipment.packages,
    shipment.cod?.amount ?? null,
    shipment.cod?.currency ?? null,
    shipment.externalId,
    JSON.stringify(creation.details),
    JSON.stringify(order),
    shipment.collectionStatus,
    phoneKey(recipient.phone),
    at,
    at,
  ];
}

async function insertItems(tx: Executor, rowId: number, items: OrderSnapshot['items']): Promise<void> {
  if (items.length === 0) return;
  await tx.run(
    `INSERT INTO order_items (order_id, position, name, sku, variation, quantity, total, is_virtual)
     VALUES ${items.map(() => '(?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
    items.flatMap((item, position) => [
      rowId,
      position,
      item.name,
      item.sku,
      item.variation,
      item.quantity,
      item.total,
      item.virtual,
    ]),
  );
}
