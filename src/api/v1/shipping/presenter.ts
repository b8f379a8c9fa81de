import type { ListedPoint } from '../../../db/queries/carriers/pickup-points.js';
import type { LicensedShipment } from '../../../db/queries/shipments/coded-shipments.js';
import type { ShipmentRecord, StatusEvent } from '../../../domain/shipment.js';
import { isDelivered, shownDescription, statusName } from '../../../domain/statuses.js';
import { storedType } from '../../../domain/stored-type.js';
import { presentEvent } from '../../presented.js';
import type { Messages } from '../messages/messages.js';
import { plainText } from './plain-text.js';
import type { DetailsBody, ListedBody, RowBody, SpotBody, StatusBody } from './schema.js';
import { carrierStatusCode } from './status-number.js';
import { israelDay, israelTime } from './store-time.js';

/** A status without its code. */
export function presentStatus({ status, updatedAt }: ShipmentRecord): StatusBody {
  return {
    status: status.code,
    description: shownDescription(status),
    is_delivered: isDelivered(status.code),
    updated_at: updatedAt,
  };
}

/** A shipment with its history, oldest first. */
export function presentDetails(
  shipment: ShipmentRecord,
  events: readonly StatusEvent[],
  say: Messages,
): DetailsBody {
  const { status, order, collectedAt } = shipment;
  return {
    code: carrierStatusCode(shipment, events),
    text: statusText(shipment, say),
    receiver: plainText(shipment.recipient.name),
    shipped_on: collectedAt === null ? null : israelDay(collectedAt),
    tracking_code: shipment.trackingCode ?? '',
    shipping_id: shipment.id,
    status: status.code,
    status_description: shownDescription(status),
    is_delivered: isDelivered(status.code),
    is_active: shipment.isActive,
    type: storedType(shipment),
    packages: shipment.packages,
    order_id: order.id,
    order_number: order.number,
    created_at: shipment.createdAt,
    updated_at: shipment.updatedAt,
    checked_at: shipment.checkedAt,
    history: events.map(presentEvent),
  };
}

/** The carrier's text if it has one, except for cancellations, where it is a receipt. */
function statusText({ status }: ShipmentRecord, say: Messages): string {
  const isNamed = status.code === 'cancelled' || status.description === statusName(status.code);
  const text = isNamed ? '' : plainText(shownDescription(status));
  return text === '' ? say.status(status.code) : text;
}

/** A shipment in the form that stores keep. */
export function presentRow(shipment: LicensedShipment): RowBody {
  const code = shipment.trackingCode ?? '';
  return {
    delivery_number: code,
    company: { name: shipment.company },
    type: shipment.serviceType === 2 ? '2' : '1',
    return: shipment.returnType === 2 ? '2' : '1',
    delivery_time: israelTime(shipment.createdAt),
    license_key: shipment.licenseKey,
    code,
    status: shipment.status.code,
    is_active: shipment.isActive,
    created_at: shipment.createdAt,
  };
}

/** A shipment in its order's list. */
export function presentListed(shipment: ShipmentRecord): ListedBody {
  return {
    shipping_id: shipment.id,
    code: shipment.trackingCode ?? '',
    type: storedType(shipment),
    status: shipment.status.code,
    is_active: shipment.isActive,
    created_at: shipment.createdAt,
  };
}

/** A pickup point; unknown values are empty. */
export function presentSpot(point: ListedPoint): SpotBody {
  return {
    name: point.name,
    city: point.city,
    street: point.street,
    house: point.number,
    n_code: point.id,
    street_code: point.streetCode,
    latitude: point.latitude === null ? '' : String(point.latitude),
    longitude: point.longitude === null ? '' : String(point.longitude),
    remarks: point.remarks,
  };
}
