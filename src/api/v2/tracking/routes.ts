import { type Static, Type } from 'typebox';
import { listEvents } from '../../../db/queries/shipments/shipments.js';
import { findByTrackingCode } from '../../../db/queries/shipments/tracking.js';
import { notFound } from '../../../domain/errors.js';
import type { ShipmentRecord, StatusEvent } from '../../../domain/shipment.js';
import { trackingUrl } from '../../../domain/tracking-url.js';
import { defineRoute } from '../../route.js';
import { closedObject, nullableText, whenOrNull } from '../../schemas.js';
import { shipmentExample, statusExample } from '../examples.js';
import { answerOf, carrierOf } from '../schemas.js';
import { presentShipmentStatus } from '../shipments/presenter.js';
import { ShipmentStatusSchema } from '../shipments/schema.js';

const TrackingParams = Type.Object({
  tracking_code: Type.String({ description: "The carrier's tracking code.", examples: ['74100231'] }),
});

const TrackingSchema = closedObject('Tracking', 'A parcel by its tracking code.', {
  ...ShipmentStatusSchema.properties,
  short_tracking_code: nullableText('Key of the public tracking page.'),
  tracking_url: Type.String({
    description: 'The public tracking page: no credentials, no personal data.',
  }),
  carrier: carrierOf('TrackingCarrier', 'The carrier that has the parcel.'),
  delivered_at: whenOrNull('When it was delivered; null before.'),
});
const trackingExample = {
  ...statusExample,
  short_tracking_code: shipmentExample.short_tracking_code,
  tracking_url: `https://parcels.acme.test/track/${shipmentExample.short_tracking_code}`,
  carrier: shipmentExample.carrier,
  delivered_at: null,
};

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
      200: answerOf('The status, with its history oldest first.', TrackingSchema, trackingExample),
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

export const trackingRoutes = { show };

/** A parcel found by tracking code; history oldest first. */
function presentTracking(
  record: ShipmentRecord,
  events: readonly StatusEvent[],
  baseUrl: string,
): Static<typeof TrackingSchema> {
  return {
    ...presentShipmentStatus(record, events),
    short_tracking_code: record.shortTrackingCode,
    tracking_url: trackingUrl(baseUrl, record.shortTrackingCode),
    carrier: { id: record.carrier.id, name: record.carrier.name },
    delivered_at: record.deliveredAt,
  };
}
