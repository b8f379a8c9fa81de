import { type Static, Type } from 'typebox';
import { CreatedAt, closed, titled, UpdatedAt } from '../schemas.js';

/** The carrier behind a license. */
const ProviderSchema = titled('Provider', 'The carrier behind the license; only for a valid one.', {
  id: Type.Integer({ description: 'Id of the carrier.' }),
  name: Type.String({ description: 'Name of the carrier.' }),
  endpoints: closed('Relative path fragments; empty.', {
    shipping: Type.String({ description: 'Empty.' }),
    label: Type.String({ description: 'Empty.' }),
    tracking: Type.String({ description: 'Empty.' }),
  }),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
});
export type Provider = Static<typeof ProviderSchema>;

/** Response of `check_license` and `activate_license`. */
export const LicenseVerdict = titled('LicenseVerdict', 'Whether a license is valid.', {
  success: Type.Boolean({ description: 'Whether the license is valid.' }),
  error: Type.Unsafe<'missing' | 'revoked' | 'invalid' | null>({
    enum: ['missing', 'revoked', 'invalid', null],
    description:
      'Why it is not valid. `missing`: no such key. `revoked`: switched off. `invalid`: for premium members only. Null when it is valid.',
  }),
  license: Type.Unsafe<'valid' | 'invalid'>({
    type: 'string',
    enum: ['valid', 'invalid'],
    description: 'The verdict as a word.',
  }),
  provider: Type.Optional(ProviderSchema),
  message: Type.String({ description: 'The verdict in words.' }),
});
export type LicenseVerdict = Static<typeof LicenseVerdict>;

/** Parameters of both routes. */
export const licenseKey = Type.String({ description: 'Key of the license.', examples: ['lic-main'] });
export const domain = Type.String({
  maxLength: 255,
  description: "The calling store's domain.",
  examples: ['demo-shop.example'],
});
