import { type PickupPlace, placeInWords } from '../../domain/recipient-words/pickup-place.js';
import type { Row } from '../database.js';
import { text, textOrNull } from '../row.js';

/** What the caller said of where the point is; JSON's null is none. */
const TOLD = "JSON_EXTRACT(s.details, '$.pickupAddress')";

/**
 * Columns of {@link toPickupPlace} for the shipment `s`; `p` is the pickup point that is joined by
 * {@link PICKUP_PLACE_JOIN}.
 */
export const PICKUP_PLACE_COLUMNS = `IF(s.pickup_point_id IS NOT NULL AND JSON_TYPE(${TOLD}) = 'STRING', JSON_UNQUOTE(${TOLD}), NULL)
         AS told_point, p.name AS point_name, p.city AS point_city, p.street AS point_street,
       p.number AS point_number, p.remarks AS point_remarks, p.latitude AS point_latitude,
       p.longitude AS point_longitude`;

/** Joins the stored copy of the pickup point of the shipment `s`. */
export const PICKUP_PLACE_JOIN =
  'LEFT JOIN pickup_points p ON p.license_id = s.license_id AND p.point_id = s.pickup_point_id';

/** From the stored copy, else in the caller's words; null where neither says where the shipment's point is. */
export function toPickupPlace(row: Row): PickupPlace | null {
  const name = textOrNull(row, 'point_name');
  if (name === null) {
    const told = textOrNull(row, 'told_point')?.trim() || null;
    return told === null ? null : placeInWords(told);
  }
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
