import { bytes, instant, table, text } from './table.js';

/** The table `service_secrets`. */
export const serviceSecrets = table('service_secrets', {
  name: text('VARCHAR(64)').primary(),
  secretHash: bytes('BINARY(32)'),
  secretLast4: text('CHAR(4)'),
  updatedAt: instant(),
});
