import { databaseOn } from '../../tools/engines/test-schema.js';

/** Settings by which the shared Temporal lets processes in, where it asks for more than its address. */
export function engineAccess(): Record<string, string> {
  return present({
    TEMPORAL_TLS_SERVER_NAME: process.env.TEMPORAL_TLS_SERVER_NAME,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: process.env.TEMPORAL_TLS_SERVER_CA_CERT_PATH,
    TEMPORAL_TLS_CLIENT_CERT_PATH: process.env.TEMPORAL_TLS_CLIENT_CERT_PATH,
    TEMPORAL_TLS_CLIENT_KEY_PATH: process.env.TEMPORAL_TLS_CLIENT_KEY_PATH,
    TEMPORAL_API_KEY: process.env.TEMPORAL_API_KEY,
  });
}

/**
 * On a cluster (`npm run cluster -- tests`), processes of the API use another node of MySQL and another host of Temporal than
 * the worker and the test.
 */
export function enginesOfApi(databaseUrl: string | undefined): Record<string, string> {
  // By name: the runner starts what the variables that a test names need.
  const other = process.env.TEST_API_DATABASE_URL;
  const address = process.env.TEST_API_TEMPORAL_ADDRESS;
  if (other === undefined || databaseUrl === undefined) return {};
  const name = new URL(databaseUrl).pathname.slice(1);
  return present({ DATABASE_URL: databaseOn(other, name), TEMPORAL_ADDRESS: address });
}

function present(settings: Record<string, string | undefined>): Record<string, string> {
  const entries = Object.entries(settings);
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
