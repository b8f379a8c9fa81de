import { Type } from 'typebox';
import {
  accountReader,
  accountSecret,
  baseUrl,
  StatusNames,
  TimeoutMs,
} from '../../src/carriers/settings.js';

/**
 * License settings. Replace them by the real protocol's; what a contract fixes has no default. A description says what
 * the value is and who has it: `admin carriers show` and the panel's form show it.
 */
export const acmeSettings = Type.Object(
  {
    base_url: baseUrl(
      "Address of the carrier's API. Its integration support names it.",
      'https://api.acme.example',
    ),
    /** The carrier's statuses → our statuses; overrides the built-in table. */
    statuses: StatusNames,
    timeout_ms: TimeoutMs,
    /** Use `secret` if another setting, such as a customer number, is marked `'x-account': true`. */
    token: accountSecret("Token of the carrier's API. Its integration support gives it."),
  },
  { additionalProperties: false },
);

/** Reads the account's settings; null when they do not match {@link acmeSettings} or the token is missing. */
export const readConfig = accountReader(acmeSettings, 'token');
