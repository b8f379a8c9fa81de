import type { ReturnType, ServiceType } from './shipment.js';

/** A shipment's kind in one word, as API v1 stores and filters it. */
export type StoredType = 'regular' | 'double' | 'collecting';

/** A way back counts before the direction: a collection with a return leg is `double`. */
export function storedType(shipment: { serviceType: ServiceType; returnType: ReturnType }): StoredType {
  if (shipment.returnType === 2) return 'double';
  return shipment.serviceType === 2 ? 'collecting' : 'regular';
}
