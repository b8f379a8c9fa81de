import { bytes, id, instant, table, text } from './table.js';

/** The table `personal_access_tokens`. */
export const personalAccessTokens = table('personal_access_tokens', {
  id: id().primary(),
  userId: id().null(),
  recipientId: id().null(),
  name: text('VARCHAR(255)'),
  tokenHash: bytes('BINARY(32)'),
  lastUsedAt: instant().null(),
  createdAt: instant(),
});
