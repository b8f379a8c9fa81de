import { type Static, Type } from 'typebox';
import {
  type AccountConfig,
  accountReader,
  accountSecret,
  baseUrl,
  StatusNames,
  TimeoutMs,
} from '../settings.js';

/** License settings. `timeout_ms` defaults to 15 000. */
export const lionwheelSettings = Type.Object(
  {
    base_url: baseUrl(
      "Address of LionWheel, without /api. The courier company's administrator has it.",
      'https://members.lionwheel.com',
    ),
    company_id: Type.Optional(
      Type.Integer({
        'x-account': true,
        description:
          "Number of the company to book for, where the key is an organization's with several. The courier company's administrator has it.",
        examples: [812],
        minimum: 1,
      }),
    ),
    cod_type: Type.Optional(
      Type.Integer({
        description:
          'How cash on delivery is paid: 0 cash, 1 cheque, 2 card, 3 transfer; without it such shipments are refused. The contract says.',
        examples: [0],
        minimum: 0,
        maximum: 3,
      }),
    ),
    statuses: StatusNames,
    timeout_ms: TimeoutMs,
    key: accountSecret(
      "Key of LionWheel's API; a company's begins with c_key_. The courier company's administrator makes it in its settings.",
    ),
  },
  { additionalProperties: false },
);

/** The checked settings; `secret` is the key. */
export type LionwheelConfig = AccountConfig<Static<typeof lionwheelSettings>>;

/** Reads the account's settings; null when they do not match {@link lionwheelSettings}. */
export const readConfig = accountReader(lionwheelSettings, 'key');
