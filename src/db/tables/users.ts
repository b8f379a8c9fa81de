import { flag, id, instant, table, text } from './table.js';

/** The table `users`. */
export const users = table('users', {
  id: id().primary(),
  accountId: id(),
  name: text('VARCHAR(255)'),
  email: text('VARCHAR(255)'),
  passwordHash: text('VARCHAR(255)').null(),
  rememberToken: text('VARCHAR(100)').null(),
  isPremium: flag(),
  premiumUntil: instant().null(),
  createdAt: instant(),
  updatedAt: instant(),
});
