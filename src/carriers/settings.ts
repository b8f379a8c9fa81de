import { type Static, type TSchema, Type } from 'typebox';
import { problem } from '../domain/problems/problem.js';
import { isStatusCode, SHIPPING_STATUSES, type StatusCode } from '../domain/statuses.js';
import { objectAt, textAt, valueAt } from '../lib/json.js';
import { LIMITS } from '../lib/limits/values.js';
import { compileOnUse, validatorOf } from '../lib/schema.js';
import type { CarrierAccount, CarrierAdapter } from './contract.js';

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

/**
 * A token or key that is stored encrypted, without which the carrier takes no call. Replacing it keeps the account.
 * `description`: what, and who has it.
 */
export function secret(description: string) {
  return Type.String({ description, ...SECRET });
}

/** A {@link secret} that identifies the account, for carriers without another such setting. */
export function accountSecret(description: string) {
  return Type.String({ 'x-account': true, description, ...SECRET });
}

/** The carrier's status codes → ours. */
export const StatusNames = Type.Optional(
  statusNames(
    "The carrier's statuses by their numbers or names, each with one of ours, where they mean something else than " +
      "the built-in table says. The carrier's contact knows.",
  ),
);

/** Names of the carrier's statuses, each with one of ours. */
export function statusNames(description: string) {
  const ours = Type.Unsafe<StatusCode>({ enum: SHIPPING_STATUSES.map(({ code }) => code) });
  return Type.Record(Type.String(), ours, { description, examples: [{ '99': 'delivered' }] });
}

/** The rule that a setting with a value needs another one. */
export function needsBeside(name: string, value: string, other: string) {
  return {
    if: { properties: { [name]: { const: value } }, required: [name] },
    // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
    then: { properties: { [other]: {} }, required: [other] },
  };
}

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

/** Makes the reader of an account's settings. It returns null when these, with the secrets, do not match `schema`. */
export function accountReader<S extends TSchema>(
  schema: S,
  secretName: string,
): (account: CarrierAccount) => AccountConfig<Static<S>> | null {
  const check = compileOnUse<Static<S>>(schema);
  return (account) => {
    const settings: unknown = merged(schema, account);
    if (!check()(settings)) return null;
    const statuses = meaningsOf(objectAt(settings, 'statuses') ?? {});
    return { settings, secret: textAt(settings, secretName), timeoutMs: timeoutMsOf(account), statuses };
  };
}

/** The settings with the secrets that the schema knows. */
function merged(schema: object, { settings, secrets }: CarrierAccount): Record<string, unknown> {
  const known = objectAt(schema, 'properties') ?? {};
  return { ...settings, ...Object.fromEntries(Object.entries(secrets).filter(([name]) => name in known)) };
}

function meaningsOf(names: Readonly<Record<string, unknown>>): Meanings {
  const meanings = new Map<string, StatusCode>();
  for (const [carrierCode, code] of Object.entries(names)) {
    if (typeof code === 'string' && isStatusCode(code)) meanings.set(carrierCode, code);
  }
  return meanings;
}

/** Parts of the collection address that an adapter with `needsCollectionAddress` needs, by the license's fields. */
const ADDRESS_PARTS = { collect_street: 'street', collect_city: 'city' } as const;

/**
 * Names of the settings that keep a license from being used: missing or wrong ones, and missing parts of the collection
 * address.
 */
export function wrongSettings(
  adapter: Pick<CarrierAdapter, 'configSchema' | 'needsCollectionAddress'>,
  account: CarrierAccount,
): string[] {
  const { collectFrom } = account;
  const check = validatorOf(adapter.configSchema);
  const names = new Set<string>();
  if (!check(merged(adapter.configSchema, account))) {
    for (const { instancePath, params } of check.errors ?? []) {
      const [, inside = ''] = instancePath.split('/');
      const name: unknown = inside || params.missingProperty;
      if (typeof name === 'string') names.add(name);
    }
  }
  if (adapter.needsCollectionAddress === true) {
    for (const [name, part] of Object.entries(ADDRESS_PARTS))
      if (collectFrom[part].trim() === '') names.add(name);
  }
  return [...names];
}

/** The answer of a license with {@link wrongSettings}, instead of the carrier's. */
export function settingsText(
  { displayName }: Pick<CarrierAdapter, 'displayName'>,
  names: readonly string[],
): string {
  return problem('settings_lacking', { carrier: displayName, names: names.join(', ') }).text;
}

/** The outcome of every call for an account with invalid settings. */
export const INVALID_SETTINGS = {
  kind: 'rejected',
  code: 'invalid_settings',
  text: problem('settings_invalid').text,
} as const;
