import test from 'ava';
import { runAdmin } from '../support/admin.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { type Gateway, startGateway } from '../support/gateway.js';
import { violations } from '../support/invariants.js';
import { addPlainUser, findMariaDb, type OwnServer, startMariaDb } from '../support/mariadb-servers.js';
import { patient } from '../support/patience.js';
import { startApiProcess, startWorkerProcess } from '../support/processes.js';
import { startStack } from '../support/stack.js';
import { Load } from './load.js';

const CLIENTS = 6;
/** Of an idle machine, from the moment at which new connections reach the new primary. */
const BACK_WITHIN_MS = 5000;

// Replication is set up in MariaDB's words.
const withMariaDb = (await findMariaDb()) === null ? test.skip : test;
const owner = new CleanUps();
test.after.always(() => owner.end());

/** A primary and its replica, with a way that leads to the primary. */
async function startPair(): Promise<{ old: OwnServer; next: OwnServer; gateway: Gateway }> {
  const [old, next] = await Promise.all(
    [1, 2].map((id) =>
      startMariaDb(owner, [`--server-id=${id}`, '--log-bin', '--log-slave-updates', '--binlog-format=ROW']),
    ),
  );
  if (old === undefined || next === undefined) throw new Error('two servers were to be started');
  await next.root.run('SET GLOBAL read_only = 1');
  await next.root.run(
    `CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${old.port}, MASTER_USER = 'root',
       MASTER_USE_GTID = slave_pos`,
  );
  await next.root.run('START SLAVE');
  const gateway = await startGateway(await addPlainUser(old));
  owner.teardown(() => gateway.close());
  return { old, next, gateway };
}

/** A switch as it is planned: the old server takes no writes any more and keeps its connections. */
async function promote(old: OwnServer, next: OwnServer): Promise<void> {
  const [row] = await old.root.select('SELECT @@GLOBAL.gtid_binlog_pos AS position');
  await next.root.select('SELECT MASTER_GTID_WAIT(?, 30)', [String(row?.position)]);
  await next.root.run('STOP SLAVE');
  await next.root.run('SET GLOBAL read_only = 0');
}

withMariaDb(
  'a primary that is made read-only and keeps its connections is left within seconds, and nothing is lost or doubled',
  async (t) => {
    t.timeout(patient(180_000));
    const { old, next, gateway } = await startPair();
    const temporalAddress = process.env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233';
    const stack = await startStack({ engines: { databaseUrl: gateway.url, temporalAddress } });
    owner.teardown(() => stack.close());
    const [api, worker] = await Promise.all([
      startApiProcess(owner, stack),
      startWorkerProcess(owner, stack),
    ]);
    const ready = async () => {
      const response = await fetch(`${api.url}/health/ready`);
      return { status: response.status, body: await response.text() };
    };
    const load = new Load([api.url], stack.account).start(t, CLIENTS);
    await eventually(() => load.remembered.length >= 4 * CLIENTS, 'the load to be under way');

    await old.root.run('SET GLOBAL read_only = 1');
    const unready = await eventually(async () => {
      const answer = await ready();
      return answer.status === 503 && answer;
    }, 'the API to say that it is not ready');
    const administrator = await runAdmin(['accounts', 'disable', String(stack.account.id)], stack.env);
    await promote(old, next);
    gateway.leadTo(next.port);
    const startedAt = Date.now();
    const before = load.remembered.length;
    await eventually(() => load.remembered.length > before + 2 * CLIENTS, 'creations on the new primary');
    const backMs = Date.now() - startedAt;
    await eventually(async () => (await ready()).status === 200, 'the API to be ready again');
    await load.stop();
    // A read over a connection that was kept would not find what the new primary has.
    const newest = load.remembered.slice(before).map(({ text }) => JSON.parse(text).data.uuid);
    const found = await Promise.all(newest.map((uuid) => api.client.get(`/shipments/${uuid}`)));
    // The test's own connections lead to the old server as well, and it writes nothing that would tell them.
    await stack.db.ping().catch(() => undefined);

    t.regex(unready.body, /read-only/);
    t.is(administrator.err, 'admin: MySQL at DATABASE_URL is read-only.\n');
    t.true(backMs < patient(BACK_WITHIN_MS), `${backMs} ms`);
    t.true(api.process.isRunning && worker.isRunning);
    t.deepEqual(load.unexpected, []);
    t.deepEqual(
      found.filter(({ status }) => status !== 200).map(({ status, text }) => `${status} ${text}`),
      [],
    );
    t.deepEqual(await violations(stack, api.client, load.remembered), [], worker.log);
    t.log(`${load.summary}; creations again after ${backMs} ms`);
  },
);
