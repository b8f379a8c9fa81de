import type { ShipmentEvent } from './events.js';
import type { PickupPlace } from './recipient-words/pickup-place.js';
import type { Money, ServiceType } from './shipment.js';
import type { StatusCode } from './statuses.js';

/** A license's mail settings. `fromName` and `replyTo` are null for the sender's defaults. */
export interface NotificationSettings {
  enabled: boolean;
  events: readonly ShipmentEvent[];
  fromName: string | null;
  replyTo: string | null;
}

/** Settings of a license that never set any. */
export const DEFAULT_SETTINGS: NotificationSettings = {
  enabled: false,
  events: [],
  fromName: null,
  replyTo: null,
};

/** Data for a mail about a shipment. Timestamps: ISO 8601 UTC with microseconds. */
export interface MailData {
  recipient: { name: string; company: string; city: string };
  shipment: {
    trackingCode: string;
    shortTrackingCode: string;
    status: StatusCode;
    serviceType: ServiceType;
    /** The carrier's text, or the status's name. */
    statusText: string;
    packages: number;
    pickupPointId: string;
    /** From the stored copy of pickup points, if known. */
    pickupPoint: PickupPlace | null;
    cod: Money | null;
  };
  order: { id: string; number: string; total: string; currency: string };
  carrier: { provider: string; name: string };
  merchant: { name: string; email: string; phone: string; logo: string; color: string };
}

/** Seconds to wait after each failed try: twelve tries in about a day. */
const DELAYS_SECONDS = [30, 60, 120, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 28_800];

/** Seconds from failed try number `tries` (from 1) to the next; null after the last. */
export function nextMailDelaySeconds(tries: number): number | null {
  return DELAYS_SECONDS[tries - 1] ?? null;
}

/** The event whose mail already reports this change, so that the recipient does not get two. Null when none does. */
export function coveringEvent(event: ShipmentEvent, status: StatusCode): ShipmentEvent | null {
  if (event !== 'shipment.status_changed') return null;
  if (status === 'delivered') return 'shipment.delivered';
  return status === 'cancelled' ? 'shipment.cancelled' : null;
}
