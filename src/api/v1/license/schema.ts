import { type Static, Type } from 'typebox';
import { Timestamp } from '../schemas.js';

/** The carrier behind a license. */
const ProviderSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    endpoints: Type.Object(
      { shipping: Type.String(), label: Type.String(), tracking: Type.String() },
      { additionalProperties: false, description: 'Relative path fragments; empty.' },
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Provider', additionalProperties: false },
);
export type Provider = Static<typeof ProviderSchema>;

/** What `check_license` and `activate_license` answer. */
export const LicenseVerdict = Type.Object(
  {
    success: Type.Boolean(),
    error: Type.Unsafe<'missing' | 'revoked' | 'invalid' | null>({
      enum: ['missing', 'revoked', 'invalid', null],
      description: 'Why the license is not valid; null when it is.',
    }),
    license: Type.Unsafe<'valid' | 'invalid'>({ type: 'string', enum: ['valid', 'invalid'] }),
    provider: Type.Optional(ProviderSchema),
    message: Type.String(),
  },
  { title: 'LicenseVerdict', additionalProperties: false },
);
export type LicenseVerdict = Static<typeof LicenseVerdict>;

/** Parameters that both routes take. */
export const licenseKey = Type.String({ description: 'Key of the license.', examples: ['lic-main'] });
export const domain = Type.String({
  maxLength: 255,
  description: "The calling store's domain.",
  examples: ['shop.example'],
});
