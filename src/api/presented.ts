import type { AccountRecord } from '../db/queries/accounts/accounts.js';
import type { LicenseSettingsRecord } from '../db/queries/accounts/licenses.js';
import type { StatusEvent } from '../domain/shipment.js';
import { shownDescription } from '../domain/statuses.js';

/** A license's settings for its carrier, as both APIs return them. */
export function presentSettings(record: LicenseSettingsRecord) {
  return {
    id: record.id,
    provider_id: record.providerId,
    settings: record.settings,
    collect_street: record.collectStreet,
    collect_street_number: record.collectStreetNumber,
    collect_city: record.collectCity,
    collect_company: record.collectCompany,
    ...record.flags,
    label_method: record.labelMethod,
    label_type: record.labelType,
    order_prefix: record.orderPrefix,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

/** An account, as both APIs return it. */
export function presentOwner(record: AccountRecord) {
  return {
    id: record.id,
    name: record.name,
    email: record.email,
    phone: record.phone,
    locale: record.locale,
    company_name: record.companyName,
    company_logo: record.companyLogo,
    support_email: record.supportEmail,
    support_phone: record.supportPhone,
    enable_api: record.enableApi,
    can_use_collection_points: record.canUseCollectionPoints,
    enable_sort_by_warehouse: record.enableSortByWarehouse,
    display_order_product: record.displayOrderProduct,
    display_product_price_in_order_detail: record.displayProductPriceInOrderDetail,
    display_order_number_barcode: record.displayOrderNumberBarcode,
    label_method: record.labelMethod,
    label_type: record.labelType,
  };
}

/** An event of a shipment's history, as both APIs return it. */
export function presentEvent(event: StatusEvent) {
  return {
    code: event.code,
    description: shownDescription(event),
    occurred_at: event.occurredAt,
    carrier_code: event.carrierCode,
    carrier_description: event.carrierDescription,
    location: event.location,
  };
}
