/** Codes of Node where there is no such name, nobody listens, or nobody vouches for the certificate. */
const BEFORE_SENDING: ReadonlySet<unknown> = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * Whether it is certain that no byte of the request left. `fetch` has the reason in the cause of what it throws, and a
 * name with several addresses a reason for each. Where a runtime uses other words, nothing is certain.
 */
export function isUnsent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isUnsent);
  // No route and a time-out say it of the connecting alone.
  const isConnecting = 'syscall' in error && error.syscall === 'connect';
  return isConnecting || ('code' in error && BEFORE_SENDING.has(error.code)) || isUnsent(error.cause);
}
