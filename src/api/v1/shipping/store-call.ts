import type { LicensedShipment } from '../../../db/queries/shipments/coded-shipments.js';
import type { StoreCall } from '../../../services/express/store-calls.js';
import { succeeded } from '../reply.js';
import { presentOpened } from './created.js';
import { presentRow } from './presenter.js';

/** The plugin's call for a created shipment, with the response that its own request would have received. */
export function presentMade(shipment: LicensedShipment): StoreCall {
  const opened = { ...presentOpened(shipment), company: { name: shipment.company } };
  return {
    action: 'order_shipment_created_meta',
    body: {
      order_id: Number(shipment.order.id),
      meta_data: presentRow(shipment),
      shipos_response: succeeded(opened).json,
    },
  };
}

/** The plugin's call for a cancelled shipment. */
export function presentCancelled(shipment: LicensedShipment): StoreCall {
  return {
    action: 'order_shipment_cancelled_meta',
    body: { order_id: Number(shipment.order.id), shipping_code: shipment.trackingCode ?? '' },
  };
}
