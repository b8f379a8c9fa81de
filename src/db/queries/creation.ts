import type { CreateShipmentInput, ReservedShipment, StoredAnswer } from '../../contracts/shipments.js';
import { isoToSql } from '../../lib/time.js';
import type { Database, Executor, SqlValue } from '../database.js';
import { int, text } from '../row.js';
import { takeKey } from './idempotency.js';

/** What the caller of {@link reserveShipment} chose: the shipment's future identity. */
type NewShipment = Omit<ReservedShipment, 'shipmentId' | 'orderInternalId'>;

/** What the unique key decided; a reserved shipment is the key's, whichever run inserted it. */
export type Reservation =
  | { kind: 'reserved'; shipment: ReservedShipment }
  | { kind: 'finished'; answer: StoredAnswer }
  | { kind: 'key_conflict' }
  | { kind: 'duplicate_order' };

/** Leaves the transaction, undoing it, when the order already has an active shipment. */
class DuplicateOrder extends Error {}

/**
 * Takes the idempotency key and writes the order and the shipment, all or nothing. Running it again under the
 * same key finds the first reservation: the unique key decides, whatever crashed in between.
 */
export async function reserveShipment(
  db: Database,
  input: CreateShipmentInput,
  fresh: NewShipment,
): Promise<Reservation> {
  try {
    return await db.transaction(async (tx) => {
      const met = await reserveKey(tx, input, fresh.uuid);
      if (met !== undefined) return met;
      const order = await upsertOrder(tx, input);
      const shipmentId = await insertShipment(tx, input, fresh, order.id);
      if (input.order.items.length > 0) await replaceItems(tx, order, input);
      return { kind: 'reserved', shipment: { ...fresh, shipmentId, orderInternalId: order.id } };
    });
  } catch (error) {
    if (error instanceof DuplicateOrder) return { kind: 'duplicate_order' };
    throw error;
  }
}

/** Undefined when the key is now ours; else what its row says. */
async function reserveKey(
  tx: Executor,
  input: CreateShipmentInput,
  uuid: string,
): Promise<Reservation | undefined> {
  const { accountId, idempotency } = input;
  const stored = await takeKey(tx, { accountId, idempotency, uuid });
  if (stored === undefined) return undefined;
  const { shipmentUuid, fingerprint, status, body } = stored;
  if (fingerprint !== idempotency.fingerprint) return { kind: 'key_conflict' };
  if (status !== null)
    return { kind: 'finished', answer: { shipmentUuid, fingerprint, status, body: body ?? '' } };
  const [row] = await tx.select(
    `SELECT id AS shipment_id, order_id, short_tracking_code, workflow_id,
       DATE_FORMAT(created_at, '%Y-%m-%dT%H:%i:%s.%fZ') AS created_at
     FROM shipments WHERE uuid = ?`,
    [shipmentUuid],
  );
  if (row === undefined) throw new Error('a key is open, but its shipment is not there');
  return {
    kind: 'reserved',
    shipment: {
      uuid: shipmentUuid,
      shortTrackingCode: text(row, 'short_tracking_code'),
      workflowId: text(row, 'workflow_id'),
      createdAt: text(row, 'created_at'),
      shipmentId: int(row, 'shipment_id'),
      orderInternalId: int(row, 'order_id'),
    },
  };
}

/** Writes the order's newest snapshot; its row lock makes shipments of one order take turns. */
async function upsertOrder(
  tx: Executor,
  input: CreateShipmentInput,
): Promise<{ id: number; isNew: boolean }> {
  const { order } = input;
  const result = await tx.run(
    `INSERT INTO orders (account_id, license_id, order_id, number, status, source, total, currency, external_id,
                         billing, shipping, meta_data)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id), number = VALUES(number), status = VALUES(status),
       source = VALUES(source), total = VALUES(total), currency = VALUES(currency),
       external_id = VALUES(external_id), billing = VALUES(billing), shipping = VALUES(shipping),
       meta_data = VALUES(meta_data)`,
    [
      input.accountId,
      input.licenseId,
      order.orderId,
      order.number,
      order.status,
      order.source,
      order.total,
      order.currency,
      order.externalId,
      JSON.stringify(order.billing),
      JSON.stringify(order.shipping),
      order.metaData === null || order.metaData === undefined ? null : JSON.stringify(order.metaData),
    ],
  );
  return { id: result.insertId, isNew: result.affectedRows === 1 };
}

const SHIPMENT_INSERT_COLUMNS = `uuid, account_id, license_id, carrier_id, order_id, workflow_id,
  short_tracking_code, status_at, service_type, return_type, recipient_name, recipient_phone, recipient_email,
  recipient_company, recipient_street, recipient_number, recipient_entrance, recipient_floor,
  recipient_apartment, recipient_city, recipient_state, recipient_zip, recipient_country, pickup_point_id,
  packages, cod_amount, cod_currency, external_id, details, collection_status, created_at, updated_at`;

async function insertShipment(
  tx: Executor,
  input: CreateShipmentInput,
  fresh: NewShipment,
  orderId: number,
): Promise<number> {
  const values = shipmentValues(input, fresh, orderId);
  const unlessActive = input.multipleShipment
    ? ''
    : `WHERE NOT EXISTS (SELECT 1 FROM shipments
         WHERE order_id = ? AND is_active = TRUE AND state IN ('reserved', 'created'))`;
  const result = await tx.run(
    `INSERT INTO shipments (${SHIPMENT_INSERT_COLUMNS})
     SELECT ${values.map(() => '?').join(', ')} FROM DUAL ${unlessActive}`,
    input.multipleShipment ? values : [...values, orderId],
  );
  if (result.affectedRows === 0) throw new DuplicateOrder();
  return result.insertId;
}

function shipmentValues(input: CreateShipmentInput, fresh: NewShipment, orderId: number): SqlValue[] {
  const { recipient, ...details } = input.details;
  const at = isoToSql(fresh.createdAt);
  return [
    fresh.uuid,
    input.accountId,
    input.licenseId,
    input.carrierId,
    orderId,
    fresh.workflowId,
    fresh.shortTrackingCode,
    at,
    details.serviceType,
    details.returnType,
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
    details.pickupPointId,
    details.packages,
    details.cod?.amount ?? null,
    details.cod?.currency ?? null,
    input.order.externalId,
    JSON.stringify(details),
    details.serviceType === 2 ? 'awaiting_collection' : null,
    at,
    at,
  ];
}

async function replaceItems(
  tx: Executor,
  order: { id: number; isNew: boolean },
  input: CreateShipmentInput,
): Promise<void> {
  if (!order.isNew) await tx.run('DELETE FROM order_items WHERE order_id = ?', [order.id]);
  const { items } = input.order;
  await tx.run(
    `INSERT INTO order_items (order_id, position, name, sku, variation, quantity, total, is_virtual)
     VALUES ${items.map(() => '(?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
    items.flatMap((item, position) => [
      order.id,
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
