import type { ShipmentRecord, StatusEvent } from '../../../domain/shipment.js';
import { isDelivered, shownDescription } from '../../../domain/statuses.js';
import { presentEvent } from '../../presented.js';
import type { Shipment, ShipmentStatus } from './schema.js';

/** A shipment; unknown texts that are not nullable are empty. */
export function presentShipment(record: ShipmentRecord): Shipment {
  const { recipient } = record;
  return {
    uuid: record.uuid,
    tracking_code: record.trackingCode,
    carrier: { id: record.carrier.id, name: record.carrier.name },
    status: presentStatus(record),
    service_type: record.serviceType === 1 ? '1' : '2',
    is_active: record.isActive,
    recipient: {
      name: recipient.name,
      phone: recipient.phone,
      company: recipient.company,
      address: {
        street: recipient.street ?? '',
        number: recipient.number ?? '',
        city: recipient.city ?? '',
        state: recipient.state,
        zip: recipient.zip ?? '',
        country: recipient.country,
      },
    },
    pickup_point_id: record.pickupPointId,
    packages: record.packages,
    cod: record.cod === null ? null : { amount: record.cod.amount, currency: record.cod.currency },
    order: { id: record.order.id, number: record.order.number },
    references: { external_id: record.externalId },
    short_tracking_code: record.shortTrackingCode,
    label_generated: record.labelGenerated,
    collection_status: record.collectionStatus,
    collected_at: record.collectedAt,
    ready_at: record.readyAt,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

/** Body of a creation's first answer as JSON text, stored and repeated unchanged. */
export function createdAnswer(record: ShipmentRecord): string {
  return JSON.stringify({ data: presentShipment(record) });
}

/** A shipment's status with its history, oldest first. The carrier's `created` replaces ours. */
export function presentShipmentStatus(
  record: ShipmentRecord,
  events: readonly StatusEvent[],
): ShipmentStatus {
  // The carrier's event is kept: an unknown status repeats the previous code, and only its text says what happened.
  const isToldByCarrier = events.some((event) => event.code === 'created' && !isOurCreated(event));
  const history = isToldByCarrier ? events.filter((event) => !isOurCreated(event)) : events;
  return {
    uuid: record.uuid,
    tracking_code: record.trackingCode,
    status: presentStatus(record),
    is_active: record.isActive,
    checked_at: record.checkedAt,
    history: history.map(presentEvent),
  };
}

function isOurCreated({ code, carrierCode }: StatusEvent): boolean {
  return code === 'created' && carrierCode === null;
}

function presentStatus({ status }: ShipmentRecord): Shipment['status'] {
  return { code: status.code, description: shownDescription(status), is_delivered: isDelivered(status.code) };
}
