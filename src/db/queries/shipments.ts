import type { Money, Recipient, ShipmentRecord, StatusEvent } from '../../domain/shipment.js';
import type { Executor, Row } from '../database.js';
import { bool, int, iso, isoOrNull, oneOrTwo, statusCode, text, textOrNull } from '../row.js';

/** The row of an order that was there before has an earlier creation's number until the carrier accepts the shipment. */
export const ORDER_NUMBER = `COALESCE(JSON_UNQUOTE(JSON_EXTRACT(s.pending_order, '$.number')), o.number)`;

/** What {@link toShipment} reads; select it from {@link SHIPMENT_TABLES}. */
export const SHIPMENT_COLUMNS = `s.id, s.uuid, s.account_id, s.license_id, s.carrier_id, s.order_id, s.state,
  s.tracking_code, s.carrier_reference, s.short_tracking_code, s.status_code, s.status_description, s.status_at,
  s.service_type, s.return_type, s.is_active, s.recipient_name, s.recipient_phone, s.recipient_email,
  s.recipient_company, s.recipient_street, s.recipient_number, s.recipient_entrance, s.recipient_floor,
  s.recipient_apartment, s.recipient_city, s.recipient_state, s.recipient_zip, s.recipient_country,
  s.pickup_point_id, s.packages, s.cod_amount, s.cod_currency, s.external_id, s.label_generated,
  s.collection_status, s.collected_at, s.ready_at, s.cancelled_at, s.delivered_at, s.checked_at,
  s.created_at, s.updated_at, r.name AS carrier_name, r.provider,
  o.order_id AS store_order_id, ${ORDER_NUMBER} AS order_number`;

/** The tables behind {@link SHIPMENT_COLUMNS}, by their aliases `s`, `r`, `o`. */
export const SHIPMENT_TABLES = `shipments s
  JOIN carriers r ON r.id = s.carrier_id
  JOIN orders o ON o.id = s.order_id`;

/** An account's shipment in any state but `refused`; null when there is none, or it is another account's. */
export async function findShipment(
  db: Executor,
  args: { accountId: number; uuid: string },
): Promise<ShipmentRecord | null> {
  const [row] = await db.select(
    `SELECT ${SHIPMENT_COLUMNS} FROM ${SHIPMENT_TABLES} WHERE s.uuid = ? AND s.account_id = ? AND s.state <> 'refused'`,
    [args.uuid, args.accountId],
  );
  return row === undefined ? null : toShipment(row);
}

/**
 * A shipment in any state, whoever's it is: for those who hold its uuid from our own rows.
 * @throws Error when there is none
 */
export async function getShipment(db: Executor, uuid: string): Promise<ShipmentRecord> {
  const [row] = await db.select(`SELECT ${SHIPMENT_COLUMNS} FROM ${SHIPMENT_TABLES} WHERE s.uuid = ?`, [
    uuid,
  ]);
  if (row === undefined) throw new Error(`Shipment ${uuid} does not exist.`);
  return toShipment(row);
}

/** Shipments of an order that are read with it: an order is for few, but nothing bounds them. */
export const MAX_ORDER_SHIPMENTS = 100;

/** The newest created shipments of one order (by the order's row id), at most {@link MAX_ORDER_SHIPMENTS}. */
export async function listOrderShipments(
  db: Executor,
  args: { accountId: number; orderRowId: number; activeOnly?: boolean },
): Promise<ShipmentRecord[]> {
  const rows = await db.select(
    `SELECT ${SHIPMENT_COLUMNS} FROM ${SHIPMENT_TABLES}
     WHERE s.order_id = ? AND s.account_id = ? AND s.state = 'created'${args.activeOnly ? ' AND s.is_active' : ''}
     ORDER BY s.id DESC LIMIT ${MAX_ORDER_SHIPMENTS}`,
    [args.orderRowId, args.accountId],
  );
  return rows.map(toShipment);
}

