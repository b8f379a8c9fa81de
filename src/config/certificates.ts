import { readFileSync } from 'node:fs';

/** Files that processes read when they start. */
const FILES = [
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
] as const;

/** Certificates and keys as their files are now, by the variable that names the file; without those that cannot be read. */
export function readCertificates(env = process.env): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const variable of FILES) {
    try {
      found.set(variable, readFileSync(env[variable] ?? '', 'utf8'));
    } catch {
      // It is none of this process, or is being replaced.
    }
  }
  return found;
}
