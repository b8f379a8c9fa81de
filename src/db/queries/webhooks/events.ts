import type { WakeTarget } from '../../../contracts/wake.js';
import type { NewEvent } from '../../../domain/events.js';
import { shipmentEventData, webhookBody } from '../../../domain/webhook-bodies.js';
import { uuidV7 } from '../../../lib/ids.js';
import { LIMITS } from '../../../lib/limits/values.js';
import type { Executor } from '../../database.js';
import { int, text } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import {
  notificationSettings,
  orders,
  shipments,
  webhookDeliveries,
  webhookSubscriptions,
} from '../../tables/index.js';
import type { NewRowOf } from '../../tables/table.js';
import { insertNotification } from '../mails/notification-logs.js';

const w = webhookSubscriptions.as('w');
const n = notificationSettings.as('n');
const WEBHOOK = shape({
  subscriptionId: expression(w.id.sql, text).or(null),
  events: w.events,
  storeSiteId: w.storeSiteId,
});
/** In the form of {@link WEBHOOK}, so that one statement reads both. */
const MAILS = shape({
  subscriptionId: expression('NULL', text).or(null),
  events: n.events,
  storeSiteId: expression('NULL', int).or(null),
});
const s = shipments.as('s');
const o = orders.as('o');
const SHIPMENT = shape({
  id: s.uuid,
  tracking_code: s.trackingCode,
  service_type: s.serviceType,
  status: s.statusCode,
  order: shape({ id: o.orderId, number: o.number }),
  /** The keys of the shipment's runs. */
  parcel: shape({ orderId: o.orderId, shipmentUuid: s.uuid }),
  /** The order's site, where v1 recorded it. */
  storeSiteId: o.storeSiteId,
});
type EventSource = Selected<typeof SHIPMENT>;

/** A recipient of a license's events. */
interface Subscriber {
  target: WakeTarget;
  events: ReadonlySet<string>;
  /** Its store site, which gets events of that store's orders only; null for a webhook and for mails. */
  storeSiteId: number | null;
}

/** Events of one shipment. */
interface EventsArgs {
  accountId: number;
  licenseId: number;
  /** Row id. */
  shipmentId: number;
  /** In order of delivery. */
  events: readonly NewEvent[];
  /** A store caused it by a call of v1: stores get no event. */
  byStore?: boolean;
  /** The order's number while its row lacks it. */
  orderNumber?: string;
  /** The result of `listSubscribers` when the caller asked already. */
  subscribers?: Promise<Subscriber[]>;
}

/**
 * Records one delivery for each subscription and event, and a recipient's mail where the license wants one. Must run
 * inside the transaction of the event's cause. One statement without subscribers. The returned targets are woken after
 * the commit; a Schedule makes up for a lost wake.
 */
export async function recordEvents(tx: Executor, args: EventsArgs): Promise<WakeTarget[]> {
  if (args.events.length === 0) return [];
  const all = await (args.subscribers ?? listSubscribers(tx, args));
  const concerned = all.filter(
    ({ events, storeSiteId }) =>
      args.events.some(({ event }) => events.has(event)) && !(args.byStore && storeSiteId !== null),
  );
  if (concerned.length === 0) return [];
  const shipment = await shipmentOf(tx, args);
  const subscribers = concerned.filter(
    ({ storeSiteId }) => storeSiteId === null || mayBeOf(storeSiteId, shipment),
  );
  const deliveries: NewDelivery[] = [];
  for (const { event, fields } of args.events) {
    const eventId = uuidV7();
    const data = shipmentEventData(event, shipment, fields);
    const payload = webhookBody(event, data);
    for (const { target, events } of subscribers) {
      if (!events.has(event)) continue;
      if (target.kind === 'webhook') {
        const { accountId, shipmentId } = args;
        const { subscriptionId } = target;
        deliveries.push({ subscriptionId, accountId, shipmentId, event, eventId, payload });
      } else {
        await insertNotification(tx, { ...args, event, eventId, data });
      }
    }
  }
  await insertDeliveries(tx, deliveries);
  return subscribers.map(({ target }) => ({ ...target, parcel: shipment.parcel }));
}

/** WooCommerce's order ids. */
const STORE_ORDER_ID = /^[1-9]\d{0,14}$/;

/**
 * Whether the order may be the site's: if v1 recorded a site, only that one; else any, since a store answers that it
 * does not have an unknown order.
 */
function mayBeOf(siteId: number, { parcel, storeSiteId }: EventSource): boolean {
  return (storeSiteId === null || storeSiteId === siteId) && STORE_ORDER_ID.test(parcel.orderId);
}

/** The license's present subscribers, for any events. One statement. */
export async function listSubscribers(
  db: Executor,
  { accountId, licenseId }: Pick<EventsArgs, 'accountId' | 'licenseId'>,
): Promise<Subscriber[]> {
  const found = await WEBHOOK.select(
    db,
    `FROM webhook_subscriptions w WHERE ${w.licenseId} = ? AND ${w.isActive}
     UNION ALL SELECT ${WEBHOOK.list} FROM webhook_subscriptions w
       WHERE ${w.accountId} = ? AND ${w.licenseId} IS NULL AND ${w.isActive}
     UNION ALL SELECT ${MAILS.list} FROM notification_settings n WHERE ${n.licenseId} = ? AND ${n.enabled}`,
    [licenseId, accountId, licenseId],
  );
  return found.map(({ subscriptionId, events, storeSiteId }) => ({
    target:
      subscriptionId === null ? { kind: 'mail', licenseId } : { kind: 'webhook', licenseId, subscriptionId },
    events: new Set(events),
    storeSiteId,
  }));
}

async function shipmentOf(tx: Executor, args: EventsArgs): Promise<EventSource> {
  const shipment = await SHIPMENT.first(
    tx,
    `FROM shipments s JOIN orders o ON ${o.id} = ${s.orderId} WHERE ${s.id} = ? AND ${s.licenseId} = ?`,
    [args.shipmentId, args.licenseId],
  );
  if (shipment === null) throw new Error(`Shipment ${args.shipmentId} does not exist.`);
  const { order } = shipment;
  return { ...shipment, order: { ...order, number: args.orderNumber ?? order.number } };
}

type NewDelivery = NewRowOf<typeof webhookDeliveries>;

/** Inserts deliveries with the same columns, all due at once, in one statement. */
export async function insertDeliveries(tx: Executor, deliveries: readonly NewDelivery[]): Promise<void> {
  const rows = deliveries.map((delivery) =>
    webhookDeliveries.written({ uuid: uuidV7(), attemptsAllowed: LIMITS.webhooks.attempts, ...delivery }),
  );
  const [first] = rows;
  if (first === undefined) return;
  await tx.run(
    `INSERT INTO webhook_deliveries (${first.names.join(', ')}, next_attempt_at)
     VALUES ${rows.map(({ params }) => `(${placeholders(params.length)}, NOW(6))`).join(', ')}`,
    rows.flatMap(({ params }) => params),
  );
}
