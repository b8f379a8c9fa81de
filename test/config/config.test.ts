import test from 'ava';
import { loadConfig } from '../../src/config/config.js';
import { ConfigError } from '../../src/config/environment.js';

const GOOD = { DATABASE_URL: 'mysql://app@db/x', APP_KEY: Buffer.alloc(32, 1).toString('base64') };

for (const [name, value, why = ''] of [
  ['DATABASE_URL', 'mysql://app:hunter2@db:33o6/x'],
  ['DATABASE_URL', 'mysql://app:hunter2@db/x?ssl=true', ' (an option)'],
  ['DATABASE_URL', 'mysql://app:hunter2@db/x?ssl-mode=PREFERRED', ' (a mode)'],
  ['DATABASE_URL', 'mysql://app:hunter2@db/x?ssl-mode=VERIFY_CA&ssl-ca=/none', ' (a file)'],
  ['DATABASE_URL', 'mysql://app:hunter2@db/x?ssl-ca=/none', ' (a file without a mode)'],
  ['DATABASE_URL', 'mysql://app:hunter2@10.0.0.1/x?ssl-mode=VERIFY_IDENTITY', ' (an address)'],
  ['TEMPORAL_TLS', 'hunter2'],
  ['TEMPORAL_TLS_SERVER_CA_CERT_PATH', '/hunter2'],
  ['SMTP_URL', 'hunter2'],
  ['APP_KEY', 'hunter2'],
  ['TEMPORAL_PAYLOAD_KEY', 'hunter2'],
  ['TEMPORAL_PAYLOAD_KEY', 'k1:hunter2', ' (a ring)'],
  ['TEMPORAL_PAYLOAD_CLEAR', 'hunter2'],
  ['PORT', 'hunter2'],
  ['RATE_LIMIT_PER_MINUTE', 'hunter2'],
  ['LOG_LEVEL', 'hunter2'],
  ['FINGERPRINT_HOURS', 'hunter2'],
  ['WEBHOOK_DENY_CIDRS', '10.0.0.0/8,hunter2'],
  ['BROWSER_SANDBOX', 'hunter2'],
  ['PANEL_OIDC_ISSUER', 'http://hunter2.example'],
  ['PANEL_OIDC_ISSUER', 'https://app:hunter2@login.example', ' (a password)'],
] as const) {
  test(`loadConfig: names a wrong ${name} without its value${why}`, (t) => {
    const error = t.throws(() => loadConfig({ ...GOOD, [name]: value }), { instanceOf: ConfigError });

    t.true(error?.message.includes(`  ${name}: `), error?.message);
    t.false(error?.message.includes('hunter2'), error?.message);
  });
}

for (const name of ['FINGERPRINT_HOURS', 'IDEMPOTENCY_KEY_DAYS']) {
  for (const value of ['0', '-1', '1.5']) {
    test(`loadConfig: ${name}=${value} would forget a key too early`, (t) => {
      t.throws(() => loadConfig({ ...GOOD, [name]: value }), { instanceOf: ConfigError });
    });
  }
}

test('loadConfig: refuses half a client certificate, and TLS that is wanted but disabled', (t) => {
  const file = process.execPath;
  for (const [env, message] of [
    [{ TEMPORAL_TLS_CLIENT_CERT_PATH: file }, /TEMPORAL_TLS_CLIENT_KEY_PATH/],
    [{ TEMPORAL_TLS_CLIENT_KEY_PATH: file }, /TEMPORAL_TLS_CLIENT_CERT_PATH/],
    [{ TEMPORAL_TLS: 'false', TEMPORAL_API_KEY: 'hunter2' }, /^TEMPORAL_TLS is off/],
  ] as const) {
    const error = t.throws(() => loadConfig({ ...GOOD, ...env }), { instanceOf: ConfigError, message });
    t.false(error?.message.includes('hunter2'));
  }
});

