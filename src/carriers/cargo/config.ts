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
    /** The merchant's numbers for box points and for collections; `customer_code` by default. */
    box_customer_code: Type.Optional(CustomerCode),
    collection_customer_code: Type.Optional(CustomerCode),
    /** Telephone of the merchant, which the carrier requires of every sender. */
    sender_phone: Type.String({ minLength: 1, maxLength: 30 }),
    /** 0 cash, 1 cashier's check, 2 check, 3 any of them. Without it, cash on delivery is refused. */
    cod_type: Type.Optional(Type.Integer({ minimum: 0, maximum: 3 })),
    /** Labels come inside the reply (`base64`, the default) or as the address of a file (`pdf`). */
    label_format: Type.Optional(Type.Union([Type.Literal('base64'), Type.Literal('pdf')])),
    /** `a4`: prints the label on a sheet of eight, at `label_position` (1, the default, is top right). */
    label_sheet: Type.Optional(Type.Union([Type.Literal('single'), Type.Literal('a4')])),
    label_position: Type.Optional(Type.Integer({ minimum: 1, maximum: 8 })),
    /** The carrier's status numbers → our statuses; overrides the built-in table. */
    statuses: StatusNames,
    timeout_ms: TimeoutMs,
    token: Secret,
  },
  { additionalProperties: false },
);

/** The checked settings; `secret` is the token. */
export type CargoConfig = AccountConfig<Static<typeof cargoSettings>>;

/** Reads the account's settings; null when they do not match {@link cargoSettings} or the token is missing. */
export const readConfig = accountReader(cargoSettings, 'token');
