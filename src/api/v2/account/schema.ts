import { type Static, Type } from 'typebox';
import { accountFields, accountFlags, labelDefaults } from '../../setting-fields.js';
import { LicenseSchema } from '../licenses/schema.js';
import { closedObject } from '../schemas.js';

export const AccountSchema = closedObject('Account', 'The merchant account behind the credentials.', {
  id: Type.Integer({ description: 'Id of the account.' }),
  ...accountFields,
  trackerPage_contact_info: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description:
      'Contacts that the tracking page shows instead of the support ones, as stored; null when there are none.',
  }),
  ...accountFlags,
  ...labelDefaults('built-in, thermal labels'),
  licenses: Type.Array(LicenseSchema, { description: 'Every license of the account, usable or not.' }),
});
export type Account = Static<typeof AccountSchema>;
