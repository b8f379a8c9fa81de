import { choice, instant, table, text } from './table.js';

/** The table `told_operators`. */
export const toldOperators = table('told_operators', {
  channel: choice('hook', 'mail').primary(),
  shipmentUuid: text('CHAR(36)').primary(),
  since: instant(),
  toldAt: instant(),
});
