import { Type } from 'typebox';
import {
  AccountSecret,
  accountReader,
  BaseUrl,
  StatusNames,
  TimeoutMs,
} from '../../src/carriers/settings.js';

/** License settings. The real protocol's come here: what a contract with the carrier fixes has no default. */
export const acmeSettings = Type.Object(
  {
    base_url: BaseUrl,
    /** Status of the carrier's → our status, in place of the built-in meaning. */
    statuses: StatusNames,
    timeout_ms: TimeoutMs,
    /** Becomes a `Secret` where another setting, such as a customer number, is marked `'x-account': true`. */
    token: AccountSecret,
  },
  { additionalProperties: false },
);

/** Reads the account's settings; null when they do not match {@link acmeSettings} or the token is missing. */
export const readConfig = accountReader(acmeSettings, 'token');
