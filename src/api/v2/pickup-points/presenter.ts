import type { ListedPoint } from '../../../db/queries/carriers/pickup-points.js';
import type { PickupPointBody } from './schema.js';

/** A pickup point; distances are rounded to meters. */
export function presentPickupPoint(
  point: ListedPoint,
  carrier: { id: number; name: string },
): PickupPointBody {
  return {
    id: point.id,
    name: point.name,
    city: point.city,
    street: point.street,
    number: point.number,
    latitude: point.latitude,
    longitude: point.longitude,
    remarks: point.remarks,
    carrier: { id: carrier.id, name: carrier.name },
    distance_km: point.distanceKm === null ? null : Math.round(point.distanceKm * 1000) / 1000,
  };
}
