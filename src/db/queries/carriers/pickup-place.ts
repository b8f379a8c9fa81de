import { type PickupPlace, placeInWords } from '../../../domain/recipient-words/pickup-place.js';
import { text } from '../../row.js';
import { expression, shape } from '../../selection.js';
import { pickupPoints } from '../../tables/index.js';

/** The caller's description of the point; JSON's null is none. */
const TOLD = "JSON_EXTRACT(s.details, '$.pickupAddress')";

const p = pickupPoints.as('p');
const COPY = shape({
  name: p.name,
  street: p.street,
  number: p.number,
  city: p.city,
  remarks: p.remarks,
  coordinates: shape({ latitude: p.latitude, longitude: p.longitude }).map(({ latitude, longitude }) =>
    latitude === null || longitude === null ? null : { latitude, longitude },
  ),
});

/**
 * The pickup place of the shipment `s`: from the stored copy of its point (joined by {@link PICKUP_PLACE_JOIN}), else
 * in the caller's words; null when neither has the place.
 */
export const PICKUP_PLACE = shape({
  copy: COPY.or(null),
  told: expression(
    `IF(s.pickup_point_id IS NOT NULL AND JSON_TYPE(${TOLD}) = 'STRING', JSON_UNQUOTE(${TOLD}), NULL)`,
    text,
  ).or(null),
}).map(({ copy, told }): PickupPlace | null => {
  const words = told?.trim() ?? '';
  return copy ?? (words === '' ? null : placeInWords(words));
});

/** Joins the stored copy of the pickup point of the shipment `s`. */
export const PICKUP_PLACE_JOIN =
  'LEFT JOIN pickup_points p ON p.license_id = s.license_id AND p.point_id = s.pickup_point_id';

/** The recipient's view of a shipment comes from these tables, by their aliases `s`, `o`, `r`, `a` and `p`. */
export const RECIPIENT_TABLES = `shipments s
  JOIN orders o ON o.id = s.order_id
  JOIN carriers r ON r.id = s.carrier_id
  JOIN accounts a ON a.id = s.account_id
  ${PICKUP_PLACE_JOIN}`;
