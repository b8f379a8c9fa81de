import { type Static, Type } from 'typebox';
import { isStatusCode, type StatusCode } from '../../domain/statuses.js';
import { compileOnUse } from '../../lib/schema.js';
import type { CarrierAccount } from '../contract.js';

const Code = Type.String({ pattern: '^[0-9]{1,6}$' });

/**
 * Licence settings. The codes belong to the merchant's contract with the carrier, so none has a default that
 * would book something else than was agreed; `timeout_ms` defaults to 15 000.
 */
export const runSettings = Type.Object(
  {
    base_url: Type.String({ pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$', maxLength: 255 }),
    customer_number: Type.String({ pattern: '^[0-9]{1,10}$' }),
    /** P3 of an ordinary delivery or collection. */
    shipment_type: Code,
    /** P3 of a delivery to a pickup point; without it pickup points are refused. */
    pickup_shipment_type: Type.Optional(Code),
    /** P3 of a delivery with cash on delivery; without it `shipment_type`. */
    cod_shipment_type: Type.Optional(Code),
    /** P30: how the money is collected; without it cash on delivery is refused. */
    cod_type: Type.Optional(Code),
    /** P4. */
    stage: Type.Optional(Code),
    /** P7. */
    cargo_type_out: Code,
    /** P8, of round trips; without it round trips are refused. */
    cargo_type_back: Type.Optional(Code),
    /** Character set of the arguments; the reply's is read from the reply. */
    request_charset: Type.Optional(Type.Union([Type.Literal('utf-8'), Type.Literal('windows-1255')])),
    /** The carrier's status codes → ours, instead of the built-in table. */
    statuses: Type.Optional(Type.Record(Type.String(), Type.String())),
    timeout_ms: Type.Optional(Type.Integer({ minimum: 100, maximum: 120_000 })),
    token: Type.Optional(Type.String({ 'x-secret': true, pattern: '^[\\x21-\\x7e]+$', maxLength: 4096 })),
  },
  { additionalProperties: false },
);

const settingsCheck = compileOnUse<Static<typeof runSettings>>(runSettings);

/** What the adapter works with, read from the account's settings and secrets. */
export interface RunConfig {
  settings: Static<typeof runSettings>;
  timeoutMs: number;
  /** Null at hosts that ask for none. */
  token: string | null;
  /** Undefined: the built-in table. */
  statuses: ReadonlyMap<string, StatusCode> | undefined;
}

/** Reads the account's settings; null when they do not match {@link runSettings}. */
export function readConfig(account: CarrierAccount): RunConfig | null {
  const { settings, secrets } = account;
  if (!settingsCheck()(settings)) return null;
  const statuses = new Map<string, StatusCode>();
  for (const [carrierCode, code] of Object.entries(settings.statuses ?? {})) {
    if (!isStatusCode(code)) return null;
    statuses.set(carrierCode, code);
  }
  return {
    settings,
    timeoutMs: settings.timeout_ms ?? 15_000,
    token: secrets.token ?? settings.token ?? null,
    statuses: settings.statuses === undefined ? undefined : statuses,
  };
}
