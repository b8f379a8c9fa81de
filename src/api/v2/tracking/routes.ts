import { listEvents } from '../../../db/queries/shipments/shipments.js';
import { findByTrackingCode } from '../../../db/queries/shipments/tracking.js';
import { notFound } from '../../../domain/errors.js';
import { defineRoute } from '../../route.js';
import { shipmentExample, statusExample } from '../examples.js';
import { dataOf } from '../schemas.js';
import { presentTracking } from './presenter.js';
import { type Tracking, TrackingParams, TrackingSchema } from './schema.js';

const trackingExample = {
  ...statusExample,
  short_tracking_code: shipmentExample.short_tracking_code,
  tracking_url: `https://parcels.acme.test/track/${shipmentExample.short_tracking_code}`,
  carrier: shipmentExample.carrier,
  delivered_at: null,
} satisfies Tracking;

const show = defineRoute(
  {
    method: 'get',
    path: '/tracking/{tracking_code}',
    operationId: 'trackParcel',
    tag: 'Tracking',
    summary: 'Track a parcel by its tracking code',
    description:
      "The account's newest shipment with this code. Recipients need no API: send them the address in `tracking_url`.",
    license: 'none',
    params: TrackingParams,
    responses: {
      200: {
        description: 'The status, with its history oldest first.',
        schema: dataOf(TrackingSchema),
        example: { data: trackingExample },
      },
    },
    errors: ['not_found'],
    errorMessages: { not_found: 'The requested shipment was not found.' },
  },
  async ({ app, accountId, params }) => {
    const shipment = await findByTrackingCode(app.db, { accountId, trackingCode: params.tracking_code });
    if (shipment === null) throw notFound('shipment');
    const events = await listEvents(app.db, shipment.id);
    return { status: 200, json: { data: presentTracking(shipment, events, app.config.baseUrl) } };
  },
);

export const trackingRoutes = [show];
