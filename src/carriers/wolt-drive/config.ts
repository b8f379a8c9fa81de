import { type Static, Type } from 'typebox';
import type { CarrierAccount } from '../contract.js';
import { type AccountConfig, accountReader, BaseUrl, Secret, TimeoutMs } from '../settings.js';

const Clock = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' });
const Price = Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,2})?$' });

/** License settings. Times are on the wall in Israel; prices are in the currency's main unit. */
export const woltSettings = Type.Object(
  {
    base_url: BaseUrl,
    venue_id: Type.String({ 'x-account': true, pattern: '^[\\w-]{1,64}$' }),
    /** What decides when the courier comes; by default `min_preparation_time`. */
    time_type: Type.Optional(Type.Union([Type.Literal('min_preparation_time'), Type.Literal('time_slot')])),
    min_preparation_time_minutes: Type.Optional(Type.Integer({ minimum: 0, maximum: 60 })),
    /** When parcels should arrive, for `time_slot`: the next time that the clock shows it. */
    time_slot: Type.Optional(Clock),
    /** Hours of promises; a window may reach over midnight. Without both it is always open. */
    opening_time: Type.Optional(Clock),
    closing_time: Type.Optional(Clock),
    /** What callers of promises are told: the carrier's price, `fix_price`, or the price and `markup_price`. */
    price_type: Type.Optional(
      Type.Union([Type.Literal('carrier'), Type.Literal('fix'), Type.Literal('markup')]),
    ),
    fix_price: Type.Optional(Price),
    markup_price: Type.Optional(Price),
    /** Whom recipients and couriers turn to. */
    support_email: Type.Optional(Type.String({ format: 'email' })),
    support_phone: Type.Optional(Type.String({ pattern: '^[+\\d][\\d -]{7,20}$' })),
    timeout_ms: TimeoutMs,
    merchant_key: Secret,
    /** What the carrier signs its webhooks with: the `client_secret` of their registration. */
    webhook_secret: Secret,
  },
  { additionalProperties: false },
);

/** What the adapter works with; its secret is the merchant key. */
export type WoltConfig = AccountConfig<Static<typeof woltSettings>>;

const readAccount = accountReader(woltSettings, 'merchant_key');

/** Reads the account's settings; null when they do not match {@link woltSettings}, or miss what others need. */
export function readConfig(account: CarrierAccount): WoltConfig | null {
  const config = readAccount(account);
  if (config === null) return null;
  const { time_type, time_slot, price_type, fix_price, markup_price } = config.settings;
  if (time_type === 'time_slot' && time_slot === undefined) return null;
  if (price_type === 'fix' && fix_price === undefined) return null;
  if (price_type === 'markup' && markup_price === undefined) return null;
  return config;
}

/** The secret of the carrier's webhooks; null where the license has none. */
export function webhookSecretOf({ settings, secrets }: CarrierAccount): string | null {
  const secret = secrets.webhook_secret ?? settings.webhook_secret;
  return typeof secret === 'string' && secret !== '' ? secret : null;
}
