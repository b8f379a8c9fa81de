import { type Static, Type } from 'typebox';
import {
  type AccountConfig,
  AccountSecret,
  accountReader,
  BaseUrl,
  StatusNames,
  TimeoutMs,
} from '../settings.js';

/** License settings. `timeout_ms` defaults to 15 000. */
export const lionwheelSettings = Type.Object(
  {
    /** The host, without `/api/v1`: `https://members.lionwheel.com`. */
    base_url: BaseUrl,
    /** The company to book for; required when the key belongs to an organization with several. */
    company_id: Type.Optional(Type.Integer({ 'x-account': true, minimum: 1 })),
    /** How cash on delivery is collected: 0 cash, 1 cheque, 2 card, 3 transfer. Without it, it is refused. */
    cod_type: Type.Optional(Type.Integer({ minimum: 0, maximum: 3 })),
    /** The carrier's status names or numbers → our statuses; overrides the built-in table. */
    statuses: StatusNames,
    timeout_ms: TimeoutMs,
    key: AccountSecret,
  },
  { additionalProperties: false },
);

/** The checked settings; `secret` is the key. */
export type LionwheelConfig = AccountConfig<Static<typeof lionwheelSettings>>;

/** Reads the account's settings; null when they do not match {@link lionwheelSettings} or the key is missing. */
export const readConfig = accountReader(lionwheelSettings, 'key');