test('loadConfig: the OpenID provider of the panel is set as a whole, or not at all', (t) => {
  const PANEL_OIDC_ISSUER = 'https://login.example/realms/x';
  const whole = { PANEL_OIDC_ISSUER, PANEL_OIDC_CLIENT_ID: 'panel', PANEL_OIDC_CLIENT_SECRET: 'hunter2' };
  for (const missing of Object.keys(whole)) {
    const part = { ...whole, [missing]: undefined, PANEL_OIDC_NAME: 'Example' };
    const message = `The sign-in of the panel by OpenID Connect also needs ${missing}.`;
    t.throws(() => loadConfig({ ...GOOD, ...part }), { instanceOf: ConfigError, message });
  }
  t.throws(() => loadConfig({ ...GOOD, PANEL_OIDC_NAME: 'x' }), { message: /PANEL_OIDC_ISSUER and/ });
  t.is(loadConfig(GOOD).panelProvider, null);
  t.like(loadConfig({ ...GOOD, ...whole }).panelProvider, {
    issuer: PANEL_OIDC_ISSUER,
    name: 'login.example',
  });
  for (const PANEL_OIDC_ISSUER of ['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080']) {
    t.is(loadConfig({ ...GOOD, ...whole, PANEL_OIDC_ISSUER }).panelProvider?.issuer, PANEL_OIDC_ISSUER);
  }
});

test('loadConfig: a bucket has both keys, or none where the machine has a role', (t) => {
  const bucket = { STORAGE_S3_BUCKET: 'parcels' };
  const id = { STORAGE_S3_ACCESS_KEY_ID: 'id' };
  const secret = { STORAGE_S3_SECRET_ACCESS_KEY: 'hunter2' };

  for (const [env, missing] of [
    [id, 'STORAGE_S3_SECRET_ACCESS_KEY'],
    [secret, 'STORAGE_S3_ACCESS_KEY_ID'],
  ] as const) {
    const message = `The bucket also needs ${missing}, or neither key where the machine has a role.`;
    t.throws(() => loadConfig({ ...GOOD, ...bucket, ...env }), { instanceOf: ConfigError, message });
  }
  t.like(loadConfig({ ...GOOD, ...bucket }).storage, { kind: 's3', keys: null });
  t.like(loadConfig({ ...GOOD, ...bucket, ...id, ...secret }).storage, {
    keys: { accessKeyId: 'id', secretAccessKey: 'hunter2' },
  });
});

test('loadConfig: Temporal uses plain text unless a setting needs TLS', (t) => {
  const accessWith = (env: Record<string, string>) => loadConfig({ ...GOOD, ...env }).temporalAccess;

  t.deepEqual(accessWith({}), {});
  t.deepEqual(accessWith({ TEMPORAL_TLS: 'true' }), { tls: {} });
  t.deepEqual(accessWith({ TEMPORAL_API_KEY: 'k' }), { tls: {}, apiKey: 'k' });
  t.deepEqual(accessWith({ TEMPORAL_TLS_SERVER_NAME: 'n' }), { tls: { serverNameOverride: 'n' } });
});

test('loadConfig: TEMPORAL_PAYLOAD_KEY is one key, or a ring whose first key encrypts', (t) => {
  const [one, two] = [1, 2].map((fill) => Buffer.alloc(32, fill).toString('base64'));
  const ringOf = (TEMPORAL_PAYLOAD_KEY: string) =>
    [...(loadConfig({ ...GOOD, TEMPORAL_PAYLOAD_KEY }).payloadEncryption?.keys ?? [])].map(
      ([id, key]) => `${id}:${key.toString('base64')}`,
    );

  t.is(loadConfig(GOOD).payloadEncryption, null);
  t.deepEqual(ringOf(`${one}`), [`k1:${one}`]);
  t.deepEqual(ringOf(`${one},2026-11:${two}`), [`k1:${one}`, `2026-11:${two}`]);
  t.deepEqual(ringOf(`b:${two}, a:${one}`), [`b:${two}`, `a:${one}`]);
  for (const twice of [
    `${one},${two}`,
    `a:${one},a:${two}`,
    `k1:${one},${two}`,
    `a:${one},`,
    ':x',
    `a b:${one}`,
  ]) {
    t.throws(() => ringOf(twice), { instanceOf: ConfigError, message: /TEMPORAL_PAYLOAD_KEY: must be/ });
  }
});
