import type { Static } from 'typebox';
import type { OrderRecord } from '../../../db/queries/shipments/orders.js';
import type { ShipmentRecord } from '../../../domain/shipment.js';
import { withStored } from '../../stored-json.js';
import { presentShipment } from '../shipments/presenter.js';
import type { Order, OrderWithShipmentsSchema } from './schema.js';

/** An order in a list with its stored addresses, as JSON text. */
export function orderText(record: OrderRecord): string {
  return withAddresses(record, withoutAddresses(record));
}

/** An order with its shipments, as JSON text. */
export function orderWithShipmentsText(record: OrderRecord, shipments: readonly ShipmentRecord[]): string {
  const order: Static<typeof OrderWithShipmentsSchema> = {
    ...withoutAddresses(record),
    shipments: shipments.map(presentShipment),
  };
  return withAddresses(record, order);
}

function withAddresses({ billing, shipping }: OrderRecord, order: Order): string {
  return withStored(order, [
    ['billing', billing],
    ['shipping', shipping],
  ]);
}

function withoutAddresses(record: OrderRecord): Order {
  return {
    id: record.id,
    order_id: record.orderId,
    number: record.number,
    source: record.source,
    total: record.total,
    currency: record.currency,
    billing: {},
    shipping: {},
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}
