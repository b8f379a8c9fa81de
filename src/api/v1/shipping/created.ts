import type { ShipmentRecord } from '../../../domain/shipment.js';

/** A shipment in the response of `open_new_order`. */
interface OpenedOrder {
  /** Row id of the shipment. */
  shipping_id: number;
  /** The carrier's tracking code. */
  code: string;
  shipping_type: string;
}

/** The service in words. For this label `type` 2 wins over `return` 2, unlike in storage, as in the old service. */
function shippingTypeLabel({
  serviceType,
  returnType,
}: Pick<ShipmentRecord, 'serviceType' | 'returnType'>): string {
  if (serviceType === 2) return 'Collecting delivery';
  return returnType === 2 ? 'Double delivery' : 'Regular delivery';
}

/** The shipment as stored in its key's answer. */
export function presentOpened(shipment: ShipmentRecord): OpenedOrder {
  return {
    shipping_id: shipment.id,
    code: shipment.trackingCode ?? '',
    shipping_type: shippingTypeLabel(shipment),
  };
}
