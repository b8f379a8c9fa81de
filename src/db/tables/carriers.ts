import { id, instant, table, text } from './table.js';

/** The table `carriers`. */
export const carriers = table('carriers', {
  id: id().primary(),
  provider: text('VARCHAR(64)'),
  name: text('VARCHAR(255)'),
  createdAt: instant(),
  updatedAt: instant(),
});
