import { isDelivered, type StatusCode } from './statuses.js';

/** Shipment events that recipient mails and webhooks are sent on. */
export const SHIPMENT_EVENTS = [
  'shipment.created',
  'shipment.status_changed',
  'shipment.delivered',
  'shipment.cancelled',
] as const;

export type ShipmentEvent = (typeof SHIPMENT_EVENTS)[number];

/** A creation ended without a parcel after its caller was answered 202. */
export const REFUSED_EVENT = 'shipment.refused';

/** Events that webhooks can subscribe to. */
export const WEBHOOK_EVENTS = [...SHIPMENT_EVENTS, REFUSED_EVENT] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/**
 * Why a creation ended without a parcel: refused by the carrier, data that do not fit it, or given up by an
 * operator.
 */
export const REFUSAL_CODES = ['carrier_rejected', 'validation_failed', 'given_up'] as const;

export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** The test event of the ping route; nobody can subscribe to it. */
export const PING_EVENT = 'ping';

/** Shipment events sent to a store's plugin. */
export const STORE_EVENTS = [
  'shipment.created',
  'shipment.cancelled',
] as const satisfies readonly WebhookEvent[];

/** A license changed; sent only to the plugins of stores. */
export const LICENSE_EVENT = 'license.changed';

/** An event of a shipment. `fields`: those that only this event has. */
export interface NewEvent {
  event: WebhookEvent;
  fields: Record<string, string>;
}

/** Whether mails can be sent on the event. */
export function isShipmentEvent(text: string): text is ShipmentEvent {
  return SHIPMENT_EVENTS.some((event) => event === text);
}

/** Whether webhooks can subscribe to the event. */
export function isWebhookEvent(text: string): text is WebhookEvent {
  return WEBHOOK_EVENTS.some((event) => event === text);
}

/**
 * The events of a status change, in sending order; none when the code stayed. `at`: ISO 8601 UTC with
 * microseconds.
 */
export function eventsOfChange(previous: StatusCode, current: { code: StatusCode; at: string }): NewEvent[] {
  if (previous === current.code) return [];
  const changed: NewEvent = {
    event: 'shipment.status_changed',
    fields: { previous_status: previous },
  };
  if (isDelivered(current.code)) {
    return [changed, { event: 'shipment.delivered', fields: { delivered_at: current.at } }];
  }
  if (current.code === 'cancelled') {
    return [changed, { event: 'shipment.cancelled', fields: { cancelled_at: current.at } }];
  }
  return [changed];
}
