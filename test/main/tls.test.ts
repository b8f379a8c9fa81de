import { createSecureServer } from 'node:http2';
import { join } from 'node:path';
import { NativeConnection } from '@temporalio/worker';
import test from 'ava';
import { loadConfig } from '../../src/config/config.js';
import { openDatabase } from '../../src/db/database.js';
import { createEngineProbe } from '../../src/main/engines.js';
import { engineConnection, openTemporal } from '../../src/temporal/client.js';
import { engineTrouble, noEntry } from '../../src/temporal/entry.js';
import { findMysql, mysqlSpec } from '../../tools/engines/mysql.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { anyPort, TestProcess, temporaryFolder } from '../support/processes.js';
import { startStack } from '../support/stack.js';
import {
  type CertificateFiles,
  contentOf,
  listenFor,
  makeCertificates,
  startTlsProxy,
} from '../support/tls.js';

const PASSWORD = 'of a test';
const install = await findMysql();
// A container cannot read the certificates.
const withServer = install.kind === 'binary' ? test.serial : test.serial.skip;
const cleanUps = new CleanUps();
let files: CertificateFiles;
let others: CertificateFiles;
let mysql: TestProcess;
let mysqlPort: number;

test.before(async () => {
  [files, others] = await Promise.all([
    makeCertificates(cleanUps, 'localhost'),
    makeCertificates(cleanUps, 'localhost'),
  ]);
  if (install.kind !== 'binary') return;
  mysqlPort = await anyPort();
  const folder = temporaryFolder(cleanUps);
  const options = { folder, port: mysqlPort, logFile: join(folder, 'mysql.log'), disposable: true };
  const spec = await mysqlSpec(install, options);
  const { ca, cert, key } = files;
  const args = [...spec.args, `--ssl-ca=${ca}`, `--ssl-cert=${cert}`, `--ssl-key=${key}`];
  mysql = await new TestProcess(cleanUps, { ...spec, args }).start();
  const root = openDatabase({ url: `mysql://root@127.0.0.1:${mysqlPort}/mysql`, poolSize: 1 });
  await root.run(`CREATE USER guarded@'%' IDENTIFIED BY '${PASSWORD}' REQUIRE SSL`);
  await root.run(`GRANT ALL ON *.* TO guarded@'%'`);
  await root.close();
});
test.after.always(() => cleanUps.end());

function databaseUrl(options: string): string {
  return `mysql://guarded:${encodeURIComponent(PASSWORD)}@localhost:${mysqlPort}/parcelworks${options}`;
}

/** The cipher of a connection with these options. */
async function cipherWith(options: string): Promise<unknown> {
  const db = openDatabase({ url: databaseUrl(options).replace('/parcelworks', '/mysql'), poolSize: 1 });
  try {
    const [row] = await db.select(`SHOW SESSION STATUS LIKE 'Ssl_cipher'`);
    return row?.Value;
  } finally {
    await db.close();
  }
}

function settings(env: Record<string, string>) {
  return loadConfig({ DATABASE_URL: databaseUrl(''), APP_KEY: Buffer.alloc(32).toString('base64'), ...env });
}

withServer('creates a shipment with MySQL and Temporal behind TLS and client certificates', async (t) => {
  const shared = process.env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233';
  const { port } = await startTlsProxy(cleanUps, files, shared);
  const stack = await startStack({
    engines: {
      databaseUrl: databaseUrl(`?ssl-mode=VERIFY_IDENTITY&ssl-ca=${files.ca}`),
      temporalAddress: `localhost:${port}`,
    },
    env: {
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: files.ca,
      TEMPORAL_TLS_CLIENT_CERT_PATH: files.cert,
      TEMPORAL_TLS_CLIENT_KEY_PATH: files.key,
    },
  });
  try {
    await stack.startWorkers();
    const api = new ApiClient(await stack.startApi(), stack.account);

    const created = await api.create(shipmentBody(stack.account, 'independent'), 'behind-tls');

    t.is(created.status, 201, created.text);
  } finally {
    await stack.close();
  }
});

withServer(
  'Temporal whose certificate has ended is away, and back once it is renewed, without a restart',
  async (t) => {
    const shared = process.env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233';
    const own = await makeCertificates(cleanUps, 'localhost');
    const { port, reload } = await startTlsProxy(cleanUps, own, shared);
    const stack = await startStack({
      engines: { databaseUrl: databaseUrl('?ssl-mode=REQUIRED'), temporalAddress: `localhost:${port}` },
      env: {
        TEMPORAL_TLS_SERVER_CA_CERT_PATH: own.ca,
        TEMPORAL_TLS_CLIENT_CERT_PATH: own.cert,
        TEMPORAL_TLS_CLIENT_KEY_PATH: own.key,
      },
    });
    try {
      await stack.startWorkers();
      const api = new ApiClient(await stack.startApi(), stack.account);
      const create = async (key: string) =>
        (await api.create(shipmentBody(stack.account, 'independent'), key)).status;

      const before = await create('before-the-end');
      await own.expire();
      reload();
      const during = await eventually(async () => {
        const status = await create('after-the-end');
        return status === 503 && status;
      }, 'an answer that the engine is away');
      await own.renameTo('localhost');
      reload();
      await eventually(async () => (await create('after-the-end')) === 201, 'the creation', 60_000);

      t.deepEqual([before, during], [201, 503]);
    } finally {
      await stack.close();
    }
  },
);

