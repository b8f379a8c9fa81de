import type { ShipmentEvent } from './events.js';
import type { PickupPlace } from './recipient-words/pickup-place.js';
import type { Money, ServiceType } from './shipment.js';
import type { StatusCode } from './statuses.js';

/** A license's choice. `fromName` and `replyTo` are null for the sender's own. */
export interface NotificationSettings {
  enabled: boolean;
  events: readonly ShipmentEvent[];
  fromName: string | null;
  replyTo: string | null;
}

/** The settings of a license that never chose. */
export const DEFAULT_SETTINGS: NotificationSettings = {
  enabled: false,
  events: [],
  fromName: null,
  replyTo: null,
};

/** What a mail about a shipment may tell. Timestamps: ISO 8601 UTC with microseconds. */
export interface MailFacts {
  recipient: { name: string; company: string; city: string };
  shipment: {
    trackingCode: string;
    shortTrackingCode: string;
    status: StatusCode;
    serviceType: ServiceType;
    /** The carrier's own words, or the status's name. */
    statusText: string;
    packages: number;
    pickupPointId: string;
    /** As far as the stored copy knows the point. */
    pickupPoint: PickupPlace | null;
    cod: Money | null;
  };
  order: { id: string; number: string; total: string; currency: string };
  carrier: { provider: string; name: string };
  merchant: { name: string; email: string; phone: string; logo: string; color: string };
}

/** Seconds to wait after each try that did not succeed: twelve tries in about a day. */
const DELAYS_SECONDS = [30, 60, 120, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 28_800];

/** Seconds from the failed try with this number (from 1) to the next one; null when it was the last. */
export function nextMailDelaySeconds(tries: number): number | null {
  return DELAYS_SECONDS[tries - 1] ?? null;
}

/**
 * The event whose mail, where there is one, already tells the recipient of this change: a parcel that arrives would else
 * cause two mails at once. Null when none does.
 */
export function coveringEvent(event: ShipmentEvent, status: StatusCode): ShipmentEvent | null {
  if (event !== 'shipment.status_changed') return null;
  if (status === 'delivered') return 'shipment.delivered';
  return status === 'cancelled' ? 'shipment.cancelled' : null;
}
