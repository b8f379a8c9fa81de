import { id, instant, table, text } from './table.js';

/** The table `recipients`. */
export const recipients = table('recipients', {
  id: id().primary(),
  name: text('VARCHAR(255)'),
  phone: text('VARCHAR(255)'),
  createdAt: instant(),
  updatedAt: instant(),
});
