import { type Static, Type } from 'typebox';
import { carrierOf, closedObject, nullableText, whenOrNull } from '../schemas.js';
import { ShipmentStatusSchema } from '../shipments/schema.js';

export const TrackingParams = Type.Object({
  tracking_code: Type.String({ description: "The carrier's tracking code.", examples: ['74100231'] }),
});

export const TrackingSchema = closedObject('Tracking', 'A parcel by its tracking code.', {
  ...ShipmentStatusSchema.properties,
  short_tracking_code: nullableText({ description: 'Key of the public tracking page.' }),
  tracking_url: Type.String({
    description: 'The public tracking page: no credentials, no personal data.',
  }),
  carrier: carrierOf('TrackingCarrier', 'The carrier that has the parcel.'),
  delivered_at: whenOrNull('When it was delivered; null before.'),
});
export type Tracking = Static<typeof TrackingSchema>;
