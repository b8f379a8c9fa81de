import { type Static, Type } from 'typebox';
import { type AccountConfig, accountReader, baseUrl, StatusNames, secret, TimeoutMs } from '../settings.js';

const customerCode = (description: string) =>
  Type.Integer({ 'x-account': true, description, examples: [3175], minimum: 1, maximum: 999_999_999 });

/** License settings. `timeout_ms` defaults to 15 000. */
export const cargoSettings = Type.Object(
  {
    base_url: baseUrl(
      "Address of Cargo's second API, without /api. Cargo's integration support names it.",
      'https://api-v2.cargo.co.il',
    ),
    customer_code: customerCode("The merchant's number at Cargo. It is in the contract."),
    box_customer_code: Type.Optional(
      customerCode(
        'The number for deliveries to box points, customer_code by default. It is in the contract.',
      ),
    ),
    collection_customer_code: Type.Optional(
      customerCode('The number for collections, customer_code by default. It is in the contract.'),
    ),
    sender_phone: Type.String({
      description: 'Phone of the merchant, which Cargo requires of every sender. The merchant says.',
      examples: ['03-5550100'],
      minLength: 1,
      maxLength: 30,
    }),
    cod_type: Type.Optional(
      Type.Integer({
        description:
          "How cash on delivery is paid: 0 cash, 1 cashier's check, 2 check, 3 any; without it such shipments are refused. The contract says.",
        examples: [0],
        minimum: 0,
        maximum: 3,
      }),
    ),
    label_format: Type.Optional(
      Type.Union([Type.Literal('base64'), Type.Literal('pdf')], {
        description:
          "How Cargo sends its labels: base64, inside the reply, by default; pdf, as the address of a file. Cargo's integration support says.",
      }),
    ),
    label_sheet: Type.Optional(
      Type.Union([Type.Literal('single'), Type.Literal('a4')], {
        description:
          "a4 puts Cargo's own label on a sheet of eight; single by default. The merchant's printer decides.",
      }),
    ),
    label_position: Type.Optional(
      Type.Integer({
        description:
          'Place of the label on that sheet: 1, by default, is top right, 8 bottom left. The merchant says.',
        examples: [1],
        minimum: 1,
        maximum: 8,
      }),
    ),
    statuses: StatusNames,
    timeout_ms: TimeoutMs,
    token: secret("Token of Cargo's API. Cargo's integration support gives it."),
  },
  { additionalProperties: false },
);

/** The checked settings; `secret` is the token. */
export type CargoConfig = AccountConfig<Static<typeof cargoSettings>>;

/** Reads the account's settings; null when they do not match {@link cargoSettings}. */
export const readConfig = accountReader(cargoSettings, 'token');
