import type { OrderRecord } from '../../../db/queries/orders.js';
import type { ShipmentRecord } from '../../../domain/shipment.js';
import { presentShipment } from '../shipments/presenter.js';
import type { Order, OrderWithShipments } from './schema.js';

/** An order as lists show it. */
export function presentOrder(record: OrderRecord): Order {
  return {
    id: record.id,
    order_id: record.orderId,
    number: record.number,
    source: record.source,
    total: record.total,
    currency: record.currency,
    billing: record.billing,
    shipping: record.shipping,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

/** An order by itself, with its shipments in the order given. */
export function presentOrderWithShipments(
  record: OrderRecord,
  shipments: readonly ShipmentRecord[],
): OrderWithShipments {
  return { ...presentOrder(record), shipments: shipments.map(presentShipment) };
}
