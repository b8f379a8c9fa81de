import type { Money } from './shipment.js';
import type { StatusCode } from './statuses.js';

/** Events on which a recipient can be written to. */
export const NOTIFICATION_EVENTS = [
  'shipment.created',
  'shipment.status_changed',
  'shipment.delivered',
  'shipment.cancelled',
] as const;

/** One of {@link NOTIFICATION_EVENTS}. */
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/** Whether the text is an event on which a recipient can be written to. */
export function isNotificationEvent(text: string): text is NotificationEvent {
  return NOTIFICATION_EVENTS.some((event) => event === text);
}

/** A licence's choice. `fromName` and `replyTo` are null for the sender's own. */
export interface NotificationSettings {
  enabled: boolean;
  events: readonly NotificationEvent[];
  fromName: string | null;
  replyTo: string | null;
}

/** The settings of a licence that never chose. */
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
    /** The carrier's own words, or the status's name. */
    statusText: string;
    packages: number;
    pickupPointId: string;
    cod: Money | null;
  };
  order: { id: string; number: string; total: string; currency: string };
  carrierName: string;
  merchant: { name: string; email: string; phone: string; logo: string };
}

/** Seconds to wait after each try that did not succeed: twelve tries in about a day. */
const DELAYS_SECONDS = [30, 60, 120, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 28_800];

/** Seconds from the failed try with this number (from 1) to the next one; null when it was the last. */
export function nextMailDelaySeconds(tries: number): number | null {
  return DELAYS_SECONDS[tries - 1] ?? null;
}

/**
 * The event that already tells the recipient of this change, when the licence has chosen both: a parcel that
 * arrives would else cause two mails at once. Null when none does.
 */
export function coveringEvent(
  event: NotificationEvent,
  status: StatusCode,
  chosen: readonly NotificationEvent[],
): NotificationEvent | null {
  if (event !== 'shipment.status_changed') return null;
  if (status === 'delivered' && chosen.includes('shipment.delivered')) return 'shipment.delivered';
  if (status === 'cancelled' && chosen.includes('shipment.cancelled')) return 'shipment.cancelled';
  return null;
}
