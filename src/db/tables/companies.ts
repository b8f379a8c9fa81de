import { flag, id, instant, table, text } from './table.js';

/** The table `companies`. */
export const companies = table('companies', {
  id: id().primary(),
  carrierId: id(),
  name: text('VARCHAR(255)'),
  isPremium: flag(),
  createdAt: instant(),
  updatedAt: instant(),
});
