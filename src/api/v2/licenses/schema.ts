import { type Static, Type } from 'typebox';
import { closedObject, NullableTimestamp, passedThrough, Timestamp } from '../schemas.js';

const flag = Type.Boolean();

/** Settings of a licence for one provider. */
export const LicenseSettingsSchema = closedObject('LicenseSettings', {
  id: Type.Integer(),
  provider_id: Type.Integer(),
  settings: passedThrough({ description: 'Settings of the carrier; secrets are never among them.' }),
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
  order_prefix: Type.String({ description: 'Put before order ids that are sent to the carrier.' }),
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** A licence: a carrier account of the merchant. */
export const LicenseSchema = closedObject('License', {
  id: Type.Integer(),
  key: Type.String({ description: 'The value used as `license_key`.' }),
  name: Type.String(),
  company: closedObject('Company', {
    id: Type.Integer(),
    name: Type.String(),
    carrier: closedObject('CompanyCarrier', { id: Type.Integer(), name: Type.String() }),
  }),
  commitment_day: Type.Integer(),
  multiple_shipment: Type.Boolean({ description: 'Whether an order may have several shipments.' }),
  is_active: Type.Boolean(),
  is_expired: Type.Boolean(),
  expires_at: NullableTimestamp,
  settings: Type.Array(LicenseSettingsSchema),
});
export type License = Static<typeof LicenseSchema>;
