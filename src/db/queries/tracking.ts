import type { MailFacts } from '../../domain/notifications.js';
import type { PickupPlace } from '../../domain/recipient-words/pickup-place.js';
import type { JsonObject, Money, ServiceType, ShipmentRecord } from '../../domain/shipment.js';
import type { StatusCode } from '../../domain/statuses.js';
import type { Executor, Row } from '../database.js';
import { int, iso, isoOrNull, jsonObjectOrNull, oneOrTwo, statusCode, text, textOrNull } from '../row.js';
import { COMPANY_NAME } from './company-name.js';
import { MERCHANT_COLUMNS, toMerchant } from './merchant.js';
import { PICKUP_PLACE_COLUMNS, PICKUP_PLACE_JOIN, toPickupPlace } from './pickup-place.js';
import { ORDER_NUMBER, SHIPMENT_COLUMNS, SHIPMENT_TABLES, toShipment } from './shipments.js';

/** What the public tracking page may know of a parcel: nothing that names or finds its recipient. */
export interface TrackedParcel {
  shipmentId: number;
  trackingCode: string | null;
  shortCode: string;
  carrier: { provider: string; name: string };
  orderNumber: string;
  cod: Money | null;
  status: StatusCode;
  serviceType: ServiceType;
  packages: number;
  city: string | null;
  /** Where the recipient fetches the parcel, as far as the stored copy knows the point. */
  pickupPoint: PickupPlace | null;
  createdAt: string;
  deliveredAt: string | null;
  merchant: TrackedMerchant;
}

type Merchant = MailFacts['merchant'];

/** Whose parcel it is, as its recipient may know. */
export interface TrackedMerchant extends Merchant {
  locale: string;
  contactInfo: JsonObject | null;
}

/** A step of the parcel's history without the carrier's own words, which may name people. */
export interface TrackedStep {
  code: StatusCode;
  occurredAt: string;
}

/** The account's newest created shipment with the carrier's tracking code (case-sensitive); null when there is none. */
export async function findByTrackingCode(
  db: Executor,
  args: { accountId: number; trackingCode: string },
): Promise<ShipmentRecord | null> {
  const [row] = await db.select(
    `SELECT ${SHIPMENT_COLUMNS} FROM ${SHIPMENT_TABLES}
     WHERE s.id = (SELECT MAX(c.id) FROM licenses l
       STRAIGHT_JOIN shipments c FORCE INDEX (shipments_license_code) ON c.license_id = l.id
       WHERE l.account_id = ? AND c.tracking_code = ? AND c.state = 'created')`,
    [args.accountId, args.trackingCode],
  );
  const found = row === undefined ? null : toShipment(row);
  // MySQL ignores trailing spaces in comparisons of this collation.
  return found?.trackingCode === args.trackingCode ? found : null;
}

/** The parcel behind a public tracking page. The code, ten random characters, is what gives access; null: no such. */
export async function findTrackedParcel(db: Executor, shortCode: string): Promise<TrackedParcel | null> {
  const [row] = await db.select(
    `SELECT s.id, s.tracking_code, s.short_tracking_code, s.status_code, s.service_type, s.packages,
       s.recipient_city, s.created_at, s.delivered_at, s.cod_amount, s.cod_currency,
       r.provider, ${COMPANY_NAME} AS carrier_name, ${ORDER_NUMBER} AS order_number,
       ${PICKUP_PLACE_COLUMNS},
       a.locale, a.tracker_page_contact_info, ${MERCHANT_COLUMNS}
     FROM shipments s
     JOIN orders o ON o.id = s.order_id
     JOIN carriers r ON r.id = s.carrier_id
     JOIN accounts a ON a.id = s.account_id
     ${PICKUP_PLACE_JOIN}
     WHERE s.short_tracking_code = ? AND s.state <> 'refused'`,
    [shortCode],
  );
  return row === undefined ? null : toTrackedParcel(row);
}

/** The steps of a parcel's history, oldest first. */
export async function listTrackedSteps(db: Executor, shipmentId: number): Promise<TrackedStep[]> {
  const rows = await db.select(
    'SELECT code, occurred_at FROM shipment_events WHERE shipment_id = ? ORDER BY occurred_at, id',
    [shipmentId],
  );
  return rows.map((row) => ({ code: statusCode(row, 'code'), occurredAt: iso(row, 'occurred_at') }));
}

function toTrackedParcel(row: Row): TrackedParcel {
  const codAmount = textOrNull(row, 'cod_amount');
  const codCurrency = textOrNull(row, 'cod_currency');
  return {
    shipmentId: int(row, 'id'),
    trackingCode: textOrNull(row, 'tracking_code'),
    shortCode: text(row, 'short_tracking_code'),
    carrier: { provider: text(row, 'provider'), name: text(row, 'carrier_name') },
    orderNumber: text(row, 'order_number'),
    cod: codAmount === null || codCurrency === null ? null : { amount: codAmount, currency: codCurrency },
    status: statusCode(row, 'status_code'),
    serviceType: oneOrTwo(row, 'service_type'),
    packages: int(row, 'packages'),
    city: textOrNull(row, 'recipient_city'),
    pickupPoint: toPickupPlace(row),
    createdAt: iso(row, 'created_at'),
    deliveredAt: isoOrNull(row, 'delivered_at'),
    merchant: {
      ...toMerchant(row),
      locale: text(row, 'locale'),
      contactInfo: jsonObjectOrNull(row, 'tracker_page_contact_info'),
    },
  };
}
