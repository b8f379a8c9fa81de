import type { LabelSource, PrintFlags } from '../../src/domain/labels.js';
import type { Recipient, ShipmentRecord } from '../../src/domain/shipment.js';

interface Overrides {
  shipment?: Partial<ShipmentRecord>;
  recipient?: Partial<Recipient>;
  details?: Partial<LabelSource['details']>;
  flags?: Partial<PrintFlags>;
  account?: Partial<LabelSource['account']>;
  collectFrom?: Partial<LabelSource['collectFrom']>;
  license?: Partial<LabelSource['license']>;
  items?: LabelSource['items'];
  warehouseLocation?: string | null;
  pickupPlace?: LabelSource['pickupPlace'];
  moreItems?: number;
}

/** All print switches on. */
export const ALL_FLAGS: PrintFlags = {
  products: true,
  variations: true,
  boldSkuAndQuantity: true,
  productsOnLabelNotes: true,
  productsOnA4LabelNotes: true,
  productNames: true,
  productSkus: true,
  virtualProducts: true,
};

const NO_FLAGS: PrintFlags = {
  products: false,
  variations: false,
  boldSkuAndQuantity: false,
  productsOnLabelNotes: false,
  productsOnA4LabelNotes: false,
  productNames: false,
  productSkus: false,
  virtualProducts: false,
};

/** A plain delivery with overrides. */
export function labelSource(overrides: Overrides = {}): LabelSource {
  const recipient: Recipient = {
    name: 'Dana Levi',
    phone: '050-1234567',
    email: null,
    company: null,
    street: 'Dizengoff',
    number: '99',
    entrance: null,
    floor: '2',
    apartment: '14',
    city: 'Tel Aviv',
    state: null,
    zip: '6433222',
    country: 'IL',
    ...overrides.recipient,
  };
  return {
    recipient,
    carrierName: overrides.shipment?.carrier?.name ?? 'Run',
    shipment: {
      id: 1,
      uuid: '019aa5a6-7c3a-7d4e-8f00-3f1c1d2e4b5a',
      accountId: 1,
      licenseId: 1,
      carrier: { id: 1, name: 'Run', provider: 'run' },
      state: 'created',
      trackingCode: '74100231',
      shortTrackingCode: '7K2M9QX4TB',
      status: { code: 'created', description: 'Created', at: '2026-11-21T09:30:00.123456Z' },
      serviceType: 1,
      returnType: 1,
      isActive: true,
      pickupPointId: null,
      packages: 1,
      cod: null,
      order: { rowId: 1, id: '1001', number: '#1001' },
      externalId: null,
      labelGenerated: false,
      collectionStatus: null,
      collectedAt: null,
      readyAt: null,
      cancelledAt: null,
      deliveredAt: null,
      checkedAt: null,
      createdAt: '2026-11-21T09:30:00.123456Z',
      updatedAt: '2026-11-21T09:30:00.123456Z',
      ...overrides.shipment,
      recipient,
    },
    details: { note: null, extraNote: null, urgent: false, ...overrides.details },
    pickupPlace: overrides.pickupPlace ?? null,
    warehouseLocation: overrides.warehouseLocation ?? null,
    items: overrides.items ?? [],
    moreItems: overrides.moreItems ?? 0,
    license: { labelMethod: '', labelType: '', ...overrides.license },
    flags: { ...NO_FLAGS, ...overrides.flags },
    collectFrom: {
      street: 'HaMasger',
      number: '20',
      city: 'Tel Aviv',
      company: 'Demo Shop',
      ...overrides.collectFrom,
    },
    account: {
      name: 'Demo',
      companyName: 'Demo Shop Ltd',
      companyLogo: '',
      phone: '03-5551234',
      supportPhone: '',
      locale: 'en',
      labelMethod: 'builtin',
      labelType: 'thermal',
      sortByWarehouse: false,
      orderNumberBarcode: false,
      ...overrides.account,
    },
  };
}

/** A Hebrew source with everything that a label can show. */
export function fullHebrewSource(trackingCode = '74100232'): LabelSource {
  return labelSource({
    shipment: { trackingCode, packages: 2, returnType: 2, cod: { amount: '120.00', currency: 'ILS' } },
    recipient: {
      name: 'דנה לוי-כהן',
      company: 'קפה השכונה בע״מ',
      street: 'שדרות רוטשילד',
      number: '99א',
      entrance: 'ב',
      city: 'תל אביב-יפו',
    },
    details: { note: 'להשאיר אצל השכן בקומה 2', urgent: true },
    flags: ALL_FLAGS,
    items: [
      { name: 'חולצת כותנה', sku: 'SHIRT-XL', variation: 'כחול / XL', quantity: 2, virtual: false },
      { name: 'כרטיס מתנה', sku: 'GIFT', variation: null, quantity: 1, virtual: true },
    ],
    warehouseLocation: 'ב-7',
    account: { locale: 'he', companyName: 'חנות הדגמה בע״מ', orderNumberBarcode: true },
  });
}
