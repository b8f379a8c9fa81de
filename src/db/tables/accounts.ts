import { flag, id, instant, jsonObject, table, text } from './table.js';

/** The table `accounts`. */
export const accounts = table('accounts', {
  id: id().primary(),
  name: text('VARCHAR(255)'),
  email: text('VARCHAR(255)'),
  phone: text('VARCHAR(32)'),
  locale: text('VARCHAR(16)'),
  companyName: text('VARCHAR(255)'),
  companyLogo: text('VARCHAR(2048)'),
  /** `#rrggbb`, or empty. */
  companyColor: text('VARCHAR(7)'),
  supportEmail: text('VARCHAR(255)'),
  supportPhone: text('VARCHAR(32)'),
  trackerPageContactInfo: jsonObject().null(),
  enableApi: flag(),
  /** Since when the account may do nothing at all; null while it may. */
  disabledAt: instant().null(),
  canUseCollectionPoints: flag(),
  enableSortByWarehouse: flag(),
  displayOrderProduct: flag(),
  displayProductPriceInOrderDetail: flag(),
  displayOrderNumberBarcode: flag(),
  labelMethod: text('VARCHAR(32)'),
  labelType: text('VARCHAR(32)'),
  createdAt: instant(),
  updatedAt: instant(),
});
