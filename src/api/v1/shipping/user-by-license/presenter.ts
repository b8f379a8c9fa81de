import type { AccountRecord } from '../../../../db/queries/accounts.js';
import type { LicenseRecord, LicenseSettingsRecord } from '../../../../db/queries/licenses.js';
import type { StoreSiteRecord } from '../../../../db/queries/store-sites.js';
import type { UserByLicense } from './schema.js';

/** The license, its owner account and its Shopify sites as rows. */
export function presentUserByLicense(
  license: LicenseRecord,
  account: AccountRecord,
  sites: readonly StoreSiteRecord[],
): UserByLicense {
  return { license: licenseRow(license), user: userRow(account), shopify_sites: sites.map(siteRow) };
}

function licenseRow(record: LicenseRecord): UserByLicense['license'] {
  const { company } = record;
  return {
    id: record.id,
    user_id: record.accountId,
    company_id: company.id,
    key: record.key,
    name: record.name,
    commitment_day: record.commitmentDay,
    multiple_shipment: record.multipleShipment,
    is_active: record.isActive,
    expires_at: record.expiresAt,
    domain: record.domain,
    started_at: record.startedAt,
    blocked_statuses: record.blockedStatuses,
    company: { id: company.id, name: company.name, carrier_id: company.carrier.id },
    settings: record.settings.map(settingsRow),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

function settingsRow(record: LicenseSettingsRecord): UserByLicense['license']['settings'][number] {
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

function userRow(record: AccountRecord): UserByLicense['user'] {
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
    tracker_page_contact_info: record.trackerPageContactInfo,
    enable_api: record.enableApi,
    can_use_collection_points: record.canUseCollectionPoints,
    enable_sort_by_warehouse: record.enableSortByWarehouse,
    display_order_product: record.displayOrderProduct,
    display_product_price_in_order_detail: record.displayProductPriceInOrderDetail,
    display_order_number_barcode: record.displayOrderNumberBarcode,
    label_method: record.labelMethod,
    label_type: record.labelType,
    client_id: record.clientId,
    client_secret_last4: record.clientSecretLast4,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

function siteRow(record: StoreSiteRecord): UserByLicense['shopify_sites'][number] {
  return {
    id: record.id,
    user_id: record.accountId,
    license_id: record.licenseId,
    platform: record.platform,
    domain: record.domain,
    callback_url: record.callbackUrl,
    is_active: record.isActive,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}
