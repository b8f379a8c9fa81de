import type { ParcelNames, WakeTarget } from '../../contracts/wake.js';
import { REFUSED_EVENT, type ShipmentHappening } from '../../domain/events.js';
import type { JsonObject } from '../../domain/shipment.js';
import { uuidV7 } from '../../lib/ids.js';
import type { Executor, SqlValue } from '../database.js';
import { int, json, text, textOrNull } from '../row.js';
import { placeholders } from '../sql.js';
import { insertNotification } from './notification-logs.js';

/** Attempts of a delivery: the first try and five retries. */
export const ATTEMPTS = 6;

/** Who wants to know of a license's events. */
export interface Subscriber {
  target: WakeTarget;
  events: ReadonlySet<unknown>;
}

/** What happened to one shipment. */
export interface EventsArgs {
  accountId: number;
  licenseId: number;
  /** Row id. */
  shipmentId: number;
  /** In the order in which they are told. */
  happenings: readonly ShipmentHappening[];
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
  const all = await (args.subscribers ?? listSubscribers(tx, args.licenseId));
  const subscribers = all.filter(({ events }) => args.happenings.some(({ event }) => events.has(event)));
  if (subscribers.length === 0) return [];
  const shipment = await shipmentFacts(tx, args);
  const deliveries: SqlValue[][] = [];
  for (const { event, facts } of args.happenings) {
    const eventId = uuidV7();
    const data = { ...(event === REFUSED_EVENT ? shipment.named : shipment.data), ...facts };
    const body = JSON.stringify({ event, created_at: Math.floor(Date.now() / 1000), data });
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

/** Whoever subscribes to events of the license now, whatever they are. One statement. */
export async function listSubscribers(db: Executor, licenseId: number): Promise<Subscriber[]> {
  const rows = await db.select(
    `SELECT id AS target, events FROM webhook_subscriptions WHERE license_id = ? AND is_active
     UNION ALL SELECT NULL, events FROM notification_settings WHERE license_id = ? AND enabled`,
    [licenseId, licenseId],
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
    };
  });
}

/**
 * The fields that every event's `data` has, and what the shipment's runs are found by. `named`: those of a creation
 * that ended without a parcel.
 */
async function shipmentFacts(
  tx: Executor,
  args: EventsArgs,
): Promise<{ data: JsonObject; named: JsonObject; parcel: ParcelNames }> {
  const [row] = await tx.select(
    `SELECT s.uuid, s.tracking_code, s.service_type, s.status_code, o.order_id, o.number
     FROM shipments s JOIN orders o ON o.id = s.order_id WHERE s.id = ? AND s.license_id = ?`,
    [args.shipmentId, args.licenseId],
  );
  if (row === undefined) throw new Error(`Shipment ${args.shipmentId} does not exist.`);
  const parcel = { orderId: text(row, 'order_id'), shipmentUuid: text(row, 'uuid') };
  const id = parcel.shipmentUuid;
  const serviceType = int(row, 'service_type');
  const order = { id: parcel.orderId, number: args.orderNumber ?? text(row, 'number') };
  const data = {
    id,
    tracking_code: textOrNull(row, 'tracking_code'),
    service_type: serviceType,
    status: text(row, 'status_code'),
    order,
  };
  return { data, named: { id, service_type: serviceType, order }, parcel };
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
