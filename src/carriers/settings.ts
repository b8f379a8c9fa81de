import { type Static, type TSchema, Type } from 'typebox';
import { isStatusCode, type StatusCode } from '../domain/statuses.js';
import { compileOnUse } from '../lib/schema.js';
import type { CarrierAccount, CarrierAdapter } from './contract.js';
import { objectAt, textAt, valueAt } from './json.js';

/** Address of a carrier's server, without a query. */
export const BaseUrl = Type.String({
  'x-account': true,
  pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
  maxLength: 255,
});

/** How long a call may take as a whole. */
export const TimeoutMs = Type.Optional(Type.Integer({ minimum: 100, maximum: 120_000 }));

const SECRET = { 'x-secret': true, pattern: '^[\\x21-\\x7e]+$', maxLength: 4096 };

/** A token or key that is stored encrypted, and may be replaced within one account of the carrier's. */
export const Secret = Type.Optional(Type.String(SECRET));

/** A {@link Secret} of a carrier where no other setting tells whose the account is: a new one is another account. */
export const AccountSecret = Type.Optional(Type.String({ 'x-account': true, ...SECRET }));

/** The carrier's status codes → ours. */
export const StatusNames = Type.Optional(Type.Record(Type.String(), Type.String()));

const DEFAULT_TIMEOUT_MS = 15_000;

/** The call's time-out by an account's settings. */
function timeoutMsOf({ settings }: CarrierAccount): number {
  return Number(valueAt(settings, 'timeout_ms') ?? DEFAULT_TIMEOUT_MS);
}

/**
 * How long after sending a missing parcel of this account may still appear. A carrier's `settleMs` goes with the
 * default time-out; whoever waits longer for a reply waits as much longer for the parcel.
 */
export function settleMsOf({ limits }: CarrierAdapter, account: CarrierAccount): number {
  if (limits.settleMs === 0) return 0;
  return limits.settleMs + Math.max(0, timeoutMsOf(account) - DEFAULT_TIMEOUT_MS);
}

/** Names of the settings that tell one account of the carrier's from another. */
export function accountNamesOf({ configSchema }: Pick<CarrierAdapter, 'configSchema'>): ReadonlySet<string> {
  const properties = objectAt(configSchema, 'properties') ?? {};
  const names = Object.keys(properties);
  return new Set(names.filter((name) => valueAt(properties, name, 'x-account') === true));
}

/** The meanings that a license gives to the carrier's status codes. */
export type Meanings = ReadonlyMap<string, StatusCode>;

/** What an adapter works with: settings that match its schema, and what carriers have in common of them. */
export interface AccountConfig<S> {
  settings: S;
  /** The token or key of every call; empty where the account has none and need not. */
  secret: string;
  /** `timeout_ms`, 15 000 by default. */
  timeoutMs: number;
  /** `statuses`; empty where the license names none. */
  statuses: Meanings;
}

/**
 * Makes the reader of an account's settings. It returns null when they do not match `schema`, when `statuses` names
 * a status that is none of ours, or when the secret of the name `secretName` is missing and `isOptional` is not set.
 */
export function accountReader<S extends TSchema>(
  schema: S,
  secretName: string,
  { isOptional = false } = {},
): (account: CarrierAccount) => AccountConfig<Static<S>> | null {
  const check = compileOnUse<Static<S>>(schema);
  return (account) => {
    const { settings, secrets } = account;
    if (!check()(settings)) return null;
    const secret = secrets[secretName] ?? textAt(settings, secretName);
    const statuses = meaningsOf(objectAt(settings, 'statuses') ?? {});
    if ((secret === '' && !isOptional) || statuses === null) return null;
    return { settings, secret, timeoutMs: timeoutMsOf(account), statuses };
  };
}

function meaningsOf(names: Readonly<Record<string, unknown>>): Meanings | null {
  const meanings = new Map<string, StatusCode>();
  for (const [carrierCode, code] of Object.entries(names)) {
    if (typeof code !== 'string' || !isStatusCode(code)) return null;
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
