import type { OrderSnapshot, Recipient, ShipmentDetails } from '../../src/domain/shipment.js';

/** A minimal recipient in Haifa that every carrier accepts. */
export function plainRecipient(overrides: Partial<Recipient> = {}): Recipient {
  return {
    name: 'Dana',
    phone: '0501234567',
    email: null,
    company: null,
    street: 'Herzl',
    number: '5',
    entrance: null,
    floor: null,
    apartment: null,
    city: 'Haifa',
    state: null,
    zip: null,
    country: 'IL',
    ...overrides,
  };
}

/** An ordinary delivery of one package. */
export function plainShipment(overrides: Partial<ShipmentDetails> = {}): ShipmentDetails {
  return {
    serviceType: 1,
    returnType: 1,
    recipient: plainRecipient(),
    packages: 1,
    pickupPointId: null,
    pickupAddress: null,
    note: null,
    extraNote: null,
    collectOn: '2026-01-01',
    urgent: false,
    motor: null,
    collect: false,
    cod: null,
    ...overrides,
  };
}

/** An order without items or addresses. */
export function plainOrder(overrides: Partial<OrderSnapshot> = {}): OrderSnapshot {
  return {
    id: '1',
    number: '1',
    status: null,
    source: '',
    total: '0.00',
    currency: 'ILS',
    externalId: null,
    billing: {},
    shipping: {},
    metaData: null,
    items: [],
    ...overrides,
  };
}
