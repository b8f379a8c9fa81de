import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { accounts, carriers, orders, shipments } from '../../tables/index.js';
import { COMPANY_NAME, MERCHANT } from '../accounts/merchant.js';
import { PICKUP_PLACE, RECIPIENT_TABLES } from '../carriers/pickup-place.js';
import { COD } from '../shipments/shipments.js';

const s = shipments.as('s');
const o = orders.as('o');
const MAIL_DATA = shape({
  mailData: shape({
    recipient: shape({
      name: s.recipientName,
      company: s.recipientCompany.map(orEmpty),
      city: s.recipientCity.map(orEmpty),
    }),
    shipment: shape({
      trackingCode: s.trackingCode.map(orEmpty),
      shortTrackingCode: s.shortTrackingCode,
      status: s.statusCode,
      serviceType: s.serviceType,
      statusText: s.statusDescription,
      packages: s.packages,
      pickupPointId: s.pickupPointId.map(orEmpty),
      pickupPoint: PICKUP_PLACE,
      cod: COD,
    }),
    order: shape({ id: o.orderId, number: o.number, total: o.total, currency: o.currency }),
    carrier: shape({ provider: carriers.as('r').provider, name: COMPANY_NAME }),
    merchant: MERCHANT,
  }),
  recipientEmail: s.recipientEmail,
  locale: accounts.as('a').locale,
});

/** Data of a shipment's mails, with the recipient's address and the merchant's language. */
export type MailDataRecord = Selected<typeof MAIL_DATA>;

function orEmpty(value: string | null): string {
  return value ?? '';
}

/** Mail data of a created shipment by row id or uuid; null when the license has no such shipment. */
export async function getMailData(
  db: Executor,
  args: { accountId: number; licenseId: number; shipment: { id: number } | { uuid: string } },
): Promise<MailDataRecord | null> {
  const [column, value] =
    'id' in args.shipment ? (['s.id', args.shipment.id] as const) : (['s.uuid', args.shipment.uuid] as const);
  return await MAIL_DATA.first(
    db,
    `FROM ${RECIPIENT_TABLES}
     WHERE ${column} = ? AND s.account_id = ? AND s.license_id = ? AND s.state = 'created'`,
    [value, args.accountId, args.licenseId],
  );
}
