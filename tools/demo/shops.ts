import type { AccountChanges } from '../../src/db/queries/accounts/accounts.js';

/** A shop's collection address for labels. */
export interface DemoSender {
  readonly collectCompany: string;
  readonly collectStreet: string;
  readonly collectNumber: string;
  readonly collectCity: string;
}

/** The demo account's appearance on labels, mails and the tracking page. */
export const DEMO_SHOP: AccountChanges = {
  companyName: 'Demo Shop',
  phone: '+972 3 555 0100',
  supportEmail: 'help@demo-shop.example',
  supportPhone: '+972 3 555 0100',
  trackerPageContactInfo: { whatsapp: '+972 50 555 0100', hours: '09:00–17:00' },
  canUseCollectionPoints: true,
  displayOrderProduct: true,
  displayProductPriceInOrderDetail: true,
  displayOrderNumberBarcode: true,
};

export const DEMO_SENDER: DemoSender = {
  collectCompany: 'Demo Shop',
  collectStreet: 'HaMasger',
  collectNumber: '20',
  collectCity: 'Tel Aviv',
};

/** The second account's appearance, in Hebrew. */
export const SECOND_SHOP: AccountChanges = {
  locale: 'he',
  companyColor: '#1b7a4b',
  companyName: 'החנות השנייה',
  phone: '04-555-0200',
  supportEmail: 'help@second-shop.example',
  supportPhone: '04-555-0200',
};

export const SECOND_SENDER: DemoSender = {
  collectCompany: 'החנות השנייה',
  collectStreet: 'הרצל',
  collectNumber: '45',
  collectCity: 'חיפה',
};

/** The third account, in Hebrew. */
export const THIRD_SHOP = {
  name: 'תה ועוד',
  email: 'tea@example.com',
  locale: 'he',
  companyColor: '#8a4b08',
  companyName: 'תה ועוד',
  phone: '08-555-0300',
  supportEmail: 'help@tea.example',
  supportPhone: '08-555-0300',
} as const;

export const THIRD_SENDER: DemoSender = {
  collectCompany: 'תה ועוד',
  collectStreet: 'שדרות רגר',
  collectNumber: '12',
  collectCity: 'באר שבע',
};
