import type { StatusCode } from '../../domain/statuses.js';
import type { Executor } from '../database.js';
import { bool, int, intOrNull, iso, isoOrNull, statusCode, text, textOrNull } from '../row.js';
import { UNCLAIMED } from './attention.js';

/** A number that several merchants use finds many shipments; the newest are listed. */
const MOST_FOUND = 100;
/** What else one parcel has is few, unless something goes round in a circle. */
const MOST_ROWS = 500;

/** A shipment as lists name it. Timestamps here and below: ISO 8601 UTC with microseconds. */
export interface FoundShipment {
  id: number;
  uuid: string;
  merchant: string;
  carrier: string;
  order: string;
  state: string;
  /** Given up, and booked by the carrier all the same; nobody has taken care of the parcel yet. */
  isUnclaimed: boolean;
  /** The newest call that was to book it was refused. */
  isRefusedLast: boolean;
  status: StatusCode;
  description: string;
  trackingCode: string | null;
  createdAt: string;
}

/** The shipment's own row, with the names of whom it belongs to. */
export interface StoryShipment extends FoundShipment {
  licenseId: number;
  license: string;
  orderNumber: string;
  shortTrackingCode: string;
  labelGenerated: boolean;
  cancelledAt: string | null;
  deliveredAt: string | null;
  workflowId: string;
}

const NAMED = `s.id, s.uuid, a.name AS merchant, c.name AS carrier, o.order_id, s.state, s.status_code,
  s.status_description, s.tracking_code, s.created_at, ${UNCLAIMED} AS is_unclaimed,
  COALESCE((SELECT t.state FROM carrier_attempts t WHERE t.shipment_uuid = s.uuid AND t.operation = 'book'
    ORDER BY t.number DESC LIMIT 1) = 'rejected', FALSE) AS is_refused_last`;
const TABLES = `shipments s JOIN accounts a ON a.id = s.account_id JOIN carriers c ON c.id = s.carrier_id
  JOIN orders o ON o.id = s.order_id`;

/**
 * The shipments that go by this name, refused and reserved ones too, newest first: a uuid, a tracking code of the
 * carrier's or of the tracking page, an order's id or number.
 */
export async function findShipmentsNamed(db: Executor, name: string): Promise<FoundShipment[]> {
  // MySQL refuses to compare columns of ASCII with other letters.
  const code = /^[ -~]*$/.test(name) ? name : '';
  const rows = await db.select(
    `SELECT ${NAMED} FROM (
       SELECT id FROM shipments WHERE uuid = ?
       UNION SELECT id FROM shipments WHERE short_tracking_code = ?
       UNION SELECT t.id FROM licenses l
         STRAIGHT_JOIN shipments t FORCE INDEX (shipments_license_code) ON t.license_id = l.id
         WHERE t.tracking_code = ?
       UNION SELECT t.id FROM licenses l
         STRAIGHT_JOIN orders n FORCE INDEX (orders_store_id) ON n.license_id = l.id
         STRAIGHT_JOIN shipments t FORCE INDEX (shipments_order) ON t.order_id = n.id WHERE n.order_id = ?
       UNION SELECT t.id FROM licenses l
         STRAIGHT_JOIN orders n FORCE INDEX (orders_number) ON n.license_id = l.id
         STRAIGHT_JOIN shipments t FORCE INDEX (shipments_order) ON t.order_id = n.id WHERE n.number = ?
     ) found JOIN ${TABLES} ON s.id = found.id ORDER BY s.id DESC LIMIT ${MOST_FOUND}`,
    [code.toLowerCase(), code, name, name, name],
  );
  return rows.map(toFound);
}

/** The shipment of that row id. */
export async function getStoryShipment(db: Executor, id: number): Promise<StoryShipment> {
  const [row] = await db.select(
    `SELECT ${NAMED}, s.license_id, l.name AS license, o.number, s.short_tracking_code, s.label_generated,
       s.cancelled_at, s.delivered_at, s.workflow_id
     FROM ${TABLES} JOIN licenses l ON l.id = s.license_id WHERE s.id = ?`,
    [id],
  );
  if (row === undefined) throw new Error(`Shipment ${id} does not exist any more.`);
  return {
    ...toFound(row),
    licenseId: int(row, 'license_id'),
    license: text(row, 'license'),
    orderNumber: text(row, 'number'),
    shortTrackingCode: text(row, 'short_tracking_code'),
    labelGenerated: bool(row, 'label_generated'),
    cancelledAt: isoOrNull(row, 'cancelled_at'),
    deliveredAt: isoOrNull(row, 'delivered_at'),
    workflowId: text(row, 'workflow_id'),
  };
}

