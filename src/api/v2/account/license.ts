import { type Static, Type } from 'typebox';
import type { LicenseRecord } from '../../../db/queries/accounts/licenses.js';
import { isExpired } from '../../../domain/license.js';
import { presentSettings } from '../../presented.js';
import { closedObject, passedThrough, stamps, whenOrNull } from '../../schemas.js';
import { licenseSettingFields } from '../../setting-fields.js';
import { carrierOf } from '../schemas.js';

const LicenseSettingsSchema = closedObject('LicenseSettings', 'Settings of a license for its carrier.', {
  id: Type.Integer({ description: 'Id of the settings.' }),
  provider_id: Type.Integer({ description: 'Id of the carrier, as in `company.carrier.id`.' }),
  settings: passedThrough('Settings of the carrier; secrets are never among them.'),
  ...licenseSettingFields,
  ...stamps,
});

export const LicenseSchema = closedObject('License', 'A license: an account of the merchant at a carrier.', {
  id: Type.Integer({ description: 'Id of the license.' }),
  key: Type.String({ description: 'The value used as `license_key`.' }),
  name: Type.String({ description: 'Display name.' }),
  company: closedObject('Company', 'The shipping company of the license.', {
    id: Type.Integer({ description: 'Id of the company.' }),
    name: Type.String({ description: 'Name of the company.' }),
    carrier: carrierOf('CompanyCarrier', 'The carrier whose interface the company speaks.'),
  }),
  commitment_day: Type.Integer({
    description: 'Days within which the carrier promises to deliver, as the administrator entered them.',
  }),
  multiple_shipment: Type.Boolean({
    description:
      'Whether an order may have several active shipments of one service type; otherwise a second one is 409 ' +
      '`duplicate_request`.',
  }),
  is_sandbox: Type.Boolean({ description: 'Whether its parcels are for trying only, as the operator says.' }),
  is_active: Type.Boolean({ description: 'False once an administrator switched it off.' }),
  is_expired: Type.Boolean({
    description: 'Whether `expires_at` has passed. An expired license creates nothing.',
  }),
  expires_at: whenOrNull('When it expires; null: never.'),
  settings: Type.Array(LicenseSettingsSchema, { description: 'One row for each carrier.' }),
});

export const licenseExample = {
  id: 12,
  key: 'lic_main',
  name: 'Main warehouse',
  company: { id: 3, name: 'Run Haifa', carrier: { id: 2, name: 'Run' } },
  commitment_day: 2,
  multiple_shipment: false,
  is_sandbox: false,
  is_active: true,
  is_expired: false,
  expires_at: null,
  settings: [
    {
      id: 7,
      provider_id: 2,
      settings: { customer_number: '4001' },
      collect_street: 'Port',
      collect_street_number: '1',
      collect_city: 'Haifa',
      collect_company: 'Acme',
      print_products: false,
      print_variations: false,
      print_customer_detail_sku_and_quantity_bold_in_label: false,
      print_products_on_label_notes: false,
      print_products_on_a4_label_notes: false,
      print_products_name: false,
      print_products_sku: false,
      print_virtual_product_on_note: false,
      enable_cod: true,
      separate_street_and_number: false,
      get_street_number_with_suffix: false,
      display_shipping_line_number: false,
      send_note_on_order: true,
      label_method: 'builtin',
      label_type: 'thermal',
      order_prefix: '',
      created_at: '2026-01-05T08:00:00.000000Z',
      updated_at: '2026-01-05T08:00:00.000000Z',
    },
  ],
} satisfies Static<typeof LicenseSchema>;

/** A license at `now` (ISO 8601 UTC with microseconds). */
export function presentLicense(record: LicenseRecord, now: string): Static<typeof LicenseSchema> {
  const { company } = record;
  return {
    id: record.id,
    key: record.key,
    name: record.name,
    company: {
      id: company.id,
      name: company.name,
      carrier: { id: company.carrier.id, name: company.carrier.name },
    },
    commitment_day: record.commitmentDay,
    multiple_shipment: record.multipleShipment,
    is_sandbox: record.isSandbox,
    is_active: record.isActive,
    is_expired: isExpired(record, now),
    expires_at: record.expiresAt,
    settings: record.settings.map(presentSettings),
  };
}
