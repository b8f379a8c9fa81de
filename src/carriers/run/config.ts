import { type Static, Type } from 'typebox';
import type { CarrierAccount } from '../contract.js';
import {
  type AccountConfig,
  accountReader,
  baseUrl,
  type Meanings,
  secret,
  statusNames,
  TimeoutMs,
} from '../settings.js';

/** A code of the contract. */
const code = (description: string, example: string) =>
  Type.String({ description, examples: [example], pattern: '^[0-9]{1,6}$' });

/**
 * License settings. The codes come from the merchant's contract with the carrier; none has a default, which
 * might book something not agreed. `timeout_ms` defaults to 15 000.
 */
export const runSettings = Type.Object(
  {
    base_url: baseUrl(
      "Address of the company's server, up to /RunCom.Server. HFD, Chita, Focus or YDM: its integration manager has it.",
      'https://run.example.com',
    ),
    customer_number: Type.String({
      'x-account': true,
      description: "The merchant's number at the company. It is in the contract.",
      examples: ['1234'],
      pattern: '^[0-9]{1,10}$',
    }),
    shipment_type: code(
      "Kind of an ordinary delivery or collection (P3). The company's integration manager has it.",
      '35',
    ),
    pickup_shipment_type: Type.Optional(
      code(
        "Kind of a delivery to a pickup point (P3); without it these are refused. The company's integration manager has it.",
        '50',
      ),
    ),
    cod_shipment_type: Type.Optional(
      code(
        "Kind of a delivery with cash on delivery (P3), shipment_type by default. The company's integration manager has it.",
        '35',
      ),
    ),
    cod_type: Type.Optional(
      code(
        "How cash on delivery is collected (P30); without it such shipments are refused. The company's integration manager has it.",
        '1',
      ),
    ),
    stage: Type.Optional(
      code("Stage of a new parcel (P4). The company's integration manager says if one is needed.", '5'),
    ),
    cargo_type_out: code(
      "Kind of package on the way out (P7). The company's integration manager has it.",
      '10',
    ),
    cargo_type_back: Type.Optional(
      code(
        "Kind of package on the way back (P8); without it round trips are refused. The company's integration manager has it.",
        '11',
      ),
    ),
    request_charset: Type.Optional(
      Type.Union([Type.Literal('utf-8'), Type.Literal('windows-1255')], {
        description:
          "Characters of what is sent, utf-8 by default; windows-1255 where Hebrew arrives garbled. The company's integration manager says.",
      }),
    ),
    statuses: Type.Optional(
      statusNames(
        "The company's status numbers, each with one of our statuses; replaces the built-in table, which is Focus's. The company's integration manager has the list.",
      ),
    ),
    timeout_ms: TimeoutMs,
    token: Type.Optional(
      secret(
        "Password of the company's server, where it has one. The company's integration manager gives it.",
      ),
    ),
  },
  { additionalProperties: false },
);

/** The checked settings; `secret` is the token, empty at hosts without one. */
export interface RunConfig extends Omit<AccountConfig<Static<typeof runSettings>>, 'statuses'> {
  /** Undefined means the built-in table. */
  statuses: Meanings | undefined;
}

const readAccount = accountReader(runSettings, 'token');

/** Reads the account's settings; null when they do not match {@link runSettings}. */
export function readConfig(account: CarrierAccount): RunConfig | null {
  const config = readAccount(account);
  if (config === null) return null;
  return { ...config, statuses: config.settings.statuses === undefined ? undefined : config.statuses };
}
