import type { ShipmentRecord } from '../../../domain/shipment.js';

/** What `open_new_order` answers of a shipment. */
export interface OpenedOrder {
  /** Id of the shipment's row. */
  shipping_id: number;
  /** The carrier's tracking code. */
  code: string;
  shipping_type: string;
}

/**
 * The service in words. The label puts `type` 2 before `return` 2, and what is stored the other way round, as
 * the old service did.
 */
export function shippingTypeLabel({
  serviceType,
  returnType,
}: Pick<ShipmentRecord, 'serviceType' | 'returnType'>): string {
  if (serviceType === 2) return 'Collecting delivery';
  return returnType === 2 ? 'Double delivery' : 'Regular delivery';
}

/** A created shipment, as the stored answer of its key has it. */
export function presentOpened(shipment: ShipmentRecord): OpenedOrder {
  return {
    shipping_id: shipment.id,
    code: shipment.trackingCode ?? '',
    shipping_type: shippingTypeLabel(shipment),
  };
}
