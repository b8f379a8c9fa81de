import type { ShipmentRecord, StatusEvent } from '../../../domain/shipment.js';
import type { Executor } from '../../database.js';
import { text } from '../../row.js';
import { expression, type Selection, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { carriers, orders, shipmentEvents, shipments, shippingStatuses } from '../../tables/index.js';

const s = shipments.as('s');
const r = carriers.as('r');
const o = orders.as('o');

/** An existing order's row has the number of an earlier creation until the carrier accepts the shipment. */
export const ORDER_NUMBER = expression(
  `COALESCE(JSON_UNQUOTE(JSON_EXTRACT(s.pending_order, '$.number')), o.number)`,
  text,
);

/** The amount to collect on delivery of the shipment `s`; null for none. */
export const COD = shape({ amount: s.codAmount, currency: s.codCurrency }).map(({ amount, currency }) =>
  amount === null || currency === null ? null : { amount, currency },
);

/** A shipment as the domain's record; select it from {@link SHIPMENT_TABLES}. */
export const SHIPMENT: Selection<ShipmentRecord> = shape({
  id: s.id,
  uuid: s.uuid,
  accountId: s.accountId,
  licenseId: s.licenseId,
  carrier: shape({ id: s.carrierId, name: r.name, provider: r.provider }),
  state: s.state,
  trackingCode: s.trackingCode,
  shortTrackingCode: s.shortTrackingCode,
  status: shape({ code: s.statusCode, description: s.statusDescription, at: s.statusAt }),
  serviceType: s.serviceType,
  returnType: s.returnType,
  isActive: s.isActive,
  recipient: shape({
    name: s.recipientName,
    phone: s.recipientPhone,
    email: s.recipientEmail,
    company: s.recipientCompany,
    street: s.recipientStreet,
    number: s.recipientNumber,
    entrance: s.recipientEntrance,
    floor: s.recipientFloor,
    apartment: s.recipientApartment,
    city: s.recipientCity,
    state: s.recipientState,
    zip: s.recipientZip,
    country: s.recipientCountry,
  }),
  pickupPointId: s.pickupPointId,
  packages: s.packages,
  cod: COD,
  order: shape({ rowId: s.orderId, id: o.orderId, number: ORDER_NUMBER }),
  externalId: s.externalId,
  labelGenerated: s.labelGenerated,
  collectionStatus: s.collectionStatus,
  collectedAt: s.collectedAt,
  readyAt: s.readyAt,
  cancelledAt: s.cancelledAt,
  deliveredAt: s.deliveredAt,
  checkedAt: s.checkedAt,
  createdAt: s.createdAt,
  updatedAt: s.updatedAt,
});

/** The tables behind {@link SHIPMENT}, by their aliases `s`, `r`, `o`. */
export const SHIPMENT_TABLES = `shipments s
  JOIN carriers r ON r.id = s.carrier_id
  JOIN orders o ON o.id = s.order_id`;

/** An account's shipment in any state but `refused`; null when the account has none. */
export async function findShipment(
  db: Executor,
  args: { accountId: number; uuid: string },
): Promise<ShipmentRecord | null> {
  return await SHIPMENT.first(
    db,
    `FROM ${SHIPMENT_TABLES} WHERE s.uuid = ? AND s.account_id = ? AND s.state <> 'refused'`,
    [args.uuid, args.accountId],
  );
}

/** The account's shipments with these uuids, or row ids, in any state but `refused`, in no order. */
export async function findShipments(
  db: Executor,
  args: { accountId: number } & ({ uuids: readonly string[] } | { ids: readonly number[] }),
): Promise<ShipmentRecord[]> {
  const [column, wanted] = 'uuids' in args ? (['uuid', args.uuids] as const) : (['id', args.ids] as const);
  if (wanted.length === 0) return [];
  return await SHIPMENT.select(
    db,
    `FROM ${SHIPMENT_TABLES}
     WHERE s.${column} IN (${placeholders(wanted.length)}) AND s.account_id = ? AND s.state <> 'refused'`,
    [...wanted, args.accountId],
  );
}

/** The parcels of a batch of the account, those without a label first, in the order of its items. */
export async function shipmentsOfBatch(
  db: Executor,
  { accountId, batchUuid, limit }: { accountId: number; batchUuid: string; limit: number },
): Promise<ShipmentRecord[]> {
  return await SHIPMENT.select(
    db,
    `FROM (SELECT i.position, i.shipment_uuid FROM batches b JOIN batch_items i ON i.batch_id = b.id
       WHERE b.uuid = ? AND b.account_id = ? AND i.status = 'created') found
     STRAIGHT_JOIN ${SHIPMENT_TABLES} ON s.uuid = found.shipment_uuid
     WHERE s.account_id = ? AND s.is_active = TRUE ORDER BY s.label_generated, found.position LIMIT ?`,
    [batchUuid, accountId, accountId, limit],
  );
}

/**
 * A shipment in any state and account: for callers that hold its uuid from our own rows.
 * @throws Error when there is none
 */
export async function getShipment(db: Executor, uuid: string): Promise<ShipmentRecord> {
  const found = await SHIPMENT.first(db, `FROM ${SHIPMENT_TABLES} WHERE s.uuid = ?`, [uuid]);
  if (found === null) throw new Error(`Shipment ${uuid} does not exist.`);
  return found;
}

/** Shipments read with an order: usually few, but unbounded. */
export const MAX_ORDER_SHIPMENTS = 100;

/** The newest created shipments of one order (by the order's row id), at most {@link MAX_ORDER_SHIPMENTS}. */
export async function listOrderShipments(
  db: Executor,
  args: { accountId: number; orderRowId: number; activeOnly?: boolean },
): Promise<ShipmentRecord[]> {
  return await SHIPMENT.select(
    db,
    `FROM ${SHIPMENT_TABLES}
     WHERE s.order_id = ? AND s.account_id = ? AND s.state = 'created'${args.activeOnly ? ' AND s.is_active' : ''}
     ORDER BY s.id DESC LIMIT ${MAX_ORDER_SHIPMENTS}`,
    [args.orderRowId, args.accountId],
  );
}

const e = shipmentEvents.as('shipment_events');
const EVENT = shape({
  code: e.code,
  description: e.description,
  occurredAt: e.occurredAt,
  carrierCode: e.carrierCode.map((code) => code || null),
  carrierDescription: e.carrierDescription,
  location: e.location,
});

/** A shipment's history, oldest first. */
export async function listEvents(db: Executor, shipmentId: number): Promise<StatusEvent[]> {
  return await shipmentEvents.find(db, EVENT, { shipmentId }, { order: ['occurredAt', 'id'] });
}

/** Status names in order that contain `search`, ignoring case. It has no wildcards. */
export async function listStatusNames(db: Executor, search = ''): Promise<string[]> {
  const tail = 'FROM shipping_statuses t WHERE LOCATE(LOWER(?), LOWER(t.name)) > 0 ORDER BY t.name';
  return await shippingStatuses.as('t').name.select(db, tail, [search]);
}
