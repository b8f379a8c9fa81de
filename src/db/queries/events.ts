import type { ParcelNames, WakeTarget } from '../../contracts/wake.js';
import type { ShipmentHappening } from '../../domain/events.js';
import { shipmentEventData, type ToldShipment, webhookBody } from '../../domain/webhook-bodies.js';
import { uuidV7 } from '../../lib/ids.js';
import type { Executor, SqlValue } from '../database.js';
import { int, intOrNull, json, text, textOrNull } from '../row.js';
import { placeholders } from '../sql.js';
import { insertNotification } from './notification-logs.js';

/** Attempts of a delivery: the first try and five retries. */
export const ATTEMPTS = 6;

/** Who wants to know of a license's events. */
export interface Subscriber {
  target: WakeTarget;
  events: ReadonlySet<unknown>;
  /** The store site behind it, which hears of its own orders only; null for a webhook and for mails. */
  storeSiteId: number | null;
}

/** What happened to one shipment. */
export interface EventsArgs {
  accountId: number;
  licenseId: number;
  /** Row id. */
  shipmentId: number;
  /** In the order in which they are told. */
  happenings: readonly ShipmentHappening[];
  /** A store did it itself by a call of v1: stores are not told. */
  byStore?: boolean;
  /** The order's number, where its row does not have it yet. */
  orderNumber?: string;
  /** `listSubscribers`, where it was asked beside the transaction; else it is asked inside. */
  subscribers?: Promise<Subscriber[]>;
}

/**
 * Records one delivery for each subscription and event, and a recipient's mail where the license wants one. To be
 * called inside the transaction that makes the event true: both are committed, or neither. One statement when nobody
 * subscribes. What it gives is to be woken after the commit; a wake that gets lost is made up for by a Schedule.
 */
export async function recordEvents(tx: Executor, args: EventsArgs): Promise<WakeTarget[]> {
  if (args.happenings.length === 0) return [];
  const all = await (args.subscribers ?? listSubscribers(tx, args));
  const concerned = all.filter(
    ({ events, storeSiteId }) =>
      args.happenings.some(({ event }) => events.has(event)) && !(args.byStore && storeSiteId !== null),
  );
  if (concerned.length === 0) return [];
  const shipment = await shipmentFacts(tx, args);
  const subscribers = concerned.filter(
    ({ storeSiteId }) => storeSiteId === null || mayBeOf(storeSiteId, shipment),
  );
  const deliveries: SqlValue[][] = [];
  for (const { event, facts } of args.happenings) {
    const eventId = uuidV7();
    const data = shipmentEventData(event, shipment, facts);
    const body = webhookBody(event, data);
    for (const { target, events } of subscribers) {
      if (!events.has(event)) continue;
      if (target.kind === 'webhook') {
        const { accountId, shipmentId } = args;
        deliveries.push([
          uuidV7(),
          target.subscriptionId,
          accountId,
          shipmentId,
          event,
          eventId,
          body,
          ATTEMPTS,
        ]);
      } else {
        await insertNotification(tx, { ...args, event, eventId, data });
      }
    }
  }
  await insertDeliveries(tx, deliveries);
  return subscribers.map(({ target }) => ({ ...target, parcel: shipment.parcel }));
}

/** What WooCommerce's order ids look like. */
const STORE_ORDER_ID = /^[1-9]\d{0,14}$/;

/**
 * Whether the order may be one of the site's: where v1 noted the site of an order, that one alone; else any, for a store
 * answers of an order that it does not have that there is none.
 */
function mayBeOf(siteId: number, { parcel, storeSiteId }: ShipmentFacts): boolean {
  return (storeSiteId === null || storeSiteId === siteId) && STORE_ORDER_ID.test(parcel.orderId);
}

/** Whoever subscribes to events of the license now, whatever they are. One statement. */
export async function listSubscribers(
  db: Executor,
  { accountId, licenseId }: Pick<EventsArgs, 'accountId' | 'licenseId'>,
): Promise<Subscriber[]> {
  const rows = await db.select(
    `SELECT id AS target, events, store_site_id FROM webhook_subscriptions WHERE license_id = ? AND is_active
     UNION ALL SELECT id, events, store_site_id FROM webhook_subscriptions
       WHERE account_id = ? AND license_id IS NULL AND is_active
     UNION ALL SELECT NULL, events, NULL FROM notification_settings WHERE license_id = ? AND enabled`,
    [licenseId, accountId, licenseId],
  );
  return rows.map((row) => {
    const subscriptionId = textOrNull(row, 'target');
    const events = json(row, 'events');
    return {
      target:
        subscriptionId === null
          ? { kind: 'mail', licenseId }
          : { kind: 'webhook', licenseId, subscriptionId },
      events: new Set(Array.isArray(events) ? events : []),
      storeSiteId: intOrNull(row, 'store_site_id'),
    };
  });
}

interface ShipmentFacts extends ToldShipment {
  /** What the shipment's runs are found by. */
  parcel: ParcelNames;
  /** Of the order, where v1 noted it. */
  storeSiteId: number | null;
}

async function shipmentFacts(tx: Executor, args: EventsArgs): Promise<ShipmentFacts> {
  const [row] = await tx.select(
    `SELECT s.uuid, s.tracking_code, s.service_type, s.status_code, o.order_id, o.number, o.store_site_id
     FROM shipments s JOIN orders o ON o.id = s.order_id WHERE s.id = ? AND s.license_id = ?`,
    [args.shipmentId, args.licenseId],
  );
  if (row === undefined) throw new Error(`Shipment ${args.shipmentId} does not exist.`);
  const parcel = { orderId: text(row, 'order_id'), shipmentUuid: text(row, 'uuid') };
  return {
    id: parcel.shipmentUuid,
    tracking_code: textOrNull(row, 'tracking_code'),
    service_type: int(row, 'service_type'),
    status: text(row, 'status_code'),
    order: { id: parcel.orderId, number: args.orderNumber ?? text(row, 'number') },
    parcel,
    storeSiteId: intOrNull(row, 'store_site_id'),
  };
}

async function insertDeliveries(tx: Executor, rows: readonly SqlValue[][]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  await tx.run(
    `INSERT INTO webhook_deliveries
       (uuid, subscription_id, account_id, shipment_id, event, event_id, payload, attempts_allowed, next_attempt_at)
     VALUES ${rows.map((row) => `(${placeholders(row.length)}, NOW(6))`).join(', ')}`,
    rows.flat(),
  );
}
