import { bytes, id, instant, int, oneOf, table, text } from './table.js';

/** The table `idempotency_keys`. */
export const idempotencyKeys = table('idempotency_keys', {
  id: id().primary(),
  accountId: id(),
  api: oneOf('VARCHAR(8)', 'v1', 'v2'),
  keyHash: bytes('BINARY(32)'),
  fingerprint: bytes('BINARY(32)'),
  shipmentUuid: text('CHAR(36)'),
  responseStatus: int('SMALLINT UNSIGNED').null(),
  responseBody: text('MEDIUMTEXT').null(),
  finishedAt: instant().null(),
  expiresAt: instant(),
  createdAt: instant(),
});
