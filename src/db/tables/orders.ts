import { id, instant, json, table, text } from './table.js';

/** The table `orders`. */
export const orders = table('orders', {
  id: id().primary(),
  accountId: id(),
  licenseId: id(),
  orderId: text('VARCHAR(191)'),
  number: text('VARCHAR(255)'),
  status: text('VARCHAR(64)').null(),
  source: text('VARCHAR(64)'),
  total: text('DECIMAL(14,2)'),
  currency: text('CHAR(3)'),
  externalId: text('VARCHAR(191)').null(),
  billing: json(),
  shipping: json(),
  metaData: json().null(),
  warehouseLocation: text('VARCHAR(255)').null(),
  storeSiteId: id().null(),
  createdAt: instant(),
  updatedAt: instant(),
});
