import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { loadConfig } from '../../src/config/config.js';
import { ConfigError, VARIABLES } from '../../src/config/environment.js';
import { SECRETS } from '../../src/config/secret-files.js';

const GOOD = { DATABASE_URL: 'mysql://app@db/x', APP_KEY: Buffer.alloc(32, 1).toString('base64') };

/** A right value of each secret. */
const VALUES: Readonly<Record<(typeof SECRETS)[number], string>> = {
  DATABASE_URL: 'mysql://app:a%20b@db/y',
  APP_KEY: `k2:${Buffer.alloc(32, 2).toString('base64')}`,
  TEMPORAL_API_KEY: 'an-api-key',
  TEMPORAL_PAYLOAD_KEY: Buffer.alloc(32, 3).toString('base64'),
  TEMPORAL_CODEC_TOKEN: 'a'.repeat(40),
  PANEL_OIDC_CLIENT_SECRET: 'a-client-secret',
  SMTP_URL: 'smtp://app:mail-secret@mail:25',
  STORAGE_S3_ACCESS_KEY_ID: 'an-access-key',
  STORAGE_S3_SECRET_ACCESS_KEY: 'a-secret-key',
  ALERT_URL: 'https://hooks.example/secret',
};

/** Variables that a secret needs beside it. */
const OTHERS = {
  PANEL_OIDC_ISSUER: 'https://login.example',
  PANEL_OIDC_CLIENT_ID: 'panel',
  PANEL_OIDC_CLIENT_SECRET: 'other',
  STORAGE_S3_BUCKET: 'parcels',
  STORAGE_S3_ACCESS_KEY_ID: 'other',
  STORAGE_S3_SECRET_ACCESS_KEY: 'other',
};

function fileWith(t: ExecutionContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'secret-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'secret');
  writeFileSync(path, text);
  return path;
}

for (const name of SECRETS) {
  test(`loadConfig: ${name} from a file is the same as from the variable, without the newline`, (t) => {
    const env: NodeJS.ProcessEnv = { ...GOOD, ...OTHERS };
    const { [name]: _, ...others } = env;
    const path = fileWith(t, `${VALUES[name]}\n`);

    const config = loadConfig({ ...others, [`${name}_FILE`]: path });

    t.deepEqual(config, loadConfig({ ...others, [name]: VALUES[name] }));
    t.notDeepEqual(config, loadConfig(env));
  });
}

test('loadConfig: each problem with a file of a secret names the variable and the file, and no secret', (t) => {
  const wrong = fileWith(t, 'hunter2\n');
  const empty = fileWith(t, '\n');
  const good = fileWith(t, GOOD.APP_KEY);
  const { DATABASE_URL } = GOOD;
  for (const [env, line] of [
    [
      { APP_KEY_FILE: wrong },
      `APP_KEY: must be 32 bytes in base64 (openssl rand -base64 32), or several keys with different ids: id:base64,id:base64 (in ${wrong})`,
    ],
    [{ APP_KEY_FILE: empty }, `APP_KEY_FILE: ${empty} is empty`],
    [{ APP_KEY_FILE: '/none/app-key' }, 'APP_KEY_FILE: /none/app-key cannot be read (ENOENT)'],
    [{ APP_KEY_FILE: tmpdir() }, `APP_KEY_FILE: ${tmpdir()} cannot be read (EISDIR)`],
    [{ APP_KEY_FILE: 'hunter2' }, 'APP_KEY_FILE: must be the absolute path of a file'],
    [
      { APP_KEY_FILE: good, APP_KEY: 'hunter2' },
      'APP_KEY_FILE: APP_KEY is set too: only one of the two may be',
    ],
  ] as const) {
    const error = t.throws(() => loadConfig({ DATABASE_URL, ...env }), { instanceOf: ConfigError });

    t.is(error?.message, `The environment is not complete:\n  ${line}`);
  }
});

test('loadConfig: names all problems with files and variables at once', (t) => {
  const error = t.throws(() => loadConfig({ APP_KEY_FILE: '/none/a', SMTP_URL_FILE: '/none/b', PORT: 'x' }), {
    instanceOf: ConfigError,
  });

  for (const name of ['APP_KEY_FILE', 'SMTP_URL_FILE', 'DATABASE_URL', 'PORT']) {
    t.regex(error?.message ?? '', new RegExp(`^ {2}${name}: `, 'm'));
  }
});

test('loadConfig: an empty variable beside a file, and an empty name of a file, count as not set', (t) => {
  const path = fileWith(t, GOOD.APP_KEY);

  t.deepEqual(loadConfig({ ...GOOD, APP_KEY: '', APP_KEY_FILE: path }), loadConfig(GOOD));
  t.deepEqual(loadConfig({ ...GOOD, APP_KEY_FILE: '' }), loadConfig(GOOD));
});

test('docs/configure.md lists exactly the secrets that may come from files', (t) => {
  const page = readFileSync(join(process.cwd(), 'docs/configure.md'), 'utf8');
  const section = /## Secrets from files\n(.*?)\n## /s.exec(page)?.[1] ?? '';

  t.deepEqual(
    [...section.matchAll(/`([A-Z0-9_]+)_FILE`/g)].map(([, name]) => name).filter((name) => name !== 'NAME'),
    [...SECRETS],
  );
});

test('every variable whose name says that it is secret may come from a file', (t) => {
  const named = VARIABLES.filter((name) => /SECRET|TOKEN|PASSWORD|_KEY$|ACCESS_KEY/.test(name));

  t.deepEqual(
    named.filter((name) => !SECRETS.some((secret) => secret === name)),
    [],
  );
});
