import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { cacheFolder } from '../../tools/launcher/paths.js';
import { run } from '../../tools/launcher/run.js';
import { insertTestLicense } from '../support/factories.js';
import { type HttpStack, startHttp } from '../support/http.js';
import { send } from '../support/http-send.js';
import { patient } from '../support/patience.js';
import { startReceiver } from '../support/receiver.js';

/** Postman's own program for collections. It has 150 packages, so it is no dependency of the project. */
const NEWMAN = 'newman@6.2.2';
const folder = join(cacheFolder, NEWMAN);
const program = join(folder, 'node_modules/newman/bin/newman.js');

/** What the carrier of this test does by itself, or has not. */
const REFUSED = new Set(['POST /shipments/:uuid/status', 'GET /pickup-points']);

let http: HttpStack;
let hasNewman = false;

test.before(async () => {
  http = await startHttp({ config: { pageRateLimitPerMinute: 10_000, webhookAllowCidrs: ['127.0.0.0/8'] } });
  hasNewman = existsSync(program) || (await install());
});
test.after.always(() => http?.close());

/** Installs it once for all clones; false where the registry cannot be reached. */
async function install(): Promise<boolean> {
  const made = `${folder}-${process.pid}`;
  await mkdir(made, { recursive: true });
  await writeFile(join(made, 'package.json'), '{"private":true}');
  const options = { cwd: made, timeoutMs: 120_000 };
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', NEWMAN];
  const { code } = await run('npm', args, options);
  if (code === 0) await rename(made, folder).catch(() => rm(made, { recursive: true }));
  else await rm(made, { recursive: true });
  return existsSync(program);
}

interface Execution {
  item: { name: string };
  request: { method: string; url: { path: string[] }; header: { key: string; value: string }[] };
  response?: { code: number; stream: { data: number[] } };
}

test('Postman collection: every request of it is answered, by newman, each with what those before it made', async (t) => {
  t.timeout(patient(180_000));
  if (!hasNewman) {
    t.log(`${NEWMAN} cannot be installed here`);
    t.true(process.env.CI === undefined, 'CI reaches the registry');
    return;
  }
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  const account = await http.account();
  // With settings: a dry run reads them.
  const license = await insertTestLicense(http.db, { accountId: account.id, appKeys: http.config.appKeys });
  await http.license(account.id);
  const collection = join(cacheFolder, `collection-${process.pid}.json`);
  const report = join(cacheFolder, `collection-${process.pid}-report.json`);
  t.teardown(() => Promise.all([rm(collection, { force: true }), rm(report, { force: true })]));
  await writeFile(collection, (await send(`${http.url}/docs/postman.json`, 'GET')).text);
  const variables = {
    base_url: http.url,
    client_id: account.headers['x-client-id'] ?? '',
    client_secret: account.headers['x-client-secret'] ?? '',
    license_key: license.key,
    webhook_url: receiver.url,
  };
  const given = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);

  const args = ['run', collection, ...given, '-r', 'json', '--reporter-json-export', report];
  const { output } = await run(process.execPath, [program, ...args], { timeoutMs: 150_000 });
  const { executions } = JSON.parse(await readFile(report, 'utf8')).run as { executions: Execution[] };

  const document = JSON.parse((await send(`${http.url}/api/v2/openapi.json`, 'GET')).text);
  const operations = Object.values<object>(document.paths).flatMap((methods) => Object.keys(methods));
  t.is(executions.length, operations.length, output.slice(-2000));
  const others = executions.flatMap(({ request, response }) => {
    const path = `/${request.url.path.slice(2).join('/')}`.replaceAll(/[0-9a-f-]{36}/g, ':uuid');
    const name = `${request.method} ${path}`;
    const text = Buffer.from(response?.stream.data ?? []).toString();
    const code = response?.code ?? 0;
    return code >= 200 && (code < 300 || REFUSED.has(name)) && code < 500 ? [] : [`${name}: ${code} ${text}`];
  });
  t.deepEqual(others, []);
  t.is(http.created.length, 1);
});

test('collections: each has every operation, both key headers, and variables for what differs', async (t) => {
  const postman = JSON.parse((await send(`${http.url}/docs/postman.json`, 'GET')).text);
  const bruno = JSON.parse((await send(`${http.url}/docs/bruno.json`, 'GET')).text);
  const document = JSON.parse((await send(`${http.url}/api/v2/openapi.json`, 'GET')).text);
  const expected = Object.entries<object>(document.paths)
    .flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} {{base_url}}/api/v2${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      ),
    )
    .toSorted();
  const inPostman = postman.item.flatMap(({ item }: any) => item.map(({ request }: any) => request));
  const inBruno = bruno.items.flatMap(({ items }: any) => items.map(({ request }: any) => request));
  const addressOf = (method: string, url: string) => `${method} ${url.split('?')[0]}`;

  t.deepEqual(inPostman.map(({ method, url }: any) => addressOf(method, url.raw)).toSorted(), expected);
  t.deepEqual(inBruno.map(({ method, url }: any) => addressOf(method, url)).toSorted(), expected);
  for (const { header, url } of inPostman) {
    const headers = header.filter(({ disabled }: any) => !disabled).map(({ key }: any) => key);
    t.true(headers.includes('X-Client-Id') && headers.includes('X-Client-Secret'), url.raw);
    t.true(
      url.variable.every(({ value }: any) => /^\{\{\w+\}\}$/.test(value)),
      url.raw,
    );
  }
  t.deepEqual(
    bruno.root.request.headers.map(({ name, value }: any) => [name, value]),
    [
      ['X-Client-Id', '{{client_id}}'],
      ['X-Client-Secret', '{{client_secret}}'],
    ],
  );
  const [service] = bruno.environments;
  t.is(service.variables.find(({ name }: any) => name === 'base_url').value, http.config.baseUrl);
  t.true(service.variables.find(({ name }: any) => name === 'client_secret').secret);
  const names = new Set(postman.variable.map(({ key }: any) => key));
  const used = [...JSON.stringify(postman.item).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
  t.deepEqual(
    [...new Set(used)].filter((name) => !names.has(name)),
    [],
  );
});
