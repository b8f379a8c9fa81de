import { createExample } from '../../src/api/v2/examples.js';

/** A license for clients of the demo. */
export interface DemoLicense {
  readonly key: string;
  readonly provider: string;
}

/** The license for manual tries. */
export const TRY_LICENSE = 'demo-run';

/** A small shipment for a manual try. */
export function tryShipment(orderId: string): object {
  return {
    license_key: TRY_LICENSE,
    ship_data: createExample.ship_data,
    order: { ...createExample.order, id: orderId },
  };
}
