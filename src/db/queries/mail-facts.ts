import type { MailFacts } from '../../domain/notifications.js';
import type { Executor, Row } from '../database.js';
import { int, oneOrTwo, statusCode, text, textOrNull } from '../row.js';
import { COMPANY_NAME } from './company-name.js';
import { MERCHANT_COLUMNS, toMerchant } from './merchant.js';
import { PICKUP_PLACE_COLUMNS, PICKUP_PLACE_JOIN, toPickupPlace } from './pickup-place.js';

/** A shipment's facts, the address of its recipient, and the language of its merchant. */
export interface MailFactsRecord {
  facts: MailFacts;
  recipientEmail: string | null;
  locale: string;
}

/** What a mail about a created shipment may tell, by row id or uuid; null when the license has no such shipment. */
export async function getMailFacts(
  db: Executor,
  args: { accountId: number; licenseId: number; shipment: { id: number } | { uuid: string } },
): Promise<MailFactsRecord | null> {
  const [column, value] =
    'id' in args.shipment ? (['s.id', args.shipment.id] as const) : (['s.uuid', args.shipment.uuid] as const);
  const [row] = await db.select(
    `SELECT s.tracking_code, s.short_tracking_code, s.status_code, s.status_description, s.packages, s.service_type,
       s.pickup_point_id, s.cod_amount, s.cod_currency,
       s.recipient_name, s.recipient_company, s.recipient_city, s.recipient_email,
       o.order_id AS store_order_id, o.number AS order_number, o.total AS order_total, o.currency AS order_currency,
       r.provider, ${COMPANY_NAME} AS carrier_name,
       ${PICKUP_PLACE_COLUMNS}, a.locale, ${MERCHANT_COLUMNS}
     FROM shipments s
     JOIN orders o ON o.id = s.order_id
     JOIN carriers r ON r.id = s.carrier_id
     JOIN accounts a ON a.id = s.account_id
     ${PICKUP_PLACE_JOIN}
     WHERE ${column} = ? AND s.account_id = ? AND s.license_id = ? AND s.state = 'created'`,
    [value, args.accountId, args.licenseId],
  );
  return row === undefined
    ? null
    : {
        facts: toFacts(row),
        recipientEmail: textOrNull(row, 'recipient_email'),
        locale: text(row, 'locale'),
      };
}

function toFacts(row: Row): MailFacts {
  const codAmount = textOrNull(row, 'cod_amount');
  const codCurrency = textOrNull(row, 'cod_currency');
  return {
    recipient: {
      name: text(row, 'recipient_name'),
      company: textOrNull(row, 'recipient_company') ?? '',
      city: textOrNull(row, 'recipient_city') ?? '',
    },
    shipment: {
      trackingCode: textOrNull(row, 'tracking_code') ?? '',
      shortTrackingCode: text(row, 'short_tracking_code'),
      status: statusCode(row, 'status_code'),
      serviceType: oneOrTwo(row, 'service_type'),
      statusText: text(row, 'status_description'),
      packages: int(row, 'packages'),
      pickupPointId: textOrNull(row, 'pickup_point_id') ?? '',
      pickupPoint: toPickupPlace(row),
      cod: codAmount === null || codCurrency === null ? null : { amount: codAmount, currency: codCurrency },
    },
    order: {
      id: text(row, 'store_order_id'),
      number: text(row, 'order_number'),
      total: text(row, 'order_total'),
      currency: text(row, 'order_currency'),
    },
    carrier: { provider: text(row, 'provider'), name: text(row, 'carrier_name') },
    merchant: toMerchant(row),
  };
}
