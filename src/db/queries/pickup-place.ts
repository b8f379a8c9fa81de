import type { PickupPlace } from '../../domain/recipient-words/pickup-place.js';
import type { Row } from '../database.js';
import { text, textOrNull } from '../row.js';

/** Columns of {@link toPickupPlace}; `p` is the pickup point that is joined by {@link PICKUP_PLACE_JOIN}. */
export const PICKUP_PLACE_COLUMNS = `p.name AS point_name, p.city AS point_city, p.street AS point_street,
       p.number AS point_number, p.remarks AS point_remarks, p.latitude AS point_latitude,
       p.longitude AS point_longitude`;

/** Joins the stored copy of the pickup point of the shipment `s`. */
export const PICKUP_PLACE_JOIN =
  'LEFT JOIN pickup_points p ON p.license_id = s.license_id AND p.point_id = s.pickup_point_id';

/** Null where the shipment has none, or the stored copy does not know it. */
export function toPickupPlace(row: Row): PickupPlace | null {
  const name = textOrNull(row, 'point_name');
  if (name === null) return null;
  const latitude = textOrNull(row, 'point_latitude');
  const longitude = textOrNull(row, 'point_longitude');
  return {
    name,
    street: text(row, 'point_street'),
    number: text(row, 'point_number'),
    city: text(row, 'point_city'),
    remarks: text(row, 'point_remarks'),
    coordinates: latitude === null || longitude === null ? null : { latitude, longitude },
  };
}
