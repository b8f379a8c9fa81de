import { flag, id, int, table, text } from './table.js';

/** The table `order_items`. */
export const orderItems = table('order_items', {
  id: id().primary(),
  orderId: id(),
  position: int('INT UNSIGNED'),
  name: text('VARCHAR(1000)'),
  sku: text('VARCHAR(255)').null(),
  variation: text('VARCHAR(1000)').null(),
  quantity: int('INT UNSIGNED'),
  total: text('DECIMAL(14,2)').null(),
  isVirtual: flag(),
});
