import { flag, id, instant, table, text } from './table.js';

/** The table `store_sites`. */
export const storeSites = table('store_sites', {
  id: id().primary(),
  accountId: id(),
  /** Null where it serves every license of the account. */
  licenseId: id().null(),
  platform: text('VARCHAR(32)'),
  domain: text('VARCHAR(255)'),
  callbackUrl: text('VARCHAR(2048)').null(),
  isActive: flag(),
  createdAt: instant(),
  updatedAt: instant(),
});
