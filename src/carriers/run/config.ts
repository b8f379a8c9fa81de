import { type Static, Type } from 'typebox';
import type { CarrierAccount } from '../contract.js';
import {
  type AccountConfig,
  accountReader,
  BaseUrl,
  type Meanings,
  Secret,
  StatusNames,
  TimeoutMs,
} from '../settings.js';

const Code = Type.String({ pattern: '^[0-9]{1,6}$' });

/**
 * License settings. The codes come from the merchant's contract with the carrier; none has a default, which
 * might book something not agreed. `timeout_ms` defaults to 15 000.
 */
export const runSettings = Type.Object(
  {
    base_url: BaseUrl,
    customer_number: Type.String({ 'x-account': true, pattern: '^[0-9]{1,10}$' }),
    /** P3 of an ordinary delivery or collection. */
    shipment_type: Code,
    /** P3 of a delivery to a pickup point. Without it, pickup points are refused. */
    pickup_shipment_type: Type.Optional(Code),
    /** P3 of a delivery with cash on delivery; `shipment_type` by default. */
    cod_shipment_type: Type.Optional(Code),
    /** P30: how the money is collected. Without it, cash on delivery is refused. */
    cod_type: Type.Optional(Code),
    /** P4. */
    stage: Type.Optional(Code),
    /** P7. */
    cargo_type_out: Code,
    /** P8 of round trips. Without it, round trips are refused. */
    cargo_type_back: Type.Optional(Code),
    /** Character set of the arguments; a reply declares its own. */
    request_charset: Type.Optional(Type.Union([Type.Literal('utf-8'), Type.Literal('windows-1255')])),
    /** The carrier's status codes → ours; replaces the built-in table. */
    statuses: StatusNames,
    timeout_ms: TimeoutMs,
    token: Secret,
  },
  { additionalProperties: false },
);

/** The checked settings; `secret` is the token, empty at hosts without one. */
export interface RunConfig extends Omit<AccountConfig<Static<typeof runSettings>>, 'statuses'> {
  /** Undefined means the built-in table. */
  statuses: Meanings | undefined;
}

const readAccount = accountReader(runSettings, 'token', { isOptional: true });

/** Reads the account's settings; null when they do not match {@link runSettings}. */
export function readConfig(account: CarrierAccount): RunConfig | null {
  const config = readAccount(account);
  if (config === null) return null;
  return { ...config, statuses: config.settings.statuses === undefined ? undefined : config.statuses };
}
