import { Type } from 'typebox';
import {
  AccountSecret,
  accountReader,
  BaseUrl,
  StatusNames,
  TimeoutMs,
} from '../../src/carriers/settings.js';

/** License settings. Replace them by the real protocol's; what a contract fixes has no default. */
export const acmeSettings = Type.Object(
  {
    base_url: BaseUrl,
    /** The carrier's statuses → our statuses; overrides the built-in table. */
    statuses: StatusNames,
    timeout_ms: TimeoutMs,
    /** Use `Secret` if another setting, such as a customer number, is marked `'x-account': true`. */
    token: AccountSecret,
  },
  { additionalProperties: false },
);

/** Reads the account's settings; null when they do not match {@link acmeSettings} or the token is missing. */
export const readConfig = accountReader(acmeSettings, 'token');
