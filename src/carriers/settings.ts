import { Type } from 'typebox';
import { isStatusCode, type StatusCode } from '../domain/statuses.js';

/** Address of a carrier's server, without a query. */
export const BaseUrl = Type.String({ pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$', maxLength: 255 });

/** How long a call may take as a whole. */
export const TimeoutMs = Type.Optional(Type.Integer({ minimum: 100, maximum: 120_000 }));

/** A token or key that is stored encrypted. */
export const Secret = Type.Optional(
  Type.String({ 'x-secret': true, pattern: '^[\\x21-\\x7e]+$', maxLength: 4096 }),
);

/** The carrier's status codes → ours. */
export const StatusNames = Type.Optional(Type.Record(Type.String(), Type.String()));

/** The statuses that a license names; null where one is none of ours. */
export function meaningsOf(
  names: Record<string, string> | undefined,
): ReadonlyMap<string, StatusCode> | null {
  const meanings = new Map<string, StatusCode>();
  for (const [carrierCode, code] of Object.entries(names ?? {})) {
    if (!isStatusCode(code)) return null;
    meanings.set(carrierCode, code);
  }
  return meanings;
}

/** What every call of an account answers whose settings the adapter cannot work with. */
export const INVALID_SETTINGS = {
  kind: 'rejected',
  code: 'invalid_settings',
  text: 'The settings of the carrier account are not valid.',
} as const;
