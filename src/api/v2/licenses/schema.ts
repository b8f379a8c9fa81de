import { type Static, Type } from 'typebox';
import { licenseSettingFields } from '../../setting-fields.js';
import { carrierOf, closedObject, NullableTimestamp, passedThrough, stamps } from '../schemas.js';

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
  is_active: Type.Boolean({ description: 'False once an administrator switched it off.' }),
  is_expired: Type.Boolean({
    description: 'Whether `expires_at` has passed. An expired license creates nothing.',
  }),
  expires_at: { ...NullableTimestamp, description: 'When it expires; null: never.' },
  settings: Type.Array(LicenseSettingsSchema, { description: 'One row for each carrier.' }),
});
export type License = Static<typeof LicenseSchema>;
