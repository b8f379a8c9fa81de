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
    ship_data: {
      contact_name: 'Dana Levi',
      contact_phone: '0501234567',
      street: 'Dizengoff',
      number: '99',
      city: 'Tel Aviv',
      type: 1,
      return: 1,
    },
    order: { id: orderId, total: '120.00', currency: 'ILS' },
  };
}
