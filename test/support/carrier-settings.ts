import { RUN_CODES } from '../../tools/demo/carriers.js';
import { isSandboxProvider, type SandboxProvider } from '../../tools/doubles/carriers/server.js';

export interface CarrierSettings {
  settings: Record<string, unknown>;
  secrets: Record<string, string>;
}

const TIMEOUT_MS = 3000;

/** Typical settings by provider. Carriers that need only a token are omitted. */
export const CARRIER_SETTINGS = {
  run: {
    settings: RUN_CODES,
    secrets: { token: 'sandbox-token' },
  },
  lionwheel: { settings: { cod_type: 0 }, secrets: { key: 'sandbox-token' } },
  cargo: {
    settings: { customer_code: 3175, sender_phone: '03-5550100', cod_type: 3 },
    secrets: { token: 'sandbox-token' },
  },
  getpackage: { settings: { collect_phone: '03-1234567' }, secrets: { token: 'sandbox-token' } },
  wolt_drive: {
    settings: { venue_id: 'venue-1' },
    secrets: { merchant_key: 'sandbox-token', webhook_secret: 'sandbox-webhook-secret' },
  },
} satisfies Partial<Record<SandboxProvider, CarrierSettings>>;

/** Secrets of omitted carriers and doubles. */
const TOKEN = { token: 'sandbox-token' };

/** {@link CARRIER_SETTINGS} with the URL; carriers without a wire protocol have no settings. */
export function settingsAt(provider: string, baseUrl: string | undefined): CarrierSettings {
  if (!isSandboxProvider(provider) || baseUrl === undefined) return { settings: {}, secrets: TOKEN };
  const known = Object.entries<CarrierSettings>(CARRIER_SETTINGS).find(([name]) => name === provider)?.[1];
  return {
    settings: { ...known?.settings, base_url: baseUrl, timeout_ms: TIMEOUT_MS },
    secrets: known?.secrets ?? TOKEN,
  };
}
