import { readFileSync } from 'node:fs';
import test from 'ava';
import { loadConfig } from '../../src/config/config.js';
import { ConfigError, VARIABLES } from '../../src/config/environment.js';
import { SECRETS } from '../../src/config/secret-files.js';

const MINIMAL = {
  DATABASE_URL: 'mysql://user:password@127.0.0.1:3306/parcelworks',
  APP_KEY: Buffer.alloc(32).toString('base64'),
};
const sorted = (names: Iterable<string>) => [...new Set(names)].toSorted();
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
const read = (path: string) => readFileSync(`${process.cwd()}/${path}`, 'utf8');

const compose = read('docker/compose.yaml');
const ours = compose.slice(compose.indexOf('x-environment:'), compose.indexOf('\nx-app:'));
const inCompose = namesIn(ours, /^ {2}([A-Z][A-Z0-9_]+):/gm);
const inImage = namesIn(read('docker/Dockerfile'), /\b([A-Z][A-Z0-9_]+)=/g).filter(
  (name) => !['NODE_ENV', 'HOME', 'MALLOC_ARENA_MAX'].includes(name),
);
const secretFiles = SECRETS.map((name) => `${name}_FILE`);

test('the compose file and the image set every variable, equally for all services', (t) => {
  const named = [...inCompose, ...inImage].map((name) =>
    secretFiles.includes(name) ? name.slice(0, -5) : name,
  );
  t.deepEqual(sorted(named), sorted(VARIABLES));
  const own = namesIn(compose.slice(compose.indexOf('\nservices:')), /^ {4}(environment: ?.*)$/gm);
  t.deepEqual(own, [
    'environment:',
    'environment:',
    'environment: { <<: *environment, WORKER_QUEUES: documents }',
    'environment:',
  ]);
});

