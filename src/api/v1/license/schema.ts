import { type Static, Type } from 'typebox';
import { CreatedAt, UpdatedAt } from '../schemas.js';

/** The carrier behind a license. */
const ProviderSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the carrier.' }),
    name: Type.String({ description: 'Name of the carrier.' }),
    endpoints: Type.Object(
      {
        shipping: Type.String({ description: 'Empty.' }),
        label: Type.String({ description: 'Empty.' }),
        tracking: Type.String({ description: 'Empty.' }),
      },
      { additionalProperties: false, description: 'Relative path fragments; empty.' },
    ),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  },
  {
    title: 'Provider',
    description: 'The carrier behind the license; only for a valid one.',
    additionalProperties: false,
  },
);
export type Provider = Static<typeof ProviderSchema>;

/** Response of `check_license` and `activate_license`. */
export const LicenseVerdict = Type.Object(
  {
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
  },
  { title: 'LicenseVerdict', description: 'Whether a license is valid.', additionalProperties: false },
);
export type LicenseVerdict = Static<typeof LicenseVerdict>;

/** Parameters of both routes. */
export const licenseKey = Type.String({ description: 'Key of the license.', examples: ['lic-main'] });
export const domain = Type.String({
  maxLength: 255,
  description: "The calling store's domain.",
  examples: ['demo-shop.example'],
});
