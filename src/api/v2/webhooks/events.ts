import { type TProperties, type TSchema, Type } from 'typebox';
import { PING_EVENT, REFUSAL_CODES, REFUSED_EVENT, type SHIPMENT_EVENTS } from '../../../domain/events.js';
import { SHIPPING_STATUSES } from '../../../domain/statuses.js';
import type { EventShipment } from '../../../domain/webhook-bodies.js';
import type { SentEvent } from '../../openapi.js';
import { closed, nullableText, when } from '../../schemas.js';
import { shipmentExample } from '../examples.js';
import { deliveryExample } from './examples.js';

const DELIVERY_HEADERS = {
  'X-Service-Event': 'The event’s name, as in the body.',
  'X-Service-Event-Id': 'Id of the event: the same at every attempt, also when you resend it.',
  'X-Service-Delivery-Id': 'Id of the delivery in the log.',
  'X-Service-Signature': 't=<Unix seconds>,v1=<hex>; a second v1 while an old secret still signs.',
  'webhook-id': 'Id of the event, as Standard Webhooks names it.',
  'webhook-timestamp': 'Time of the attempt, in Unix seconds.',
  'webhook-signature': 'v1,<base64>; a second one, behind a blank, while an old secret still signs.',
} as const;

const ADDITIONS = 'New fields may be added to `data`.';
const TRIED_AGAIN = {
  description:
    'Sent at least once, with the same event id each time. The receiver has 15 s to answer 2xx; a redirect is a failure. ' +
    'After the first try come five more, 30 s apart. 410, or five days without a success, turn the webhook off, and ' +
    `the account gets a mail. ${ADDITIONS}`,
  otherwise: 'It is sent again.',
};
const TRIED_ONCE = {
  description:
    'Sent once, by `POST /webhooks/{id}/ping`. The receiver has 10 s to answer 2xx; a redirect is a failure. 410 turns ' +
    `the webhook off, and the account gets a mail. ${ADDITIONS}`,
  otherwise: 'It is sent again only by `redeliver` or `replay`.',
};

const { payload } = deliveryExample;
const at = shipmentExample.updated_at;

const StatusName = Type.Enum(
  SHIPPING_STATUSES.map(({ code }) => code),
  { description: 'Code of a status.' },
);

const named = {
  id: Type.String({ description: 'The uuid of the shipment.' }),
  service_type: Type.Enum([1, 2], { description: '1 delivery, 2 collection.' }),
  // No component: oapi-codegen leaves out those that no path leads to.
  order: closed('The order of the shipment.', {
    id: Type.String({ description: "The store's id." }),
    number: Type.String({ description: "The store's number." }),
  }),
};

/** Fields of every parcel event. */
const shipment = {
  ...named,
  tracking_code: nullableText("The carrier's code."),
  status: StatusName,
} satisfies Record<keyof EventShipment, TSchema>;

const events: readonly SentEvent[] = [
  ofShipment('shipment.created', 'The carrier accepted the parcel.', {}, {}),
  ofShipment(
    'shipment.status_changed',
    'The status changed; previous_status is the old one.',
    { previous_status: StatusName },
    { status: 'in_transit', previous_status: 'collected' },
  ),
  ofShipment(
    'shipment.delivered',
    'The parcel was delivered, at delivered_at. Follows the change of status.',
    { delivered_at: when('When it was delivered.') },
    { status: 'delivered', delivered_at: at },
  ),
  ofShipment(
    'shipment.cancelled',
    'The shipment was cancelled, at cancelled_at. Follows the change of status.',
    { cancelled_at: when('When it was cancelled.') },
    { status: 'cancelled', cancelled_at: at },
  ),
  sent(
    REFUSED_EVENT,
    'A creation that was answered 202 ended without a parcel; message says why.',
    {
      ...named,
      code: Type.Enum([...REFUSAL_CODES], {
        description: 'The carrier refused it, its data do not fit the carrier, or an operator gave it up.',
      }),
      message: Type.String({
        description: "The carrier's or the operator's reason, or what is wrong with the data.",
      }),
    },
    {
      id: payload.data.id,
      service_type: payload.data.service_type,
      order: payload.data.order,
      code: 'carrier_rejected',
      message: 'The carrier does not serve this address.',
    },
  ),
  sent(
    PING_EVENT,
    'A test that you asked for.',
    { webhook_id: Type.String({ description: 'Id of the subscription.' }) },
    { webhook_id: deliveryExample.webhook_id },
  ),
];

/** Events and headers that webhooks are sent. */
export const SENT_EVENTS = { events, headers: DELIVERY_HEADERS };

function ofShipment(
  event: (typeof SHIPMENT_EVENTS)[number],
  summary: string,
  facts: TProperties,
  example: object,
): SentEvent {
  return sent(event, summary, { ...shipment, ...facts }, { ...payload.data, ...example });
}

function sent(event: string, summary: string, data: TProperties, example: object): SentEvent {
  return {
    event,
    summary,
    ...(event === PING_EVENT ? TRIED_ONCE : TRIED_AGAIN),
    schema: Type.Object({
      event: Type.Literal(event, { description: 'What happened.' }),
      created_at: Type.Integer({ description: 'When it was recorded, in Unix seconds.' }),
      data: Type.Object(data, { description: 'What it happened to.' }),
    }),
    example: { ...payload, event, data: example },
  };
}
