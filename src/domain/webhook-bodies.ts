import { type NewEvent, REFUSED_EVENT } from './events.js';
import type { JsonObject } from './shipment.js';

/** Fields of every parcel event, named as in their schemas (`api/v2/webhooks/events.ts`). */
export interface EventShipment {
  /** The shipment's uuid. */
  id: string;
  tracking_code: string | null;
  service_type: number;
  status: string;
  order: { id: string; number: string };
}

/** An event's data about its shipment. A refused creation has no status and no code. */
export function shipmentEventData(
  event: NewEvent['event'],
  { id, tracking_code, service_type, status, order }: EventShipment,
  fields: NewEvent['fields'],
): JsonObject {
  if (event === REFUSED_EVENT) return { id, service_type, order, ...fields };
  return { id, tracking_code, service_type, status, order, ...fields };
}

/** The body to send, stored once so that every attempt sends the same bytes. */
export function webhookBody(event: string, data: JsonObject): string {
  return JSON.stringify({ event, created_at: Math.floor(Date.now() / 1000), data });
}