withServer(
  'MySQL whose certificate has ended is named as such, and answers again once it is renewed',
  async (t) => {
    const root = openDatabase({ url: `mysql://root@127.0.0.1:${mysqlPort}/mysql`, poolSize: 1 });
    const config = {
      databaseUrl: databaseUrl(`?ssl-mode=VERIFY_CA&ssl-ca=${files.ca}`).replace('/parcelworks', '/mysql'),
    };
    const temporal = openTemporal(settings({}));
    const engines = createEngineProbe(config, temporal);
    t.teardown(async () => {
      await Promise.all([engines.close(), root.close(), temporal.connection.close()]);
    });

    await files.expire();
    await root.run('FLUSH SSL');
    const during = await engines.ask();
    await files.renameTo('localhost');
    await root.run('FLUSH SSL');
    // An answer counts for a second.
    await eventually(async () => (await engines.ask()).mysql, 'MySQL to answer again');

    t.is(during.reason, "MySQL's certificate has ended.");
  },
);

withServer('MySQL: each ssl-mode checks what its name says', async (t) => {
  t.truthy(await cipherWith('?ssl-mode=REQUIRED'));
  t.truthy(await cipherWith(`?ssl-mode=verify-identity&ssl-ca=${files.ca}`));
  await t.throwsAsync(cipherWith(''), { message: /[Aa]ccess denied/ });
  await t.throwsAsync(cipherWith('?ssl-mode=VERIFY_CA'), { message: /certificate/ });
  await t.throwsAsync(cipherWith(`?ssl-mode=VERIFY_CA&ssl-ca=${others.ca}`), { message: /certificate/ });

  await mysql.stop();
  await files.renameTo('mysql.example');
  await mysql.start();

  t.truthy(await cipherWith(`?ssl-mode=VERIFY_CA&ssl-ca=${files.ca}`));
  await t.throwsAsync(cipherWith(`?ssl-mode=VERIFY_IDENTITY&ssl-ca=${files.ca}`), {
    message: /localhost.*mysql\.example/,
  });
});

test.serial('Temporal: untrusted servers are refused', async (t) => {
  await files.renameTo('localhost');
  const { port } = await startTlsProxy(cleanUps, files, process.env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233');
  const own = {
    TEMPORAL_TLS_CLIENT_CERT_PATH: files.cert,
    TEMPORAL_TLS_CLIENT_KEY_PATH: files.key,
  };
  const isUp = async (env: Record<string, string>) => {
    const client = openTemporal(settings({ TEMPORAL_ADDRESS: `localhost:${port}`, ...env }));
    try {
      return (await engineTrouble(client, 5000)) === null;
    } finally {
      await client.connection.close();
    }
  };

  t.true(await isUp({ ...own, TEMPORAL_TLS_SERVER_CA_CERT_PATH: files.ca }));
  t.false(await isUp({}), 'in clear');
  t.false(await isUp({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: files.ca }), 'without a certificate');
  t.false(await isUp({ ...own, TEMPORAL_TLS: 'true' }), 'vouched for by nobody');
  t.false(await isUp({ ...own, TEMPORAL_TLS_SERVER_CA_CERT_PATH: others.ca }), 'vouched for by another');
});

test.serial('Temporal: clients and workers send the API key', async (t) => {
  await files.renameTo('cloud.example');
  const shown: unknown[] = [];
  const server = createSecureServer(contentOf(files));
  server.on('stream', (stream, headers) => {
    shown.push(headers.authorization);
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '16' },
      { endStream: true },
    );
  });
  const port = await listenFor(cleanUps, server);
  const config = settings({
    TEMPORAL_ADDRESS: `localhost:${port}`,
    TEMPORAL_API_KEY: 'key-of-a-namespace',
    TEMPORAL_TLS_SERVER_NAME: 'cloud.example',
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: files.ca,
  });
  const client = openTemporal(config);

  t.regex((await engineTrouble(client, 5000)) ?? '', /TEMPORAL_API_KEY/);
  await client.connection.close();
  const asClient = shown.splice(0);
  const refused = await t.throwsAsync(NativeConnection.connect(engineConnection(config)));

  t.regex(noEntry('cloud.example', refused).message, /does not let this process in: TEMPORAL_API_KEY/);
  t.is(asClient[0], 'Bearer key-of-a-namespace');
  t.is(shown[0], 'Bearer key-of-a-namespace');
});
