import type { AccountRecord } from '../../../db/queries/accounts.js';
import type { License } from '../licenses/schema.js';
import type { Account } from './schema.js';

/** An account as v2 shows it; a logo stored as a path becomes an absolute URL. */
export function presentAccount(record: AccountRecord, licenses: License[], baseUrl: string): Account {
  return {
    id: record.id,
    name: record.name,
    email: record.email,
    phone: record.phone,
    locale: record.locale,
    company_name: record.companyName,
    company_logo: record.companyLogo.startsWith('/') ? baseUrl + record.companyLogo : record.companyLogo,
    support_email: record.supportEmail,
    support_phone: record.supportPhone,
    trackerPage_contact_info: record.trackerPageContactInfo,
    enable_api: record.enableApi,
    can_use_collection_points: record.canUseCollectionPoints,
    enable_sort_by_warehouse: record.enableSortByWarehouse,
    display_order_product: record.displayOrderProduct,
    display_product_price_in_order_detail: record.displayProductPriceInOrderDetail,
    display_order_number_barcode: record.displayOrderNumberBarcode,
    label_method: record.labelMethod,
    label_type: record.labelType,
    licenses,
  };
}
