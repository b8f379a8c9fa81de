import { REFUSED_EVENT, type ShipmentHappening } from './events.js';
import type { JsonObject } from './shipment.js';

/** The fields that every event of a parcel has. Their schemas, `api/v2/webhooks/events.ts`, have the same names. */
export interface ToldShipment {
  /** Its uuid. */
  id: string;
  tracking_code: string | null;
  service_type: number;
  status: string;
  order: { id: string; number: string };
}

/** What an event tells of its shipment: a creation that ended without a parcel has no status and no code. */
export function shipmentEventData(
  event: ShipmentHappening['event'],
  { id, tracking_code, service_type, status, order }: ToldShipment,
  facts: ShipmentHappening['facts'],
): JsonObject {
  const named = { id, service_type, order };
  return event === REFUSED_EVENT
    ? { ...named, ...facts }
    : { id, tracking_code, service_type, status, order, ...facts };
}

/** The body that receivers get, byte for byte at every attempt. Recorded now. */
export function webhookBody(event: string, data: JsonObject): string {
  return JSON.stringify({ event, created_at: Math.floor(Date.now() / 1000), data });
}
