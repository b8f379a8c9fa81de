import type { Static } from 'typebox';
import type { LicenseSummary } from '../../../db/queries/accounts/accounts.js';
import type { ListedPoint } from '../../../db/queries/carriers/pickup-points.js';
import { validationError } from '../../../domain/errors.js';
import type { Place } from '../../../domain/pickup-points.js';
import { problemAt } from '../../../domain/problems/problem.js';
import { listPickupPoints } from '../../../services/carriers/list-pickup-points.js';
import { defineRoute, theLicense } from '../../route.js';
import { listAnswerOf } from '../schemas.js';
import { ListPickupPointsQuery, PickupPointSchema } from './schema.js';

const pointExample = {
  id: '1002',
  name: 'Corner Kiosk',
  city: 'Haifa',
  street: 'Herzl',
  number: '12',
  latitude: 32.811,
  longitude: 34.999,
  remarks: 'Sun-Thu 08:00-20:00',
  carrier: { id: 2, name: 'Run' },
  distance_km: 0.412,
};

const list = defineRoute(
  {
    method: 'get',
    path: '/pickup-points',
    operationId: 'listPickupPoints',
    tag: 'Pickup points',
    summary: "List the carrier's pickup points",
    description:
      'From a copy that is renewed daily. The first request for a license fetches the list from the carrier and may ' +
      'take some seconds. Sorted by distance with `latitude` and `longitude`, else by city and id.',
    license: 'one',
    query: ListPickupPointsQuery,
    responses: {
      200: listAnswerOf(
        'The points.',
        PickupPointSchema,
        'The points, nearest first when coordinates were given.',
        [pointExample],
      ),
    },
    errors: ['not_supported', 'carrier_rejected'],
    errorMessages: {
      not_supported: 'Wolt Drive has no pickup points.',
      carrier_rejected: 'The carrier did not list its pickup points.',
    },
  },
  async (context) => {
    const { app, request, accountId, query } = context;
    const license = theLicense(context);
    const near = placeOf(query);
    const points = await request.whileWaiting(() =>
      listPickupPoints(app, {
        accountId,
        license,
        limit: query.limit ?? 50,
        ...(query.city === undefined ? {} : { city: query.city }),
        ...(near === null ? {} : { near }),
      }),
    );
    return { status: 200, json: { data: points.map((point) => presentPickupPoint(point, license.carrier)) } };
  },
);

export const pickupPointRoutes = { list };

/** The query's coordinates; null without any. @throws AppError `validation_failed` when one is missing */
function placeOf({ latitude, longitude }: { latitude?: number; longitude?: number }): Place | null {
  if (latitude !== undefined && longitude !== undefined) return { latitude, longitude };
  if (latitude === undefined && longitude === undefined) return null;
  const [missing, given] =
    latitude === undefined ? (['latitude', 'longitude'] as const) : (['longitude', 'latitude'] as const);
  throw validationError({ [missing]: [problemAt(missing, 'required_with', { other: given })] });
}

/** A pickup point; distances are rounded to meters. */
function presentPickupPoint(
  point: ListedPoint,
  { id, name }: LicenseSummary['carrier'],
): Static<typeof PickupPointSchema> {
  return {
    id: point.id,
    name: point.name,
    city: point.city,
    street: point.street,
    number: point.number,
    latitude: point.latitude,
    longitude: point.longitude,
    remarks: point.remarks,
    carrier: { id, name },
    distance_km: point.distanceKm === null ? null : Math.round(point.distanceKm * 1000) / 1000,
  };
}