function toFound(row: Parameters<typeof text>[0]): FoundShipment {
  return {
    id: int(row, 'id'),
    uuid: text(row, 'uuid'),
    merchant: text(row, 'merchant'),
    carrier: text(row, 'carrier'),
    order: text(row, 'order_id'),
    state: text(row, 'state'),
    isUnclaimed: bool(row, 'is_unclaimed'),
    isRefusedLast: bool(row, 'is_refused_last'),
    status: statusCode(row, 'status_code'),
    description: text(row, 'status_description'),
    trackingCode: textOrNull(row, 'tracking_code'),
    createdAt: iso(row, 'created_at'),
  };
}

/**
 * The calls to the carrier that were to book it, in their order, with its code and words. `adopted`: the answer was
 * lost, and the parcel was found later by a look-up, a webhook or a person.
 */
export async function listStoryAttempts(db: Executor, shipmentUuid: string) {
  const rows = await db.select(
    `SELECT number, sent_at, state, outcome_code, outcome_text FROM carrier_attempts
     WHERE shipment_uuid = ? AND operation = 'book' ORDER BY number LIMIT ${MOST_ROWS}`,
    [shipmentUuid],
  );
  return rows.map((row) => {
    const state = text(row, 'state');
    const words = textOrNull(row, 'outcome_text');
    return {
      number: int(row, 'number'),
      sentAt: iso(row, 'sent_at'),
      // The words of the lost answer stay.
      outcome: state === 'accepted' && words !== null ? 'adopted' : state,
      code: textOrNull(row, 'outcome_code'),
      words,
    };
  });
}

/** The history of its statuses, oldest first. */
export async function listStoryEvents(db: Executor, shipmentId: number) {
  const rows = await db.select(
    `SELECT code, description, occurred_at, carrier_description, location FROM shipment_events
     WHERE shipment_id = ? ORDER BY occurred_at, id LIMIT ${MOST_ROWS}`,
    [shipmentId],
  );
  return rows.map((row) => ({
    occurredAt: iso(row, 'occurred_at'),
    status: statusCode(row, 'code'),
    description: text(row, 'description'),
    carrierWords: textOrNull(row, 'carrier_description'),
    location: textOrNull(row, 'location'),
  }));
}

/** The mails to its recipient, oldest first, without their address. */
export async function listStoryMails(db: Executor, shipmentId: number) {
  const rows = await db.select(
    `SELECT event, status, attempts, next_attempt_at, sent_at, last_error, created_at FROM notification_logs
     WHERE shipment_id = ? ORDER BY id LIMIT ${MOST_ROWS}`,
    [shipmentId],
  );
  return rows.map((row) => ({
    createdAt: iso(row, 'created_at'),
    event: text(row, 'event'),
    state: text(row, 'status'),
    attempts: int(row, 'attempts'),
    sentAt: isoOrNull(row, 'sent_at'),
    nextAttemptAt: isoOrNull(row, 'next_attempt_at'),
    lastError: textOrNull(row, 'last_error'),
  }));
}

/** The webhook deliveries about it, oldest first, each with its newest attempt. */
export async function listStoryDeliveries(db: Executor, shipmentId: number) {
  const rows = await db.select(
    `SELECT d.uuid, w.url, d.event, d.status, d.next_attempt_at, d.created_at,
       t.response_status, t.error,
       (SELECT COUNT(*) FROM webhook_attempts n WHERE n.delivery_id = d.id) AS attempts
     FROM webhook_deliveries d
     JOIN webhook_subscriptions w ON w.id = d.subscription_id
     LEFT JOIN webhook_attempts t ON t.delivery_id = d.id
       AND t.number = (SELECT MAX(n.number) FROM webhook_attempts n WHERE n.delivery_id = d.id)
     WHERE d.shipment_id = ? ORDER BY d.id LIMIT ${MOST_ROWS}`,
    [shipmentId],
  );
  return rows.map((row) => ({
    createdAt: iso(row, 'created_at'),
    uuid: text(row, 'uuid'),
    url: text(row, 'url'),
    event: text(row, 'event'),
    state: text(row, 'status'),
    attempts: int(row, 'attempts'),
    nextAttemptAt: isoOrNull(row, 'next_attempt_at'),
    responseStatus: intOrNull(row, 'response_status'),
    error: textOrNull(row, 'error'),
  }));
}
