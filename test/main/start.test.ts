import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import test from 'ava';
import { createConnection, type Connection as MysqlConnection } from 'mysql2/promise';
import { databaseOn } from '../../tools/engines/test-schema.js';
import { run } from '../../tools/launcher/run.js';
import { CleanUps, type Owner } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { registerNamespace } from '../support/namespace.js';
import { anyPort, entrySpec, startLiveApi, TestProcess } from '../support/processes.js';
import { startRefusingEngine } from '../support/refusing-engine.js';

const server = new URL(process.env.DATABASE_URL ?? '');
const address = process.env.TEMPORAL_ADDRESS ?? '';
const name = randomBytes(4).toString('hex');
const database = `test_start_${name}`;
const namespace = `test-start-${name}`;
/** The rights that the guide grants; the processes need the first four. */
const MIGRATE_RIGHTS = /GRANT ([A-Z, ]+) ON/.exec(readFileSync('docs/operate.md', 'utf8'))?.[1] ?? '';
const RIGHTS = MIGRATE_RIGHTS.split(', ').slice(0, 4).join(', ');

let root: MysqlConnection;

test.before(async () => {
  const client = new Client({ connection: await Connection.connect({ address }), namespace });
  await registerNamespace(client);
  await client.connection.close();
  root = await createConnection(databaseOn(server.href, ''));
  await root.query(`CREATE DATABASE ${database}`);
  for (const [user, rights] of [
    [`m_${name}`, MIGRATE_RIGHTS],
    [`r_${name}`, RIGHTS],
  ]) {
    await root.query(`CREATE USER ${user}@'%' IDENTIFIED BY 'right'`);
    await root.query(`GRANT ${rights} ON ${database}.* TO ${user}@'%'`);
  }
});

test.after.always(async () => {
  await root.query(`DROP DATABASE ${database}`);
  await root.query(`DROP USER m_${name}@'%', r_${name}@'%'`);
  await root.end();
});

function urlOf({ user = `m_${name}`, password = 'right', on = database }): string {
  return `mysql://${user}:${password}@${server.host}/${on}`;
}

function environment(overrides: Record<string, string>): Record<string, string> {
  return {
    DATABASE_URL: urlOf({}),
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    APP_KEY: Buffer.alloc(32, 1).toString('base64'),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    ...overrides,
  };
}

async function ended(entry: string, overrides: Record<string, string>) {
  const script = fileURLToPath(new URL(`../../src/main/${entry}.js`, import.meta.url));
  return await run(process.execPath, [script], { env: environment(overrides), timeoutMs: 60_000 });
}

for (const entry of ['migrate', 'worker', 'api']) {
  test(`${entry}: a database that refuses ends the process with one line of reason`, async (t) => {
    const PORT = String(await anyPort());
    const wrong = await ended(entry, { DATABASE_URL: urlOf({ password: 'wrong' }), PORT });
    const missing = await ended(entry, { DATABASE_URL: urlOf({ on: `${database}_none` }), PORT });

    t.is(wrong.code, 1, wrong.output);
    t.regex(
      wrong.output,
      new RegExp(
        `^${entry}: MySQL at ${server.host} refuses DATABASE_URL: Access denied for user [^\\n]*\\n$`,
      ),
    );
    t.is(missing.code, 1, missing.output);
    t.regex(
      missing.output,
      new RegExp(
        `^${entry}: MySQL at ${server.host} refuses DATABASE_URL: [^\\n]*${database}_none[^\\n]*\\n$`,
      ),
    );
  });
}

for (const entry of ['migrate', 'worker']) {
  test(`${entry}: a missing namespace ends the process with one line of instructions`, async (t) => {
    const { code, output } = await ended(entry, { TEMPORAL_NAMESPACE: 'none-of-these' });

    t.is(code, 1, output);
    t.regex(
      output,
      /^\w+: Temporal at \S+ has no namespace none-of-these\. [^\n]*namespace create --namespace none-of-these --retention 168h[^\n]*\n$/,
    );
  });

  test(`${entry}: an unavailable engine ends the process with one line that names the address`, async (t) => {
    const { code, output } = await ended(entry, { TEMPORAL_ADDRESS: '127.0.0.1:9' });

    t.is(code, 1, output);
    t.regex(output, new RegExp(`^${entry}: Temporal at 127\\.0\\.0\\.1:9 does not answer: [^\\n]*\\n$`));
  });

  test(`${entry}: an engine that does not let it in ends the process with one line that names the key`, async (t) => {
    const { code, output } = await ended(entry, { TEMPORAL_ADDRESS: await startRefusingEngine(t) });

    t.is(code, 1, output);
    t.regex(
      output,
      /^\w+: Temporal at \S+ does not let this process in: TEMPORAL_API_KEY [^\n]* unauthorized\.\n$/,
    );
  });
}

