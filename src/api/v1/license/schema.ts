import { Type } from 'typebox';
import {
  closed,
  closedObject,
  nullableInteger,
  nullableObject,
  nullableText,
  oneOf,
  passedThrough,
  stamps,
  whenOrNull,
} from '../../schemas.js';
import { accountFields, accountFlags, labelDefaults, licenseSettingFields } from '../../setting-fields.js';

/** The carrier behind a license. */
const ProviderSchema = closedObject('Provider', 'The carrier behind the license; only for a valid one.', {
  id: Type.Integer({ description: 'Id of the carrier.' }),
  name: Type.String({ description: 'Name of the carrier.' }),
  endpoints: closed('Relative path fragments; empty.', {
    shipping: Type.String({ description: 'Empty.' }),
    label: Type.String({ description: 'Empty.' }),
    tracking: Type.String({ description: 'Empty.' }),
  }),
  created_at: stamps.created_at,
  updated_at: stamps.updated_at,
});

/** Response of `check_license` and `activate_license`. */
export const LicenseVerdict = closedObject('LicenseVerdict', 'Whether a license is valid.', {
  success: Type.Boolean({ description: 'Whether the license is valid.' }),
  error: Type.Unsafe<'missing' | 'revoked' | 'invalid' | null>({
    enum: ['missing', 'revoked', 'invalid', null],
    description:
      'Why it is not valid. `missing`: no such key. `revoked`: switched off. `invalid`: for premium members only. Null when it is valid.',
  }),
  license: oneOf(['valid', 'invalid'], 'The verdict as a word.'),
  provider: Type.Optional(ProviderSchema),
  message: Type.String({ description: 'The verdict in words.' }),
});

/** Parameters of both routes. */
export const licenseKey = Type.String({ description: 'Key of the license.', examples: ['lic-main'] });
export const domain = Type.String({
  maxLength: 255,
  description: "The calling store's domain.",
  examples: ['demo-shop.example'],
});

const SettingsRow = closedObject('LicenseSettingsRow', "The carrier's secrets are never among them.", {
  id: Type.Integer({ description: 'Id of the settings.' }),
  provider_id: Type.Integer({ description: 'Id of the carrier.' }),
  settings: passedThrough('Settings of the carrier; secrets are never among them.'),
  ...licenseSettingFields,
  created_at: stamps.created_at,
  updated_at: stamps.updated_at,
});

const LicenseRow = closedObject('LicenseRow', 'A license: an account of the merchant at a carrier.', {
  id: Type.Integer({ description: 'Id of the license.' }),
  user_id: Type.Integer({ description: 'The owner account.' }),
  company_id: Type.Integer({ description: 'Id of its company.' }),
  key: Type.String({ description: 'The value used as `license_key`.' }),
  name: Type.String({ description: 'Display name.' }),
  commitment_day: Type.Integer({
    description: 'Days within which the carrier promises to deliver, as the administrator entered them.',
  }),
  multiple_shipment: Type.Boolean({
    description: 'Whether an order may have several active shipments of one service type in API v2.',
  }),
  is_active: Type.Boolean({ description: 'False once an administrator switched it off.' }),
  expires_at: whenOrNull('When it expires; null: never.'),
  domain: nullableText('The store to which activation bound it; null before.'),
  started_at: whenOrNull('When it was last activated; null before.'),
  blocked_statuses: Type.Unknown({ description: 'Order statuses for which no shipment is made, or null.' }),
  company: closed('The shipping company of the license.', {
    id: Type.Integer({ description: 'Id of the company.' }),
    name: Type.String({ description: 'Name of the company.' }),
    carrier_id: Type.Integer({ description: 'Id of its carrier.' }),
  }),
  settings: Type.Array(SettingsRow, { description: 'One row for each carrier.' }),
  created_at: stamps.created_at,
  updated_at: stamps.updated_at,
});

const UserRow = closedObject('UserRow', 'The merchant account that owns the license.', {
  id: Type.Integer({ description: 'Id of the account.' }),
  ...accountFields,
  tracker_page_contact_info: nullableObject(
    'Contacts that the tracking page shows instead of the support ones, as stored; null when there are none.',
  ),
  ...accountFlags,
  ...labelDefaults('built-in, thermal labels'),
  client_id: Type.String({ description: 'The client id of API v2.' }),
  client_secret_last4: Type.String({
    description: 'The last characters of the secret, which is stored hashed.',
  }),
  created_at: stamps.created_at,
  updated_at: stamps.updated_at,
});

const SiteRow = closedObject('StoreSiteRow', 'A store that is connected to the account.', {
  id: Type.Integer({ description: 'Id of the store.' }),
  user_id: Type.Integer({ description: 'The owner account.' }),
  license_id: nullableInteger('Id of its license; null when it has none.'),
  platform: Type.String({ description: "The store's platform, such as `shopify`." }),
  domain: Type.String({ description: 'Domain of the store.' }),
  callback_url: nullableText('URL that activations are sent to; null for none.'),
  is_active: Type.Boolean({ description: 'False once an administrator switched it off.' }),
  created_at: stamps.created_at,
  updated_at: stamps.updated_at,
});

export const UserByLicense = closedObject('UserByLicense', 'A license with its owner.', {
  license: LicenseRow,
  user: UserRow,
  shopify_sites: Type.Array(SiteRow, { description: 'Connected Shopify stores.' }),
});
