import type { AccountChanges } from '../db/queries/accounts.js';

/** What the demo account shows of itself on labels, mails and the tracking page. */
export const DEMO_SHOP: AccountChanges = {
  phone: '+972 3 555 0100',
  supportEmail: 'help@demo-shop.example',
  supportPhone: '+972 3 555 0100',
  canUseCollectionPoints: true,
  displayOrderProduct: true,
  displayProductPriceInOrderDetail: true,
  displayOrderNumberBarcode: true,
};

/** What the second account shows: it speaks Hebrew. */
export const SECOND_SHOP: AccountChanges = {
  locale: 'he',
  companyName: 'החנות השנייה',
  supportEmail: 'help@second-shop.example',
  supportPhone: '04-555-0200',
};