/** A shipment's history, oldest first. */
export async function listEvents(db: Executor, shipmentId: number): Promise<StatusEvent[]> {
  const rows = await db.select(
    `SELECT code, description, occurred_at, carrier_code, carrier_description, location
     FROM shipment_events WHERE shipment_id = ? ORDER BY occurred_at, id`,
    [shipmentId],
  );
  return rows.map((row) => ({
    code: statusCode(row, 'code'),
    description: text(row, 'description'),
    occurredAt: iso(row, 'occurred_at'),
    carrierCode: text(row, 'carrier_code') || null,
    carrierDescription: textOrNull(row, 'carrier_description'),
    location: textOrNull(row, 'location'),
  }));
}

/** A row of {@link SHIPMENT_COLUMNS} as the domain's record. */
export function toShipment(row: Row): ShipmentRecord {
  return {
    id: int(row, 'id'),
    uuid: text(row, 'uuid'),
    accountId: int(row, 'account_id'),
    licenseId: int(row, 'license_id'),
    carrier: { id: int(row, 'carrier_id'), name: text(row, 'carrier_name'), provider: text(row, 'provider') },
    state: toState(text(row, 'state')),
    trackingCode: textOrNull(row, 'tracking_code'),
    shortTrackingCode: text(row, 'short_tracking_code'),
    status: {
      code: statusCode(row, 'status_code'),
      description: text(row, 'status_description'),
      at: iso(row, 'status_at'),
    },
    serviceType: oneOrTwo(row, 'service_type'),
    returnType: oneOrTwo(row, 'return_type'),
    isActive: bool(row, 'is_active'),
    recipient: toRecipient(row),
    pickupPointId: textOrNull(row, 'pickup_point_id'),
    packages: int(row, 'packages'),
    cod: toCod(row),
    order: {
      rowId: int(row, 'order_id'),
      id: text(row, 'store_order_id'),
      number: text(row, 'order_number'),
    },
    externalId: textOrNull(row, 'external_id'),
    labelGenerated: bool(row, 'label_generated'),
    collectionStatus: toCollectionStatus(textOrNull(row, 'collection_status')),
    collectedAt: isoOrNull(row, 'collected_at'),
    readyAt: isoOrNull(row, 'ready_at'),
    cancelledAt: isoOrNull(row, 'cancelled_at'),
    deliveredAt: isoOrNull(row, 'delivered_at'),
    checkedAt: isoOrNull(row, 'checked_at'),
    createdAt: iso(row, 'created_at'),
    updatedAt: iso(row, 'updated_at'),
  };
}

function toRecipient(row: Row): Recipient {
  return {
    name: text(row, 'recipient_name'),
    phone: text(row, 'recipient_phone'),
    email: textOrNull(row, 'recipient_email'),
    company: textOrNull(row, 'recipient_company'),
    street: textOrNull(row, 'recipient_street'),
    number: textOrNull(row, 'recipient_number'),
    entrance: textOrNull(row, 'recipient_entrance'),
    floor: textOrNull(row, 'recipient_floor'),
    apartment: textOrNull(row, 'recipient_apartment'),
    city: textOrNull(row, 'recipient_city'),
    state: textOrNull(row, 'recipient_state'),
    zip: textOrNull(row, 'recipient_zip'),
    country: text(row, 'recipient_country'),
  };
}

function toCod(row: Row): Money | null {
  const amount = textOrNull(row, 'cod_amount');
  const currency = textOrNull(row, 'cod_currency');
  return amount === null || currency === null ? null : { amount, currency };
}

function toState(value: string): ShipmentRecord['state'] {
  if (value === 'reserved' || value === 'created' || value === 'refused') return value;
  throw new TypeError('Column state holds an unknown state.');
}

function toCollectionStatus(value: string | null): ShipmentRecord['collectionStatus'] {
  if (value === null || value === 'awaiting_collection' || value === 'collected') return value;
  throw new TypeError('Column collection_status holds an unknown status.');
}
