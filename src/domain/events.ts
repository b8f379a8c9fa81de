import { isDelivered, type StatusCode } from './statuses.js';

/** The events of a shipment that webhooks and recipient mails can be subscribed to. */
export const SHIPMENT_EVENTS = [
  'shipment.created',
  'shipment.status_changed',
  'shipment.delivered',
  'shipment.cancelled',
] as const;

export type ShipmentEvent = (typeof SHIPMENT_EVENTS)[number];

/** Name of the test event of the ping route; nobody subscribes to it. */
export const PING_EVENT = 'ping';

/** Something that happened to a shipment. `facts` are the event's own fields, beside those of every event. */
export interface ShipmentHappening {
  event: ShipmentEvent;
  facts: Record<string, string>;
}

/** Whether the text is an event that can be subscribed to. */
export function isShipmentEvent(text: string): text is ShipmentEvent {
  return SHIPMENT_EVENTS.some((event) => event === text);
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
