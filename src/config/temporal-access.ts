import type { NativeConnectionOptions } from '@temporalio/worker';
import { ConfigError, type Environment } from './environment.js';

/**
 * Connection options by the variables of Temporal's own programs. Enables TLS when any of them needs it; without
 * it, `tls` is missing. @throws ConfigError for a certificate without key, and for TLS options with TLS disabled
 */
export function temporalAccessOf(read: Environment): Pick<NativeConnectionOptions, 'tls' | 'apiKey'> {
  const crt = read.TEMPORAL_TLS_CLIENT_CERT_PATH;
  const key = read.TEMPORAL_TLS_CLIENT_KEY_PATH;
  const ca = read.TEMPORAL_TLS_SERVER_CA_CERT_PATH;
  const name = read.TEMPORAL_TLS_SERVER_NAME;
  const apiKey = read.TEMPORAL_API_KEY;
  if ((crt === undefined) !== (key === undefined)) {
    throw new ConfigError('TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH need each other.');
  }
  const isNeeded = crt !== undefined || ca !== undefined || name !== '' || apiKey !== '';
  if (!(read.TEMPORAL_TLS ?? isNeeded)) {
    if (!isNeeded) return {};
    throw new ConfigError('TEMPORAL_TLS is off, and an API key, a certificate or a server name needs it.');
  }
  return {
    tls: {
      ...(ca === undefined ? {} : { serverRootCACertificate: ca }),
      ...(name === '' ? {} : { serverNameOverride: name }),
      ...(crt === undefined || key === undefined ? {} : { clientCertPair: { crt, key } }),
    },
    ...(apiKey === '' ? {} : { apiKey }),
  };
}
