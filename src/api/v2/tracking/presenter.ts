import type { ShipmentRecord, StatusEvent } from '../../../domain/shipment.js';
import { trackingUrl } from '../../../domain/tracking-url.js';
import { presentShipmentStatus } from '../shipments/presenter.js';
import type { Tracking } from './schema.js';

/** A parcel found by tracking code; history oldest first. */
export function presentTracking(
  record: ShipmentRecord,
  events: readonly StatusEvent[],
  baseUrl: string,
): Tracking {
  return {
    ...presentShipmentStatus(record, events),
    short_tracking_code: record.shortTrackingCode,
    tracking_url: trackingUrl(baseUrl, record.shortTrackingCode),
    carrier: { id: record.carrier.id, name: record.carrier.name },
    delivered_at: record.deliveredAt,
  };
}
