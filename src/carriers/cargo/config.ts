import { type Static, Type } from 'typebox';
import { type AccountConfig, accountReader, BaseUrl, Secret, StatusNames, TimeoutMs } from '../settings.js';

const CustomerCode = Type.Integer({ 'x-account': true, minimum: 1, maximum: 999_999_999 });

/** License settings. `timeout_ms` defaults to 15 000. */
export const cargoSettings = Type.Object(
  {
    /** The host, without `/api`: `https://api-v2.cargo.co.il`. */
    base_url: BaseUrl,
    /** The merchant's number at the carrier. */
    customer_code: CustomerCode,
    /** Its number for box points and for collections, where the contract has others; else `customer_code`. */
    box_customer_code: Type.Optional(CustomerCode),
    collection_customer_code: Type.Optional(CustomerCode),
    /** Telephone of the merchant, which the carrier wants of every sender. */
    sender_phone: Type.String({ minLength: 1, maxLength: 30 }),
    /** 0 cash, 1 cashier's check, 2 check, 3 all of them; without it cash on delivery is refused. */
    cod_type: Type.Optional(Type.Integer({ minimum: 0, maximum: 3 })),
    /** How a label is asked for: inside the reply, which is the default, or as the address of a file. */
    label_format: Type.Optional(Type.Union([Type.Literal('base64'), Type.Literal('pdf')])),
    /** `a4`: the label stands on a sheet for eight, at `label_position` (1, the default, is top right). */
    label_sheet: Type.Optional(Type.Union([Type.Literal('single'), Type.Literal('a4')])),
    label_position: Type.Optional(Type.Integer({ minimum: 1, maximum: 8 })),
    /** Number of a status of the carrier's → our status, in place of the built-in meaning. */
    statuses: StatusNames,
    timeout_ms: TimeoutMs,
    token: Secret,
  },
  { additionalProperties: false },
);

/** What the adapter works with; its secret is the token. */
export type CargoConfig = AccountConfig<Static<typeof cargoSettings>>;

/** Reads the account's settings; null when they do not match {@link cargoSettings} or the token is missing. */
export const readConfig = accountReader(cargoSettings, 'token');