test('GET /health/ready: 503 that says why when Temporal is up and does not let the API in, or has no such namespace', async (t) => {
  const refused = await readinessWith(t, { TEMPORAL_ADDRESS: await startRefusingEngine(t) });
  const unknown = await readinessWith(t, { TEMPORAL_NAMESPACE: 'none-of-these' });

  t.like(refused, { status: 'unavailable', mysql: true, temporal: false });
  t.regex(refused.reason, /^Temporal does not let this process in: TEMPORAL_API_KEY /);
  t.like(unknown, { status: 'unavailable', mysql: true, temporal: false });
  t.is(unknown.reason, 'Temporal has no such namespace as TEMPORAL_NAMESPACE.');
});

async function readinessWith(owner: Owner, overrides: Record<string, string>): Promise<any> {
  const { url } = await startLiveApi(owner, environment(overrides));
  return await (await fetch(`${url}/health/ready`)).json();
}

test('migrate: an unavailable database ends it with one line that names the address', async (t) => {
  const { code, output } = await ended('migrate', { DATABASE_URL: 'mysql://root@127.0.0.1:9/none' });

  t.is(code, 1, output);
  t.regex(output, /^migrate: MySQL at 127\.0\.0\.1:9 does not answer: [^\n]*ECONNREFUSED[^\n]*\n$/);
});

test('api: waits for an unavailable database', async (t) => {
  const owner = new CleanUps();
  t.teardown(() => owner.end());
  const env = environment({ DATABASE_URL: 'mysql://root@127.0.0.1:9/none' });

  const { process: api, url } = await startLiveApi(owner, env);
  const ready = await eventually(async () => (await fetch(`${url}/health/ready`)).json(), 'an answer');

  t.like(ready, { status: 'unavailable', mysql: false, reason: 'MySQL does not answer.' });
  t.regex(api.log, /MySQL at 127\.0\.0\.1:9 does not answer/);
});

test("migrate: the guide's rights suffice, and afterwards those of the other processes", async (t) => {
  const first = await ended('migrate', {});
  const again = await ended('migrate', { DATABASE_URL: urlOf({ user: `r_${name}` }) });

  t.is(first.code, 0, first.output);
  t.is(again.code, 0, again.output);
});

test('worker: serves all queues but one that WORKER_QUEUES leaves out, and lives, unready, without its database', async (t) => {
  const owner = new CleanUps();
  t.teardown(() => owner.end());
  const port = String(await anyPort());
  const url = `http://127.0.0.1:${port}/health`;
  const env = environment({
    DATABASE_URL: 'mysql://root@127.0.0.1:9/none',
    WORKER_HEALTH_PORT: port,
    WORKER_QUEUES: '-documents',
    LOG_LEVEL: 'info',
  });
  const worker = new TestProcess(
    owner,
    entrySpec(owner, 'worker', env, async () => (await fetch(`${url}/live`)).ok),
  );

  await worker.start();
  await eventually(() => worker.log.includes('worker is polling'), 'a worker that polls');

  const [, queues = ''] = /"queues":\[(.*?)\]/.exec(worker.log) ?? [];
  t.true(queues.includes('"shipments"') && queues.includes('"carrier-run"'), queues);
  t.false(queues.includes('"documents"'), queues);
  t.is((await fetch(`${url}/ready`)).status, 503);
  t.is((await fetch(`${url}/live`)).status, 200);
});

test('worker: a name in WORKER_QUEUES that is no queue ends it with one line that names it and the queues', async (t) => {
  for (const name of ['documnets', '-documnets']) {
    const { code, output } = await ended('worker', {
      DATABASE_URL: 'mysql://root@127.0.0.1:9/none',
      WORKER_QUEUES: `shipments,${name}`,
    });

    t.is(code, 1, output);
    t.regex(
      output.trim().split('\n').at(-1) ?? '',
      new RegExp(`^worker: WORKER_QUEUES: ${name} is no queue\\. There are .*documents`),
    );
  }
});
