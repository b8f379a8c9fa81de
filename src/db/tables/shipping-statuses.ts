import { flag, int, table, text } from './table.js';

/** The table `shipping_statuses`. */
export const shippingStatuses = table('shipping_statuses', {
  code: text('VARCHAR(32)').primary(),
  name: text('VARCHAR(255)'),
  rank: int('INT'),
  isDelivered: flag(),
  isFinal: flag(),
});
