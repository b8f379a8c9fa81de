import { type Static, Type } from 'typebox';
import { LicenseSchema } from '../licenses/schema.js';
import { closedObject } from '../schemas.js';

/** The merchant account behind the credentials. */
export const AccountSchema = closedObject('Account', {
  id: Type.Integer(),
  name: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  locale: Type.String(),
  company_name: Type.String(),
  company_logo: Type.String({ description: 'Absolute URL; empty when there is none.' }),
  support_email: Type.String(),
  support_phone: Type.String(),
  trackerPage_contact_info: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'Contacts for the tracking page.',
  }),
  enable_api: Type.Boolean(),
  can_use_collection_points: Type.Boolean(),
  enable_sort_by_warehouse: Type.Boolean(),
  display_order_product: Type.Boolean(),
  display_product_price_in_order_detail: Type.Boolean(),
  display_order_number_barcode: Type.Boolean(),
  label_method: Type.String(),
  label_type: Type.String(),
  licenses: Type.Array(LicenseSchema),
});
export type Account = Static<typeof AccountSchema>;
