import { type Static, Type } from 'typebox';
import type { CarrierAccount } from '../contract.js';
import { type AccountConfig, accountReader, baseUrl, needsBeside, secret, TimeoutMs } from '../settings.js';

const clock = (description: string) =>
  Type.Optional(Type.String({ description, examples: ['18:30'], pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }));
const price = (description: string) =>
  Type.Optional(Type.String({ description, examples: ['12.50'], pattern: '^\\d{1,9}(\\.\\d{1,2})?$' }));

/** License settings. Times are Israeli local time; prices are in the currency's main unit. */
export const woltSettings = Type.Object(
  {
    base_url: baseUrl(
      "Address of Wolt Drive's API, production or staging. Wolt's account manager names it with the key.",
      'https://daas-public-api.wolt.com',
    ),
    venue_id: Type.String({
      'x-account': true,
      description: "The merchant's venue, from which couriers collect. Wolt's account manager has its id.",
      examples: ['5f8e0a1b2c3d4e5f60718293'],
      pattern: '^[\\w-]{1,64}$',
    }),
    time_type: Type.Optional(
      Type.Union([Type.Literal('min_preparation_time'), Type.Literal('time_slot')], {
        description:
          'min_preparation_time, by default: as soon as the parcel is ready; time_slot: at a time of day. The merchant says.',
      }),
    ),
    min_preparation_time_minutes: Type.Optional(
      Type.Integer({
        description: 'Minutes until a parcel is ready for the courier. The merchant says.',
        examples: [20],
        minimum: 0,
        maximum: 60,
      }),
    ),
    time_slot: clock(
      'When parcels should arrive, with time_type time_slot: the next such time of day. The merchant says.',
    ),
    opening_time: clock(
      'From when express delivery is offered, in Israel; without this and closing_time always. The merchant says.',
    ),
    closing_time: clock(
      'Until when it is offered; before opening_time means past midnight. The merchant says.',
    ),
    price_type: Type.Optional(
      Type.Union([Type.Literal('carrier'), Type.Literal('fix'), Type.Literal('markup')], {
        description:
          "The price that shoppers see: carrier, Wolt's, by default; fix, fix_price; markup, Wolt's and markup_price. The merchant says.",
      }),
    ),
    fix_price: price('That price in whole units of the currency, with price_type fix. The merchant says.'),
    markup_price: price("What is added to Wolt's price, with price_type markup. The merchant says."),
    support_email: Type.Optional(
      Type.String({ description: 'For recipients and couriers. The merchant says.', format: 'email' }),
    ),
    support_phone: Type.Optional(
      Type.String({
        description: 'For recipients and couriers. The merchant says.',
        examples: ['+972 3 555 0100'],
        pattern: '^[+\\d][\\d -]{7,20}$',
      }),
    ),
    timeout_ms: TimeoutMs,
    merchant_key: secret("Key of Wolt Drive's API. Wolt's account manager gives it."),
    webhook_secret: Type.Optional(
      secret(
        "Signs Wolt's webhooks: the client_secret under which they are registered. You choose it and give it to Wolt's account manager.",
      ),
    ),
  },
  {
    additionalProperties: false,
    allOf: [
      needsBeside('time_type', 'time_slot', 'time_slot'),
      needsBeside('price_type', 'fix', 'fix_price'),
      needsBeside('price_type', 'markup', 'markup_price'),
    ],
  },
);

/** The checked settings; `secret` is the merchant key. */
export type WoltConfig = AccountConfig<Static<typeof woltSettings>>;

/** Reads the account's settings; null when they do not match {@link woltSettings}. */
export const readConfig = accountReader(woltSettings, 'merchant_key');

/** The secret of the carrier's webhooks; null when the license has none. */
export function webhookSecretOf({ settings, secrets }: CarrierAccount): string | null {
  const secret = secrets.webhook_secret ?? settings.webhook_secret;
  return typeof secret === 'string' && secret !== '' ? secret : null;
}
