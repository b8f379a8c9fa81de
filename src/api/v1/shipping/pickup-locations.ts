import { LIMITS } from '../../../lib/limits/values.js';
import { listPickupPoints } from '../../../services/carriers/list-pickup-points.js';
import { succeeded } from '../reply.js';
import { envelopeOf } from '../responses.js';
import { defineLicensedRoute } from '../route.js';
import { presentSpot } from './presenter.js';
import { type LocationsBody, LocationsSchema } from './schema.js';

/** The list is not paged; carriers have a few thousand points. */
export const pickupLocationsRoute = defineLicensedRoute(
  {
    method: 'post',
    path: '/shipping/pickup_locations',
    operationId: 'pickupLocations',
    tag: 'Shipping',
    summary: "List the carrier's pickup points",
    description:
      'All points by city, from a copy that is renewed daily; the first request for a license fetches it.',
    normalised: true,
    provider: 'pickupPoints',
    input: {},
    inputExample: { license_key: 'lic-main', domain: 'demo-shop.example' },
    responses: { 200: { description: 'The points.', schema: envelopeOf(LocationsSchema) } },
  },
  async ({ app, request, license }) => {
    const { accountId } = license;
    const points = await request.whileWaiting(() =>
      listPickupPoints(app, { accountId, license, limit: LIMITS.points.v1Points }),
    );
    return succeeded({
      locations: { spots: { spot_detail: points.map(presentSpot) } },
    } satisfies LocationsBody);
  },
);
