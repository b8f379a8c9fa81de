import { type Static, Type } from 'typebox';
import { PACKAGE_SIZES } from '../contract.js';
import { type AccountConfig, AccountSecret, accountReader, BaseUrl, TimeoutMs } from '../settings.js';

/** License settings. `base_url` has no default: the sources name two production hosts. */
export const getpackageSettings = Type.Object(
  {
    base_url: BaseUrl,
    /** Also sends the token as `X-API-Key`, which one source requires. */
    api_key_header: Type.Optional(Type.Boolean()),
    /** Size of every parcel booked; `SMALL` by default. */
    package_size: Type.Optional(Type.Union(PACKAGE_SIZES.map((size) => Type.Literal(size)))),
    /** Window of every delivery, `HH:MM-HH:MM`; by default the carrier's next one. */
    time_range: Type.Optional(
      Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d-([01]\\d|2[0-3]):[0-5]\\d$' }),
    ),
    /** Meaning of the status `IN_ROUTE`; by default our status stays and the carrier's word is shown. */
    in_route: Type.Optional(Type.Union([Type.Literal('to_pickup'), Type.Literal('in_transit')])),
    /** Phone at the collection address. */
    collect_phone: Type.Optional(Type.String({ pattern: '^[+\\d][\\d -]{7,20}$' })),
    timeout_ms: TimeoutMs,
    token: AccountSecret,
  },
  { additionalProperties: false },
);

/** The checked settings; `secret` is the token. */
export type GetpackageConfig = AccountConfig<Static<typeof getpackageSettings>>;

/** Reads the account's settings; null when they do not match {@link getpackageSettings} or the token is missing. */
export const readConfig = accountReader(getpackageSettings, 'token');
