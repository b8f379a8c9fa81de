import { bytes, flag, id, instant, table, text } from './table.js';

/** The table `client_credentials`. */
export const clientCredentials = table('client_credentials', {
  id: id().primary(),
  accountId: id(),
  name: text('VARCHAR(255)'),
  clientId: text('VARCHAR(64)'),
  clientSecretHash: bytes('BINARY(32)'),
  /** The last four characters of the client secret. */
  clientSecretLast4: text('CHAR(4)'),
  /** True where they may only read. */
  isReadOnly: flag(),
  /** Null where they do not end by themselves. */
  expiresAt: instant().null(),
  lastUsedAt: instant().null(),
  createdAt: instant(),
  updatedAt: instant(),
});