test('the compose file takes every secret as a file, and gives the container those that it needs', (t) => {
  t.deepEqual(
    secretFiles.filter((name) => !inCompose.includes(name)),
    [],
  );
  const mounted = namesIn(ours, /^ {2}[A-Z0-9_]+_FILE: \/run\/secrets\/([A-Z0-9_]+)$/gm);
  const given = /x-app: .*?\n {2}secrets: \[(.*?)\]/s.exec(compose)?.[1]?.split(', ') ?? [];
  t.deepEqual(sorted(mounted), sorted(given));
  t.deepEqual(sorted(given), ['APP_KEY', 'DATABASE_URL', 'SMTP_URL', 'TEMPORAL_PAYLOAD_KEY']);
  const offered = namesIn(compose.slice(compose.indexOf('\nsecrets:')), /^ {2}([A-Z0-9_]+): \{ file:/gm);
  t.deepEqual(sorted(offered), sorted([...SECRETS, 'MYSQL_PASSWORD']));
});

test('the example names every external variable of the compose file and prompts for the required ones', (t) => {
  const example = read('docker/.env.example');
  const asked = namesIn(compose, /\$\{([A-Z0-9_]+):\?/g);
  const taken = namesIn(compose, /\$\{([A-Z0-9_]+):-/g);
  const passed = namesIn(ours, /^ {2}([A-Z][A-Z0-9_]+):$/gm);
  const given = namesIn(example, /^([A-Z0-9_]+)=/gm);
  const offered = namesIn(example, /^#([A-Z0-9_]+)=/gm);

  t.deepEqual(sorted([...given, ...offered]), sorted([...asked, ...taken, ...passed, 'COMPOSE_PROFILES']));
  t.deepEqual(
    asked.filter((name) => !given.includes(name)),
    [],
  );
  t.deepEqual(
    passed.filter((name) => !offered.includes(name)),
    [],
  );
});

test('the compose file: permanent services have a valid health check and a rotating log', (t) => {
  const services = compose.slice(compose.indexOf('\nservices:'), compose.indexOf('\nvolumes:'));
  const worker = compose.slice(compose.indexOf('\nx-worker:'), compose.indexOf('\nservices:'));
  const lasting = services
    .split(/\n {2}(?=\w+:\n)/)
    .map((text) => (text.includes('<<: *worker') ? text + worker.replaceAll(/^ {2}/gm, '    ') : text))
    .filter((text) => text.includes('restart:'));

  t.deepEqual(sorted(lasting.map((text) => text.split(':')[0] ?? '')), [
    'api',
    'caddy',
    'documents',
    'mysql',
    'prometheus',
    'temporal',
    'worker',
  ]);
  for (const text of lasting) {
    t.regex(text, /\n {4}healthcheck:\n {6}test:/, text);
    t.regex(text, /<<: \*app|logging: \*logging/, text);
    t.regex(text, /\n {4}mem_limit: \d/, text);
    t.regex(text, /<<: \*app|no-new-privileges:true/, text);
    // An unquoted text with a colon becomes an object, and the file is rejected.
    const items = text.split('\n').filter((line) => /^ {8}- /.test(line) && line.includes(': '));
    for (const item of items) t.regex(item, /^ {8}- (["']).*\1$/);
  }
});

test('the chart takes every variable once: as a setting, as a secret, or set by itself or the image', (t) => {
  const { properties } = JSON.parse(read('chart/values.schema.json'));
  const templates = ['api', 'workers'].map((name) => read(`chart/templates/${name}.yaml`)).join('');
  const byChart = namesIn(templates, /- \{ name: ([A-Z_]+), value:/g);
  const settings = Object.keys(properties.config.properties);
  const secrets: string[] = properties.secrets.properties.keys.items.enum;

  t.deepEqual(secrets, [...SECRETS]);
  t.deepEqual([...settings, ...secrets, ...new Set([...byChart, ...inImage])].toSorted(), sorted(VARIABLES));
  t.deepEqual(
    namesIn(read('chart/values.yaml'), /^ {2}([A-Z][A-Z0-9_]+):/gm).filter(
      (name) => !settings.includes(name),
    ),
    [],
  );
});

test('the chart waits for a process as long as the process may take, and no probe of life asks the engines', (t) => {
  const grace = /SHUTDOWN_GRACE_MS: (\d+)/.exec(read('chart/values.yaml'))?.[1];
  t.is(Number(grace), loadConfig(MINIMAL).shutdownGraceMs);
  for (const name of ['api', 'workers']) {
    const text = read(`chart/templates/${name}.yaml`);
    t.regex(text, /terminationGracePeriodSeconds: \{\{ add .*parcelworks\.graceSeconds/);
    t.regex(text, /livenessProbe:\n +httpGet: \{ path: \/health\/live,/);
    t.regex(text, /readinessProbe:\n +httpGet: \{ path: \/health\/ready,/);
  }
});

test('docs/configure.md lists exactly the existing variables', (t) => {
  const first = namesIn(read('docs/configure.md'), /^\| (`[^|]*)\|/gm).join();
  const named = namesIn(read('docs/configure.md'), /`([A-Z][A-Z0-9_]+)`/g);

  t.deepEqual(
    VARIABLES.filter((name) => !named.includes(name)),
    [],
  );
  t.deepEqual(
    namesIn(first, /`([A-Z][A-Z0-9_]+)`/g).filter((name) => !new Set<string>(VARIABLES).has(name)),
    [],
  );
});

test('loadConfig: refuses unreachable public addresses', (t) => {
  for (const HOST of ['0.0.0.0', '::']) {
    t.throws(() => loadConfig({ ...MINIMAL, HOST }), {
      instanceOf: ConfigError,
      message: /BASE_URL: must be/,
    });
    t.is(loadConfig({ ...MINIMAL, HOST, BASE_URL: 'https://a.example/' }).baseUrl, 'https://a.example');
  }
  t.is(loadConfig(MINIMAL).baseUrl, 'http://127.0.0.1:3000');
  t.is(loadConfig({ ...MINIMAL, HOST: '::1' }).baseUrl, 'http://[::1]:3000');
});

for (const BASE_URL of [
  'https://example.com/ship',
  'https://example.com/ship/',
  'https://example.com//',
  'https://example.com/?shop=1',
  'https://example.com/#panel',
  'https://user@example.com',
  'ftp://example.com',
  'example.com',
]) {
  test(`loadConfig: BASE_URL=${BASE_URL} is not scheme and host alone`, (t) => {
    t.throws(() => loadConfig({ ...MINIMAL, BASE_URL }), {
      instanceOf: ConfigError,
      message: /BASE_URL: must be scheme and host alone.*needs a host of its own/,
    });
  });
}

test('loadConfig: BASE_URL is taken as browsers name it', (t) => {
  t.is(loadConfig({ ...MINIMAL, BASE_URL: 'https://Example.com:443/' }).baseUrl, 'https://example.com');
  t.is(loadConfig({ ...MINIMAL, BASE_URL: 'http://127.0.0.1:8080' }).baseUrl, 'http://127.0.0.1:8080');
});

test('loadConfig: the shutdown grace has a minimum', (t) => {
  t.throws(() => loadConfig({ ...MINIMAL, SHUTDOWN_GRACE_MS: '0' }), {
    message: /SHUTDOWN_GRACE_MS: must be/,
  });
  t.is(loadConfig({ ...MINIMAL, SHUTDOWN_GRACE_MS: '1000' }).shutdownGraceMs, 1000);
});

test('loadConfig: retention is at least a day', (t) => {
  for (const RETENTION_LABEL_DAYS of ['0', '-1', '1.5', 'ever', '36501']) {
    t.throws(() => loadConfig({ ...MINIMAL, RETENTION_LABEL_DAYS }), {
      message: /RETENTION_LABEL_DAYS: must be a whole number of days/,
    });
  }
  t.is(loadConfig({ ...MINIMAL, RETENTION_LABEL_DAYS: '1' }).retention.labelDays, 1);
});

test('loadConfig: refuses demo credentials in production', (t) => {
  const DEMO_CREDENTIALS = 'ci_1:sk_1:demo-run:as_1:7|x';

  t.throws(() => loadConfig({ ...MINIMAL, DEMO_CREDENTIALS, NODE_ENV: 'production' }), {
    instanceOf: ConfigError,
    message: /npm start/,
  });
  t.is(loadConfig(MINIMAL).demo, null);
  t.deepEqual(loadConfig({ ...MINIMAL, DEMO_CREDENTIALS }).demo, {
    clientId: 'ci_1',
    clientSecret: 'sk_1',
    licenseKey: 'demo-run',
    appSecret: 'as_1',
    userToken: '7|x',
  });
});
