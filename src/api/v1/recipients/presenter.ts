import type { Static } from 'typebox';
import type { RecipientShipment } from '../../../db/queries/shipments/recipient-shipments.js';
import { storedType } from '../../../domain/stored-type.js';
import { trackingUrl } from '../../../domain/tracking-url.js';
import type { SignedIn } from '../../../services/shipments/recipients.js';
import type { RecipientShipmentSchema, RecipientUser } from './schema.js';

/** A recipient with the token of the sign-in. */
export function presentSignedIn({ recipient, token }: SignedIn): Static<typeof RecipientUser> {
  return {
    id: recipient.id,
    name: recipient.name,
    phone: recipient.phone,
    created_at: recipient.createdAt,
    updated_at: recipient.updatedAt,
    token,
  };
}

/** A shipment as shown to its recipient. */
export function presentShipment(
  found: RecipientShipment,
  baseUrl: string,
): Static<typeof RecipientShipmentSchema> {
  const { shipment, flag, companyId } = found;
  const { recipient, cod } = shipment;
  return {
    id: shipment.id,
    uuid: shipment.uuid,
    shipping_code: shipment.trackingCode,
    tracking_url: trackingUrl(baseUrl, shipment.shortTrackingCode),
    type: storedType(shipment),
    status: shipment.status.description,
    status_code: shipment.status.code,
    is_active: shipment.isActive,
    flag,
    label_generated: shipment.labelGenerated,
    provider: shipment.carrier.provider,
    carrier: shipment.carrier.name,
    is_cod: cod !== null,
    cod_amount: cod?.amount ?? null,
    cod_currency: cod?.currency ?? null,
    packages: shipment.packages,
    pickup_point_id: shipment.pickupPointId,
    name: recipient.name,
    company_name: recipient.company,
    phone: recipient.phone,
    street: recipient.street,
    number: recipient.number,
    entrance: recipient.entrance,
    floor: recipient.floor,
    apartment: recipient.apartment,
    city: recipient.city,
    zip: recipient.zip,
    country: recipient.country,
    order: { order_id: shipment.order.id, order_number: shipment.order.number },
    customer_id: shipment.accountId,
    company_id: companyId,
    license_id: shipment.licenseId,
    created_at: shipment.createdAt,
    updated_at: shipment.updatedAt,
    delivered_at: shipment.deliveredAt,
  };
}
