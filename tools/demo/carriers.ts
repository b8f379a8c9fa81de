import type { CarrierAdapter } from '../../src/carriers/contract.js';
import type { JsonObject } from '../../src/domain/shipment.js';
import { merchantStatuses } from '../doubles/carriers/run-statuses.js';

interface DemoCarrier {
  /** The license's name. */
  readonly name: string;
  readonly labelType: 'A4' | 'thermal';
  /** The collection city as the carrier spells it; the shop's by default. */
  readonly collectCity?: string;
  /** The license's settings with secrets; `sandboxUrl` is empty for a carrier without a sandbox. */
  settings(sandboxUrl: string): JsonObject;
}

/** A merchant's codes at Run's network: 35 to the door, 50 to a point, 37 with cash; cargo 10 and 11. */
export const RUN_CODES = {
  customer_number: '1234',
  shipment_type: '35',
  pickup_shipment_type: '50',
  cod_shipment_type: '37',
  cod_type: '1',
  cargo_type_out: '10',
  cargo_type_back: '11',
};

/** By provider; carriers that need only address and token are omitted. */
const DEMO_CARRIERS: Readonly<Record<string, DemoCarrier>> = {
  independent: { name: 'Own couriers', labelType: 'A4', settings: () => ({}) },
  run: {
    name: 'HFD',
    labelType: 'thermal',
    settings: (sandboxUrl) => ({
      base_url: sandboxUrl,
      ...RUN_CODES,
      statuses: merchantStatuses(),
      token: 'demo-token',
    }),
  },
  getpackage: {
    name: 'GetPackage',
    labelType: 'A4',
    collectCity: 'Tel Aviv-Yafo',
    settings: (sandboxUrl) => ({
      base_url: sandboxUrl,
      package_size: 'SMALL',
      collect_phone: '03-5550100',
      token: 'demo-token',
    }),
  },
  wolt_drive: {
    name: 'On-demand couriers',
    labelType: 'A4',
    settings: (sandboxUrl) => ({
      base_url: sandboxUrl,
      venue_id: 'demo-venue',
      support_email: 'help@demo-shop.example',
      support_phone: '03-5550100',
      merchant_key: 'demo-key',
      webhook_secret: 'sandbox-webhook-secret',
    }),
  },
  lionwheel: {
    name: 'LionWheel',
    labelType: 'thermal',
    settings: (sandboxUrl) => ({ base_url: sandboxUrl, cod_type: 0, key: 'demo-key' }),
  },
  cargo: {
    name: 'Box points',
    labelType: 'thermal',
    settings: (sandboxUrl) => ({
      base_url: sandboxUrl,
      customer_code: 1234,
      sender_phone: '03-5550100',
      cod_type: 0,
      token: 'demo-token',
    }),
  },
};

/** The demo's settings for a carrier. */
export function demoCarrier({
  provider,
  displayName,
}: Pick<CarrierAdapter, 'provider' | 'displayName'>): DemoCarrier {
  const settings = (sandboxUrl: string) => ({ base_url: sandboxUrl, token: 'demo-token' });
  return DEMO_CARRIERS[provider] ?? { name: displayName, labelType: 'thermal', settings };
}
