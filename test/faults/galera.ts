import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/db/database.js';
import { createDatabaseIfMissing, migrateDatabase } from '../../src/db/migrate.js';
import { ensureSchedules } from '../../src/temporal/schedules.js';
import { databaseOn } from '../../tools/engines/test-schema.js';
import type { Owner } from '../support/clean-ups.js';
import { startGalera, synced } from '../support/galera.js';
import { type Gateway, startGateway } from '../support/gateway.js';
import { violations } from '../support/invariants.js';
import { addPlainUser, type OwnServer } from '../support/mariadb-servers.js';
import { startApiProcess, startWorkerProcess } from '../support/processes.js';
import { startStack } from '../support/stack.js';
import { brokenRules } from './galera-rules.js';
import { Load } from './load.js';
import { TwoNodeCallers } from './two-node-callers.js';

/** Requests of the callers who ask both nodes for the same. */
const AT_ONCE = 8;

interface Cluster {
  nodes: readonly OwnServer[];
  /** Of the processes at the second node. */
  way: Gateway;
}

/** The questions to a cluster, and what did not hold. */
export interface GaleraReport {
  answers: string;
  checks: string;
  violations: string[];
}

/**
 * Rules that two nodes must keep together; then load at both of `nodes`, one of which is killed and comes back, for
 * `seconds`.
 */
export async function runOnGalera(
  owner: Owner,
  {
    nodes: size,
    seconds,
    clients,
    log,
  }: { nodes: number; seconds: number; clients: number; log: (line: string) => void },
): Promise<GaleraReport> {
  const nodes = await startGalera(owner, size);
  const [first, second] = nodes;
  if (first === undefined || second === undefined) throw new Error('a cluster needs two nodes');
  log(`${size} nodes are up`);
  const broken = await rules(owner, first, second);
  log(`rules at two nodes: ${broken.length === 0 ? 'held' : 'BROKEN'}`);
  if (seconds === 0) return { answers: '', checks: '', violations: broken };

  const plainUrl = await addPlainUser(first);
  const temporalAddress = process.env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233';
  const stack = await startStack({
    engines: { databaseUrl: plainUrl, temporalAddress },
    multipleShipment: false,
  });
  owner.teardown(() => stack.close());
  const way = await startGateway(atPort(stack.env.DATABASE_URL ?? '', second.port));
  owner.teardown(() => way.close());
  const atSecond = { DATABASE_URL: way.url };
  const apis = [await startApiProcess(owner, stack), await startApiProcess(owner, stack, atSecond)] as const;
  await Promise.all([startWorkerProcess(owner, stack), startWorkerProcess(owner, stack, atSecond)]);
  log('an API and a worker at each of two nodes are up');
  await ensureSchedules(stack.temporal, { providers: [], pollIntervalSeconds: 60 });

  const load = new Load(
    apis.map(({ url }) => url),
    stack.account,
  ).start(owner, Math.max(1, clients - AT_ONCE));
  const callers = new TwoNodeCallers(stack, [apis[0].client, apis[1].client]);
  const until = performance.now() + seconds * 1000;
  const asking = callers.ask(() => performance.now() < until);
  await delay((seconds * 1000) / 2);
  await killAndBringBack({ nodes, way }, log);
  await asking;
  await load.stop();
  // The callers' reports say why nothing comes to rest.
  const settled = await violations(stack, apis[0].client, load.remembered).catch((error: unknown) => [
    String(error),
  ]);
  const cut = load.statuses.get('cut') ?? 0;
  const found = [
    ...broken,
    ...load.unexpected,
    ...(cut === 0 ? [] : [`${cut} creations without an answer`]),
    ...settled,
    ...(await callers.violations()),
  ];
  return { answers: load.summary, checks: callers.summary, violations: found };
}

async function rules(owner: Owner, first: OwnServer, second: OwnServer): Promise<string[]> {
  const url = (port: number, name: string) => databaseOn(`mysql://root@127.0.0.1:${port}/mysql`, name);
  await createDatabaseIfMissing(url(first.port, 'test_rules'));
  const [one, other] = [first, second].map(({ port }) =>
    openDatabase({ url: url(port, 'test_rules'), poolSize: 5 }),
  );
  if (one === undefined || other === undefined) throw new Error('two nodes were given');
  owner.teardown(() => Promise.all([one.close(), other.close()]));
  await migrateDatabase(one);
  await createDatabaseIfMissing(url(first.port, 'test_empty'));
  return await brokenRules({
    one,
    other,
    emptyUrls: [url(first.port, 'test_empty'), url(second.port, 'test_empty')],
  });
}

/** A balancer leads to the first node meanwhile. */
async function killAndBringBack({ nodes, way }: Cluster, log: (line: string) => void): Promise<void> {
  const [first, second] = nodes;
  if (first === undefined || second === undefined) return;
  await second.process.kill9();
  log('a node is killed');
  await delay(3000);
  way.leadTo(first.port);
  await delay(5000);
  await second.process.start();
  await synced(second.root);
  way.leadTo(second.port);
  log('the node is back');
}

function atPort(url: string, port: number): string {
  const there = new URL(url);
  there.port = String(port);
  return there.href;
}
