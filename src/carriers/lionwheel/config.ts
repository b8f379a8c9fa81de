import { type Static, Type } from 'typebox';
import type { StatusCode } from '../../domain/statuses.js';
import { compileOnUse } from '../../lib/schema.js';
import type { CarrierAccount } from '../contract.js';
import { BaseUrl, meaningsOf, Secret, StatusNames, TimeoutMs } from '../settings.js';

/** License settings. `timeout_ms` defaults to 15 000. */
export const lionwheelSettings = Type.Object(
  {
    /** The host, without `/api/v1`: `https://members.lionwheel.com`. */
    base_url: BaseUrl,
    /** The company to book for; needed with the key of an organization that has companies. */
    company_id: Type.Optional(Type.Integer({ minimum: 1 })),
    /** How cash on delivery is collected: 0 cash, 1 cheque, 2 card, 3 transfer; without it it is refused. */
    cod_type: Type.Optional(Type.Integer({ minimum: 0, maximum: 3 })),
    /** Name or number of a status of the carrier's → our status, in place of the built-in meaning. */
    statuses: StatusNames,
    timeout_ms: TimeoutMs,
    key: Secret,
  },
  { additionalProperties: false },
);

const settingsCheck = compileOnUse<Static<typeof lionwheelSettings>>(lionwheelSettings);

/** What the adapter works with. `statuses`: the license's own meanings. */
export interface LionwheelConfig {
  settings: Static<typeof lionwheelSettings>;
  key: string;
  timeoutMs: number;
  statuses: ReadonlyMap<string, StatusCode>;
}

/** Reads the account's settings; null when they do not match {@link lionwheelSettings} or the key is missing. */
export function readConfig({ settings, secrets }: CarrierAccount): LionwheelConfig | null {
  if (!settingsCheck()(settings)) return null;
  const key = secrets.key ?? settings.key;
  const statuses = meaningsOf(settings.statuses);
  if (key === undefined || statuses === null) return null;
  return { settings, key, timeoutMs: settings.timeout_ms ?? 15_000, statuses };
}
