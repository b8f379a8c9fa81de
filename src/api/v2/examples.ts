import type { Shipment, ShipmentStatus } from './shipments/schema.js';

/** A shipment in the document. */
export const shipmentExample = {
  uuid: '019aa5a6-7c3a-7d4e-8f00-3f1c1d2e4b5a',
  tracking_code: '74100231',
  carrier: { id: 2, name: 'Run' },
  status: { code: 'created', description: 'Created', is_delivered: false },
  service_type: '1',
  is_active: true,
  recipient: {
    name: 'Dana Levi',
    phone: '0501234567',
    company: null,
    address: { street: 'Herzl', number: '5', city: 'Haifa', state: null, zip: '3303405', country: 'IL' },
  },
  pickup_point_id: null,
  packages: 1,
  cod: null,
  order: { id: '1001', number: '#1001' },
  references: { external_id: null },
  short_tracking_code: '7K2M9QX4TB',
  label_generated: false,
  collection_status: null,
  collected_at: null,
  ready_at: null,
  created_at: '2026-11-21T09:30:00.123456Z',
  updated_at: '2026-11-21T09:30:00.456789Z',
} satisfies Shipment;

/** A status with its history. */
export const statusExample = {
  uuid: shipmentExample.uuid,
  tracking_code: shipmentExample.tracking_code,
  status: { code: 'in_transit', description: 'On its way', is_delivered: false },
  is_active: true,
  checked_at: '2026-11-21T12:00:00.000100Z',
  history: [
    {
      code: 'created',
      description: 'Created',
      occurred_at: '2026-11-21T09:30:00.456789Z',
      carrier_code: null,
      carrier_description: null,
      location: null,
    },
    {
      code: 'in_transit',
      description: 'On its way',
      occurred_at: '2026-11-21T11:58:00.000000Z',
      carrier_code: '4',
      carrier_description: 'On its way',
      location: 'Haifa',
    },
  ],
} satisfies ShipmentStatus;

/** The smallest useful creation. */
export const createExample = {
  license_key: 'lic_main',
  ship_data: {
    contact_name: 'Dana Levi',
    contact_phone: '0501234567',
    street: 'Herzl',
    number: '5',
    city: 'Haifa',
    type: 1,
    return: 1,
    packages: 1,
  },
  order: { id: '1001', number: '#1001', total: '249.90', currency: 'ILS' },
} as const;
