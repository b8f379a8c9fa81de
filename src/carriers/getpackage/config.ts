import { type Static, Type } from 'typebox';
import { PACKAGE_SIZES } from '../contract.js';
import { type AccountConfig, accountReader, accountSecret, baseUrl, TimeoutMs } from '../settings.js';

/** License settings. `base_url` has no default: the sources name two production hosts. */
export const getpackageSettings = Type.Object(
  {
    base_url: baseUrl(
      "Address of GetPackage's API; its sandbox is another. GetPackage's support names it with the token.",
      'https://apiv2.getpackage.com',
    ),
    api_key_header: Type.Optional(
      Type.Boolean({
        description:
          "true sends the token as X-API-Key, too, where GetPackage answers that it is missing. GetPackage's support says.",
      }),
    ),
    package_size: Type.Optional(
      Type.Union(
        PACKAGE_SIZES.map((size) => Type.Literal(size)),
        { description: 'Size of every parcel, SMALL by default. The merchant says.' },
      ),
    ),
    time_range: Type.Optional(
      Type.String({
        description:
          "Window of every delivery, on the shipment's day; by default the next that GetPackage offers. The contract says.",
        examples: ['14:00-18:00'],
        pattern: '^([01]\\d|2[0-3]):[0-5]\\d-([01]\\d|2[0-3]):[0-5]\\d$',
      }),
    ),
    in_route: Type.Optional(
      Type.Union([Type.Literal('to_pickup'), Type.Literal('in_transit')], {
        description:
          "What the status IN_ROUTE means: on the way to the shop, or with the parcel; without it the status stays. GetPackage's support says.",
      }),
    ),
    collect_phone: Type.Optional(
      Type.String({
        description: 'Phone where parcels are collected. The merchant says.',
        examples: ['03-5550100'],
        pattern: '^[+\\d][\\d -]{7,20}$',
      }),
    ),
    timeout_ms: TimeoutMs,
    token: accountSecret(
      "Key of GetPackage's API. The merchant finds it in the business settings, or GetPackage's support gives it.",
    ),
  },
  { additionalProperties: false },
);

/** The checked settings; `secret` is the token. */
export type GetpackageConfig = AccountConfig<Static<typeof getpackageSettings>>;

/** Reads the account's settings; null when they do not match {@link getpackageSettings}. */
export const readConfig = accountReader(getpackageSettings, 'token');
