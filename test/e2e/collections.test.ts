import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { run } from '../../tools/launcher/run.js';
import { insertTestLicense } from '../support/factories.js';
import { type HttpStack, startHttp } from '../support/http.js';
import { send } from '../support/http-send.js';
import { installed } from '../support/outside-programs.js';
import { patient } from '../support/patience.js';
import { startReceiver } from '../support/receiver.js';

/** The programs of Postman and of Bruno. */
const PROGRAMS = {
  newman: { packed: 'newman@6.2.2', script: 'newman/bin/newman.js' },
  bru: { packed: '@usebruno/cli@4.1.0', script: '@usebruno/cli/bin/bru.js' },
} as const;

/** Operations that the carrier of this test does by itself, or lacks. */
const REFUSED = new Set(['POST /shipments/:uuid/status', 'GET /pickup-points']);

let http: HttpStack;

test.before(async () => {
  http = await startHttp({ config: { pageRateLimitPerMinute: 10_000, webhookAllowCidrs: ['127.0.0.0/8'] } });
});
test.after.always(() => http?.close());

/** An account of one's own, and the variables of a collection that name what it has. */
async function variablesOf(t: ExecutionContext): Promise<Record<string, string>> {
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  const account = await http.account();
  // With settings: a dry run reads them.
  const license = await insertTestLicense(http.db, { accountId: account.id, appKeys: http.config.appKeys });
  await http.license(account.id);
  return {
    base_url: http.url,
    client_id: account.headers['x-client-id'] ?? '',
    client_secret: account.headers['x-client-secret'] ?? '',
    license_key: license.key,
    webhook_url: receiver.url,
  };
}

/** A folder of the test's own. */
async function folderOf(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parcelworks-collection-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A request that a program sent, and what it was answered. */
interface Sent {
  method: string;
  path: string;
  code: number;
  text: string;
}

/** Every operation was sent once and answered well, and one shipment was made. */
async function assertAnswered(t: ExecutionContext, sent: readonly Sent[], output: string): Promise<void> {
  const document = JSON.parse((await send(`${http.url}/api/v2/openapi.json`, 'GET')).text);
  const operations = Object.values<object>(document.paths).flatMap((methods) => Object.keys(methods));
  t.is(sent.length, operations.length, output.slice(-2000));
  const others = sent.flatMap(({ method, path, code, text }) => {
    const name = `${method} ${path.replace(/^\/api\/v2/, '').replaceAll(/[0-9a-f-]{36}/g, ':uuid')}`;
    return code >= 200 && (code < 300 || REFUSED.has(name)) && code < 500 ? [] : [`${name}: ${code} ${text}`];
  });
  t.deepEqual(others, []);
}

interface Execution {
  request: { method: string; url: { path: string[] } };
  response?: { code: number; stream: { data: number[] } };
}

test.serial(
  'Postman collection: newman is answered at every request, each with what those before it made',
  async (t) => {
    t.timeout(patient(300_000));
    const program = await installed(t, PROGRAMS.newman);
    if (program === null) return;
    const folder = await folderOf(t);
    const [collection, report] = [join(folder, 'postman.json'), join(folder, 'report.json')];
    await writeFile(collection, (await send(`${http.url}/docs/postman.json`, 'GET')).text);
    const before = http.created.length;
    const variables = Object.entries(await variablesOf(t));
    const given = variables.flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);

    const args = ['run', collection, ...given, '-r', 'json', '--reporter-json-export', report];
    const { output } = await run(process.execPath, [program, ...args], { timeoutMs: 150_000 });

    const { executions } = JSON.parse(await readFile(report, 'utf8')).run as { executions: Execution[] };
    const sent = executions.map(({ request, response }) => ({
      method: request.method,
      path: `/${request.url.path.join('/')}`,
      code: response?.code ?? 0,
      text: Buffer.from(response?.stream.data ?? []).toString(),
    }));
    await assertAnswered(t, sent, output);
    t.is(http.created.length - before, 1);
  },
);

/** Lays an exported collection out as a folder, as the program's own import does. */
const LAY_OUT = `const [program, from, to] = process.argv.slice(1);
  const { createCollectionFromBrunoObject } = require(require.resolve('../src/utils/collection.js', { paths: [require('path').dirname(program)] }));
  createCollectionFromBrunoObject(JSON.parse(require('fs').readFileSync(from, 'utf8')), to, { format: 'bru' });`;

interface BruResult {
  request: { method: string; url: string };
  response: { status: number; data: unknown };
}

test.serial(
  'Bruno collection: bru is answered at every request, each with what those before it made',
  async (t) => {
    t.timeout(patient(300_000));
    const program = await installed(t, PROGRAMS.bru);
    if (program === null) return;
    const folder = await folderOf(t);
    const [exported, report] = [join(folder, 'bruno.json'), join(folder, 'report.json')];
    const collection = join(folder, 'collection');
    await mkdir(collection);
    await writeFile(exported, (await send(`${http.url}/docs/bruno.json`, 'GET')).text);
    const before = http.created.length;
    const variables = Object.entries(await variablesOf(t));
    const given = variables.flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);

    const laid = await run(process.execPath, ['-e', LAY_OUT, program, exported, collection], { cwd: folder });
    const args = ['run', '-r', '--env', 'Service', ...given, '--reporter-json', report];
    const { output } = await run(process.execPath, [program, ...args], {
      cwd: collection,
      timeoutMs: 150_000,
    });

    t.is(laid.code, 0, laid.output);
    const [{ results }] = JSON.parse(await readFile(report, 'utf8')) as [{ results: BruResult[] }];
    const sent = results.map(({ request, response }) => ({
      method: request.method,
      path: new URL(request.url).pathname,
      code: response.status,
      text: JSON.stringify(response.data),
    }));
    await assertAnswered(t, sent, output);
    t.is(http.created.length - before, 1);
  },
);

test.serial(
  'collections: each has every operation, both key headers, and variables for what differs',
  async (t) => {
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
  },
);
