import type { Executor } from '../../database.js';
import { bool, int } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import {
  accounts,
  carrierAttempts,
  licenses,
  notificationLogs,
  orders,
  shipmentEvents,
  shipments,
  webhookAttempts,
  webhookDeliveries,
  webhookSubscriptions,
} from '../../tables/index.js';
import { COMPANY_NAME } from '../accounts/merchant.js';
import { UNCLAIMED } from './attention.js';
import { asciiOf, IDS_BY } from './shipment-search.js';

/** Several merchants may use one number; only the newest shipments are listed. */
const MOST_FOUND = 100;
/** Rows listed of one parcel; more only come from a loop. */
const MOST_ROWS = 500;

const s = shipments.as('s');
const FOUND_PARTS = {
  id: s.id,
  uuid: s.uuid,
  merchant: accounts.as('a').name,
  carrier: COMPANY_NAME,
  order: orders.as('o').orderId,
  state: s.state,
  /** Given up but booked by the carrier, and not handled yet. */
  isUnclaimed: expression(UNCLAIMED, bool),
  /** The newest booking call was refused. */
  isRefusedLast: expression(
    `COALESCE((SELECT t.state FROM carrier_attempts t WHERE t.shipment_uuid = s.uuid AND t.operation = 'book'
      ORDER BY t.number DESC LIMIT 1) = 'rejected', FALSE)`,
    bool,
  ),
  status: s.statusCode,
  description: s.statusDescription,
  trackingCode: s.trackingCode,
  createdAt: s.createdAt,
};
const FOUND = shape(FOUND_PARTS);
const STORY = shape({
  ...FOUND_PARTS,
  licenseId: s.licenseId,
  license: licenses.as('l').name,
  orderNumber: orders.as('o').number,
  shortTrackingCode: s.shortTrackingCode,
  labelGenerated: s.labelGenerated,
  cancelledAt: s.cancelledAt,
  deliveredAt: s.deliveredAt,
  workflowId: s.workflowId,
});

/** A shipment as lists name it. Timestamps here and below: ISO 8601 UTC with microseconds. */
export type FoundShipment = Selected<typeof FOUND>;

/** The shipment's own row, with the names of its owners. */
export type StoryShipment = Selected<typeof STORY>;

const TABLES = `shipments s JOIN accounts a ON a.id = s.account_id JOIN carriers r ON r.id = s.carrier_id
  JOIN orders o ON o.id = s.order_id`;

/**
 * The shipments with this name, also refused and reserved ones, newest first: a uuid, a tracking code of the carrier or
 * of the tracking page, an order's id or number.
 */
export async function findShipmentsNamed(db: Executor, name: string): Promise<FoundShipment[]> {
  const code = asciiOf(name);
  const { uuid, shortCode, trackingCode, orderId, orderNumber } = IDS_BY;
  const parts = [uuid, shortCode, trackingCode, orderId, orderNumber];
  return await FOUND.select(
    db,
    `FROM (${parts.join(' UNION ')}) found JOIN ${TABLES} ON s.id = found.id ORDER BY s.id DESC LIMIT ${MOST_FOUND}`,
    [code.toLowerCase(), code, name, name, name],
  );
}

/** The shipment of that row id. */
export async function getStoryShipment(db: Executor, id: number): Promise<StoryShipment> {
  const tail = `FROM ${TABLES} JOIN licenses l ON l.id = s.license_id WHERE s.id = ?`;
  const found = await STORY.first(db, tail, [id]);
  if (found === null) throw new Error(`Shipment ${id} does not exist any more.`);
  return found;
}

const ATTEMPT = carrierAttempts.pick('number', 'sentAt', 'state', 'outcomeCode', 'outcomeText');

/**
 * The booking calls to the carrier, in order, with its code and words. `adopted`: the answer was lost, and a look-up, a
 * webhook or an operator found the parcel later.
 */
export async function listStoryAttempts(db: Executor, shipmentUuid: string) {
  const booking = { shipmentUuid, operation: 'book' };
  const rows = await carrierAttempts.find(db, ATTEMPT, booking, { order: ['number'], limit: MOST_ROWS });
  return rows.map(({ number, sentAt, state, outcomeCode: code, outcomeText: words }) => {
    // Words of a lost answer are kept.
    const outcome = state === 'accepted' && words !== null ? 'adopted' : state;
    return { number, sentAt, outcome, code, words };
  });
}

const e = shipmentEvents.as('shipment_events');
const STEP = shape({
  occurredAt: e.occurredAt,
  status: e.code,
  description: e.description,
  carrierWords: e.carrierDescription,
  location: e.location,
});

/** Its status history, oldest first. */
export async function listStoryEvents(db: Executor, shipmentId: number) {
  return await shipmentEvents.find(
    db,
    STEP,
    { shipmentId },
    { order: ['occurredAt', 'id'], limit: MOST_ROWS },
  );
}

const n = notificationLogs.as('notification_logs');
const MAIL = shape({
  createdAt: n.createdAt,
  event: n.event,
  state: n.status,
  attempts: n.attempts,
  sentAt: n.sentAt,
  nextAttemptAt: n.nextAttemptAt,
  lastError: n.lastError,
});

/** The mails to its recipient, oldest first, without their address. */
export async function listStoryMails(db: Executor, shipmentId: number) {
  const its = { shipmentId, accountId: undefined };
  return await notificationLogs.find(db, MAIL, its, { order: ['id'], limit: MOST_ROWS });
}

const d = webhookDeliveries.as('d');
const t = webhookAttempts.as('t');
const DELIVERY = shape({
  createdAt: d.createdAt,
  uuid: d.uuid,
  url: webhookSubscriptions.as('w').url,
  event: d.event,
  state: d.status,
  attempts: expression('(SELECT COUNT(*) FROM webhook_attempts n WHERE n.delivery_id = d.id)', int),
  nextAttemptAt: d.nextAttemptAt,
  responseStatus: t.responseStatus,
  error: t.error,
});

/** The webhook deliveries about it, oldest first, each with its newest attempt. */
export async function listStoryDeliveries(db: Executor, shipmentId: number) {
  return await DELIVERY.select(
    db,
    `FROM webhook_deliveries d
     JOIN webhook_subscriptions w ON w.id = d.subscription_id
     LEFT JOIN webhook_attempts t ON t.delivery_id = d.id
       AND t.number = (SELECT MAX(n.number) FROM webhook_attempts n WHERE n.delivery_id = d.id)
     WHERE d.shipment_id = ? ORDER BY d.id LIMIT ${MOST_ROWS}`,
    [shipmentId],
  );
}
