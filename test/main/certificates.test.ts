import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readCertificates } from '../../src/config/certificates.js';
import { metrics } from '../../src/lib/metrics.js';
import { watchCertificates } from '../../src/main/certificates.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { temporaryFolder } from '../support/processes.js';
import { makeCertificates } from '../support/tls.js';

const cleanUps = new CleanUps();
test.after.always(() => cleanUps.end());

const SOON = { everyMs: 5, spreadMs: 5 };

test('watchCertificates: shows when a certificate ends, and stops the process once the file has another', async (t) => {
  const { cert, key } = await makeCertificates(cleanUps, 'localhost');
  const folder = temporaryFolder(cleanUps);
  const env = {
    TEMPORAL_TLS_CLIENT_CERT_PATH: join(folder, 'cert.pem'),
    TEMPORAL_TLS_CLIENT_KEY_PATH: join(folder, 'key.pem'),
  };
  writeFileSync(env.TEMPORAL_TLS_CLIENT_CERT_PATH, readFileSync(cert));
  writeFileSync(env.TEMPORAL_TLS_CLIENT_KEY_PATH, readFileSync(key));
  const stopped: string[] = [];
  let reads = 0;
  const read = () => {
    reads += 1;
    return readCertificates(env);
  };

  watchCertificates(read, (variable) => stopped.push(variable), SOON);
  await eventually(() => reads > 5, 'several looks');
  const before = [...stopped];
  writeFileSync(env.TEMPORAL_TLS_CLIENT_KEY_PATH, 'another');
  await eventually(() => stopped.length > 0, 'the stop');

  t.deepEqual(before, []);
  t.deepEqual(stopped, ['TEMPORAL_TLS_CLIENT_KEY_PATH']);
  const shown = await metrics.getSingleMetric('parcelworks_certificate_ends_timestamp_seconds')?.get();
  t.deepEqual(
    shown?.values.map(({ labels }) => labels),
    [{ variable: 'TEMPORAL_TLS_CLIENT_CERT_PATH' }],
  );
  t.true(Number(shown?.values[0]?.value) > Date.now() / 1000);
});

test('watchCertificates: a process without certificates, or whose file is away for a moment, goes on', async (t) => {
  const stopped: string[] = [];
  let reads = 0;
  const away = () => {
    reads += 1;
    return new Map(reads === 1 ? [['TEMPORAL_TLS_CLIENT_CERT_PATH', 'one']] : []);
  };

  watchCertificates(
    () => new Map(),
    (variable) => stopped.push(variable),
    SOON,
  );
  watchCertificates(away, (variable) => stopped.push(variable), SOON);
  await eventually(() => reads > 5, 'several looks');

  t.deepEqual(stopped, []);
});
