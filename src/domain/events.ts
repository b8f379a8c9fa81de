import { isDelivered, type StatusCode } from './statuses.js';

/** The events of a shipment that recipient mails can be sent on; webhooks are sent on them too. */
export const SHIPMENT_EVENTS = [
  'shipment.created',
  'shipment.status_changed',
  'shipment.delivered',
  'shipment.cancelled',
] as const;

export type ShipmentEvent = (typeof SHIPMENT_EVENTS)[number];

/** Tells whoever was answered that a creation goes on how it ended without a parcel. */
export const REFUSED_EVENT = 'shipment.refused';

/** The events that webhooks can be subscribed to. */
export const WEBHOOK_EVENTS = [...SHIPMENT_EVENTS, REFUSED_EVENT] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/**
 * Why a creation ended without a parcel: the carrier refused it, its data do not fit the carrier, or an operator gave it
 * up.
 */
export const REFUSAL_CODES = ['carrier_rejected', 'validation_failed', 'given_up'] as const;

export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** Name of the test event of the ping route; nobody subscribes to it. */
export const PING_EVENT = 'ping';

/** The events of a shipment that a store's plugin is told of. */
export const STORE_EVENTS = [
  'shipment.created',
  'shipment.cancelled',
] as const satisfies readonly WebhookEvent[];

/** Tells the plugins of stores that a license changed; nobody else hears of it. */
export const LICENSE_EVENT = 'license.changed';

/** Something that happened to a shipment. `facts` are the event's own fields, beside those of every event. */
export interface ShipmentHappening {
  event: WebhookEvent;
  facts: Record<string, string>;
}

/** Whether the text is an event that mails are sent on. */
export function isShipmentEvent(text: string): text is ShipmentEvent {
  return SHIPMENT_EVENTS.some((event) => event === text);
}

/** Whether the text is an event that webhooks can be subscribed to. */
export function isWebhookEvent(text: string): text is WebhookEvent {
  return WEBHOOK_EVENTS.some((event) => event === text);
}

/**
 * The events of a change of status, in the order in which they are told: first that it changed, then what that
 * means. `at`: when, ISO 8601 UTC with microseconds. None when the code stayed.
 */
export function happeningsOfChange(
  previous: StatusCode,
  current: { code: StatusCode; at: string },
): ShipmentHappening[] {
  if (previous === current.code) return [];
  const changed: ShipmentHappening = {
    event: 'shipment.status_changed',
    facts: { previous_status: previous },
  };
  if (isDelivered(current.code)) {
    return [changed, { event: 'shipment.delivered', facts: { delivered_at: current.at } }];
  }
  if (current.code === 'cancelled') {
    return [changed, { event: 'shipment.cancelled', facts: { cancelled_at: current.at } }];
  }
  return [changed];
}
