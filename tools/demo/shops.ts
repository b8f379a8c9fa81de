import type { AccountChanges } from '../../src/db/queries/accounts.js';

/** Where a shop's parcels come from, as its labels say. */
export interface DemoSender {
  readonly collectCompany: string;
  readonly collectStreet: string;
  readonly collectNumber: string;
  readonly collectCity: string;
}

/** What the demo account shows of itself on labels, mails and the tracking page. */
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

/** What the second account shows: it speaks Hebrew. */
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
