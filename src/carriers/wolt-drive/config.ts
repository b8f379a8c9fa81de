import { type Static, Type } from 'typebox';
import type { CarrierAccount } from '../contract.js';
import { type AccountConfig, accountReader, BaseUrl, Secret, TimeoutMs } from '../settings.js';

const Clock = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' });
const Price = Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,2})?$' });

/** License settings. Times are Israeli local time; prices are in the currency's main unit. */
export const woltSettings = Type.Object(
  {
    base_url: BaseUrl,
    venue_id: Type.String({ 'x-account': true, pattern: '^[\\w-]{1,64}$' }),
    /** How the courier's time is chosen; `min_preparation_time` by default. */
    time_type: Type.Optional(Type.Union([Type.Literal('min_preparation_time'), Type.Literal('time_slot')])),
    min_preparation_time_minutes: Type.Optional(Type.Integer({ minimum: 0, maximum: 60 })),
    /** When parcels should arrive, for `time_slot`: the next occurrence of this time of day. */
    time_slot: Type.Optional(Clock),
    /** Opening hours; they may span midnight. Without both, always open. */
    opening_time: Type.Optional(Clock),
    closing_time: Type.Optional(Clock),
    /** The price in promises: the carrier's, `fix_price`, or the carrier's plus `markup_price`. */
    price_type: Type.Optional(
      Type.Union([Type.Literal('carrier'), Type.Literal('fix'), Type.Literal('markup')]),
    ),
    fix_price: Type.Optional(Price),
    markup_price: Type.Optional(Price),
    /** Contact for recipients and couriers. */
    support_email: Type.Optional(Type.String({ format: 'email' })),
    support_phone: Type.Optional(Type.String({ pattern: '^[+\\d][\\d -]{7,20}$' })),
    timeout_ms: TimeoutMs,
    merchant_key: Secret,
    /** Signs the carrier's webhooks: the `client_secret` of their registration. */
    webhook_secret: Secret,
  },
  { additionalProperties: false },
);

/** The checked settings; `secret` is the merchant key. */
export type WoltConfig = AccountConfig<Static<typeof woltSettings>>;

const readAccount = accountReader(woltSettings, 'merchant_key');

/** Reads the account's settings; null when they do not match {@link woltSettings} or lack a dependent one. */
export function readConfig(account: CarrierAccount): WoltConfig | null {
  const config = readAccount(account);
  if (config === null) return null;
  const { time_type, time_slot, price_type, fix_price, markup_price } = config.settings;
  if (time_type === 'time_slot' && time_slot === undefined) return null;
  if (price_type === 'fix' && fix_price === undefined) return null;
  if (price_type === 'markup' && markup_price === undefined) return null;
  return config;
}

/** The secret of the carrier's webhooks; null when the license has none. */
export function webhookSecretOf({ settings, secrets }: CarrierAccount): string | null {
  const secret = secrets.webhook_secret ?? settings.webhook_secret;
  return typeof secret === 'string' && secret !== '' ? secret : null;
}
