import type { ReturnType, ServiceType } from './shipment.js';

/** A shipment's kind as API v1 stores and filters it. */
export type StoredType = 'regular' | 'double' | 'collecting';

/** A return leg comes first: a collection with one is `double`. */
export function storedType(shipment: { serviceType: ServiceType; returnType: ReturnType }): StoredType {
  if (shipment.returnType === 2) return 'double';
  return shipment.serviceType === 2 ? 'collecting' : 'regular';
}
