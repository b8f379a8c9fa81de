import type { Static } from 'typebox';
import type { ListedPoint } from '../../../db/queries/carriers/pickup-points.js';
import type { LicensedShipment } from '../../../db/queries/shipments/coded-shipments.js';
import { NAMED_CHARACTERS } from '../../../domain/html.js';
import type { ShipmentRecord, StatusEvent } from '../../../domain/shipment.js';
import { isDelivered, type StatusCode, shownDescription, statusName } from '../../../domain/statuses.js';
import { storedType } from '../../../domain/stored-type.js';
import { israelWallClock } from '../../../lib/time.js';
import type { StoreCall } from '../../../services/express/store-calls.js';
import { presentEvent } from '../../presented.js';
import type { Messages } from '../messages/messages.js';
import { succeeded } from '../reply.js';
import type { DetailsSchema, ListedSchema, RowSchema, SpotSchema, StatusSchema } from './schema.js';

/** Our statuses in the numbering of the stores' plugin. */
const NUMBERS: Readonly<Record<StatusCode, string>> = {
  pending: '12',
  needs_attention: '12',
  created: '1',
  collected: '2',
  in_transit: '2',
  at_pickup_point: '12',
  out_for_delivery: '2',
  delivery_failed: '12',
  returning: '2',
  delivered: '3',
  returned: '5',
  cancelled: '8',
  lost: '12',
};
const COLLECTED_FROM_CUSTOMER = '4';
/** A yes/no field of a carrier's reply, not a status code. */
const FLAG = /_yn$/;

/** A status without its code. */
export function presentStatus({ status, updatedAt }: ShipmentRecord): Static<typeof StatusSchema> {
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
): Static<typeof DetailsSchema> {
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
export function presentRow(shipment: LicensedShipment): Static<typeof RowSchema> {
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
export function presentListed(shipment: ShipmentRecord): Static<typeof ListedSchema> {
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
export function presentSpot(point: ListedPoint): Static<typeof SpotSchema> {
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

/** The service in words. For this label `type` 2 wins over `return` 2, unlike in storage, as in the old service. */
function shippingTypeLabel({
  serviceType,
  returnType,
}: Pick<ShipmentRecord, 'serviceType' | 'returnType'>): string {
  if (serviceType === 2) return 'Collecting delivery';
  return returnType === 2 ? 'Double delivery' : 'Regular delivery';
}

/** The shipment as stored in its key's answer. */
export function presentOpened(shipment: ShipmentRecord) {
  return {
    shipping_id: shipment.id,
    code: shipment.trackingCode ?? '',
    shipping_type: shippingTypeLabel(shipment),
  };
}

/** The plugin's call for a created shipment, with the response that its own request would have received. */
export function presentMade(shipment: LicensedShipment): StoreCall {
  const opened = { ...presentOpened(shipment), company: { name: shipment.company } };
  return {
    action: 'order_shipment_created_meta',
    body: {
      order_id: Number(shipment.order.id),
      meta_data: presentRow(shipment),
      shipos_response: succeeded(opened).json,
    },
  };
}

/** The plugin's call for a cancelled shipment. */
export function presentCancelled(shipment: LicensedShipment): StoreCall {
  return {
    action: 'order_shipment_cancelled_meta',
    body: { order_id: Number(shipment.order.id), shipping_code: shipment.trackingCode ?? '' },
  };
}

/** The carrier's own code of the current status, else the plugin's number. */
function carrierStatusCode(
  { status, serviceType }: Pick<ShipmentRecord, 'status' | 'serviceType'>,
  events: readonly StatusEvent[],
): string {
  const sent = events.findLast(({ code }) => code === status.code)?.carrierCode ?? null;
  if (sent !== null && !FLAG.test(sent)) return sent;
  const isFromCustomer = status.code === 'collected' && serviceType === 2;
  return isFromCustomer ? COLLECTED_FROM_CUSTOMER : NUMBERS[status.code];
}

/** Israeli day of an instant (ISO 8601) in the stores' format d-m-Y. */
function israelDay(iso: string): string {
  return israelWallClock(Date.parse(iso)).date.replaceAll('/', '-');
}

/** Israeli time of an instant (ISO 8601) in the plugin's format `d-m-Y g-i-s`, with twelve hours. */
function israelTime(iso: string): string {
  const [hour = '', minute = '', second = ''] = israelWallClock(Date.parse(iso)).time.split(':');
  return `${israelDay(iso)} ${Number(hour) % 12 || 12}-${minute}-${second}`;
}

/**
 * Text that is safe if a store's page treats it as HTML: tags are removed, entities decoded, and HTML's special
 * characters replaced by look-alikes.
 */
function plainText(text: string): string {
  return text
    .replaceAll(/<\/?[a-z][^<>]*>/gi, ' ')
    .replaceAll(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (_found, name: string) => NAMED_CHARACTERS[name] ?? '')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll(/&(?=[a-z#])/gi, '& ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
