import { type Static, type TSchema, Type } from 'typebox';
import { isStatusCode, type StatusCode } from '../domain/statuses.js';
import { LIMITS } from '../lib/limits/values.js';
import { compileOnUse } from '../lib/schema.js';
import type { CarrierAccount, CarrierAdapter } from './contract.js';
import { objectAt, textAt, valueAt } from './json.js';

/** URL of a carrier's server, without a query. `description`: which server, and who names it. */
export function baseUrl(description: string, example: string) {
  return Type.String({
    'x-account': true,
    description,
    examples: [example],
    pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
    maxLength: 255,
  });
}

/** Timeout of a whole call. */
export const TimeoutMs = Type.Optional(
  Type.Integer({
    description: 'Milliseconds until a call counts as unanswered, 15000 by default. You decide.',
    examples: [20_000],
    minimum: 100,
    maximum: 120_000,
  }),
);

const SECRET = {
  'x-secret': true,
  pattern: '^[\\x21-\\x7e]+$',
  maxLength: 4096,
};

/** A token or key that is stored encrypted. Replacing it keeps the account. `description`: what, and who has it. */
export function secret(description: string) {
  return Type.Optional(Type.String({ description, ...SECRET }));
}

/** A {@link secret} that identifies the account, for carriers without another such setting. */
export function accountSecret(description: string) {
  return Type.Optional(Type.String({ 'x-account': true, description, ...SECRET }));
}

/** The carrier's status codes → ours. */
export const StatusNames = Type.Optional(
  Type.Record(Type.String(), Type.String(), {
    description:
      "The carrier's statuses by their numbers or names, each with one of ours, where they mean something else than " +
      "the built-in table says. The carrier's contact knows.",
    examples: [{ '99': 'delivered' }],
  }),
);

/** How long a call of the account waits for its answer. */
export function timeoutMsOf({ settings }: CarrierAccount): number {
  return Number(valueAt(settings, 'timeout_ms') ?? LIMITS.carriers.callMs);
}

/**
 * How long after sending a missing parcel of this account may still appear. `settleMs` goes with the default
 * timeout; a longer timeout lengthens it as much.
 */
export function settleMsOf({ limits }: CarrierAdapter, account: CarrierAccount): number {
  if (limits.settleMs === 0) return 0;
  return limits.settleMs + Math.max(0, timeoutMsOf(account) - LIMITS.carriers.callMs);
}

/** Names of the settings that identify the account at the carrier. */
export function accountNamesOf({ configSchema }: Pick<CarrierAdapter, 'configSchema'>): ReadonlySet<string> {
  const properties = objectAt(configSchema, 'properties') ?? {};
  const names = Object.keys(properties);
  return new Set(names.filter((name) => valueAt(properties, name, 'x-account') === true));
}

/** A license's own meanings of the carrier's status codes. */
export type Meanings = ReadonlyMap<string, StatusCode>;

/** Settings that match an adapter's schema, with the values that all carriers share. */
export interface AccountConfig<S> {
  settings: S;
  /** The token or key of every call; empty when the account has none and needs none. */
  secret: string;
  /** `timeout_ms`, 15 000 by default. */
  timeoutMs: number;
  /** From `statuses`; empty when the license names none. */
  statuses: Meanings;
}

/**
 * Makes the reader of an account's settings. It returns null when they do not match `schema`, when `statuses`
 * names an unknown status, or when the secret `secretName` is missing and not `isOptional`.
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

/** The outcome of every call for an account with invalid settings. */
export const INVALID_SETTINGS = {
  kind: 'rejected',
  code: 'invalid_settings',
  text: 'The settings of the carrier account are not valid.',
} as const;
