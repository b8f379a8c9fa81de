import { type Static, Type } from 'typebox';
import { AnyObject, NullableText, NullableTimestamp, Timestamp } from '../../schemas.js';

const closed = { additionalProperties: false };
const flag = Type.Boolean();

const SettingsRow = Type.Object(
  {
    id: Type.Integer(),
    provider_id: Type.Integer(),
    settings: AnyObject,
    collect_street: Type.String(),
    collect_street_number: Type.String(),
    collect_city: Type.String(),
    collect_company: Type.String(),
    print_products: flag,
    print_variations: flag,
    print_customer_detail_sku_and_quantity_bold_in_label: flag,
    print_products_on_label_notes: flag,
    print_products_on_a4_label_notes: flag,
    print_products_name: flag,
    print_products_sku: flag,
    print_virtual_product_on_note: flag,
    enable_cod: flag,
    separate_street_and_number: flag,
    get_street_number_with_suffix: flag,
    display_shipping_line_number: flag,
    send_note_on_order: flag,
    label_method: Type.String(),
    label_type: Type.String(),
    order_prefix: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { ...closed, title: 'LicenseSettingsRow', description: "The carrier's secrets are never among them." },
);

const LicenseRow = Type.Object(
  {
    id: Type.Integer(),
    user_id: Type.Integer({ description: 'The owner account.' }),
    company_id: Type.Integer(),
    key: Type.String(),
    name: Type.String(),
    commitment_day: Type.Integer(),
    multiple_shipment: flag,
    is_active: flag,
    expires_at: NullableTimestamp,
    domain: NullableText,
    started_at: NullableTimestamp,
    blocked_statuses: Type.Unknown({ description: 'Order statuses for which no shipment is made, or null.' }),
    company: Type.Object({ id: Type.Integer(), name: Type.String(), carrier_id: Type.Integer() }, closed),
    settings: Type.Array(SettingsRow),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { ...closed, title: 'LicenseRow' },
);

const UserRow = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    email: Type.String(),
    phone: Type.String(),
    locale: Type.String(),
    company_name: Type.String(),
    company_logo: Type.String(),
    support_email: Type.String(),
    support_phone: Type.String(),
    tracker_page_contact_info: Type.Union([AnyObject, Type.Null()]),
    enable_api: flag,
    can_use_collection_points: flag,
    enable_sort_by_warehouse: flag,
    display_order_product: flag,
    display_product_price_in_order_detail: flag,
    display_order_number_barcode: flag,
    label_method: Type.String(),
    label_type: Type.String(),
    client_id: Type.String(),
    client_secret_last4: Type.String({
      description: 'All that is known of the secret, which is stored hashed.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { ...closed, title: 'UserRow' },
);

const SiteRow = Type.Object(
  {
    id: Type.Integer(),
    user_id: Type.Integer(),
    license_id: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    platform: Type.String(),
    domain: Type.String(),
    callback_url: NullableText,
    is_active: flag,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { ...closed, title: 'StoreSiteRow' },
);

/** What `user-by-license` answers. */
export const UserByLicense = Type.Object(
  { license: LicenseRow, user: UserRow, shopify_sites: Type.Array(SiteRow) },
  { ...closed, title: 'UserByLicense' },
);
export type UserByLicense = Static<typeof UserByLicense>;
