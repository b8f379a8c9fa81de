import type { ShipmentRecord } from '../../../domain/shipment.js';
import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { accounts, carriers, shipments } from '../../tables/index.js';
import { COMPANY_NAME, MERCHANT } from '../accounts/merchant.js';
import { PICKUP_PLACE, RECIPIENT_TABLES } from '../carriers/pickup-place.js';
import { COD, ORDER_NUMBER, SHIPMENT, SHIPMENT_TABLES } from './shipments.js';

const s = shipments.as('s');
const a = accounts.as('a');
const TRACKED = shape({
  shipmentId: s.id,
  trackingCode: s.trackingCode,
  shortCode: s.shortTrackingCode,
  carrier: shape({ provider: carriers.as('r').provider, name: COMPANY_NAME }),
  orderNumber: ORDER_NUMBER,
  cod: COD,
  status: s.statusCode,
  serviceType: s.serviceType,
  packages: s.packages,
  city: s.recipientCity,
  /** The recipient's pickup place, as far as it is known. */
  pickupPoint: PICKUP_PLACE,
  createdAt: s.createdAt,
  deliveredAt: s.deliveredAt,
  merchant: shape({
    known: MERCHANT,
    locale: a.locale,
    contactInfo: a.trackerPageContactInfo,
  }).map(({ known, ...more }) => ({ ...known, ...more })),
});

/** Data for the public tracking page: nothing that names or locates the recipient. */
export type TrackedParcel = Selected<typeof TRACKED>;

/** The account's newest created shipment with the carrier's tracking code (case-sensitive); null when there is none. */
export async function findByTrackingCode(
  db: Executor,
  args: { accountId: number; trackingCode: string },
): Promise<ShipmentRecord | null> {
  const found = await SHIPMENT.first(
    db,
    `FROM ${SHIPMENT_TABLES}
     WHERE s.id = (SELECT MAX(c.id) FROM licenses l
       STRAIGHT_JOIN shipments c FORCE INDEX (shipments_license_code) ON c.license_id = l.id
       WHERE l.account_id = ? AND c.tracking_code = ? AND c.state = 'created')`,
    [args.accountId, args.trackingCode],
  );
  // MySQL ignores trailing spaces in comparisons of this collation.
  return found?.trackingCode === args.trackingCode ? found : null;
}

/** The parcel of a public tracking page. The code (ten random characters) grants access; null when there is none. */
export async function findTrackedParcel(db: Executor, shortCode: string): Promise<TrackedParcel | null> {
  return await TRACKED.first(
    db,
    `FROM ${RECIPIENT_TABLES}
     WHERE s.short_tracking_code = ? AND s.state <> 'refused'`,
    [shortCode],
  );
}
