import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/db/database.js';
import { createDatabaseIfMissing, migrateDatabase } from '../../src/db/migrate.js';
import { databaseOn } from '../../tools/engines/test-schema.js';
import { shipmentBody } from '../support/api-client.js';
import type { Owner } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { startGalera, synced } from '../support/galera.js';
import { type Gateway, startGateway } from '../support/gateway.js';
import { violations } from '../support/invariants.js';
import { addPlainUser, type OwnServer } from '../support/mariadb-servers.js';
import { type ApiProcess, startApiProcess, startWorkerProcess } from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';
import { brokenRules } from './galera-rules.js';
import { Load } from './load.js';

interface Scene {
  stack: TestStack;
  nodes: readonly OwnServer[];
  /** Of the processes at the second node. */
  way: Gateway;
  apis: readonly [ApiProcess, ApiProcess];
}

/** What was asked of a cluster, and what did not hold. */
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
  const scene = { stack, nodes, way, apis };

  const load = new Load(
    apis.map(({ url }) => url),
    stack.account,
  ).start(owner, clients);
  const pairs = new Pairs(scene);
  const until = performance.now() + seconds * 1000;
  const asking = pairs.ask(() => performance.now() < until);
  await delay((seconds * 1000) / 3);
  await killAndBringBack(scene, log);
  await asking;
  await load.stop();
  const found = [
    ...broken,
    ...load.unexpected,
    ...pairs.wrong,
    ...(await ordersTwice(stack)),
    ...(await violations(stack, apis[0].client, load.remembered)),
  ];
  return { answers: load.summary, checks: pairs.summary, violations: found };
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
async function killAndBringBack({ nodes, way }: Scene, log: (line: string) => void): Promise<void> {
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

/** Callers who do at two APIs at once what only one may succeed with, and read at one what the other answered. */
class Pairs {
  readonly wrong: string[] = [];
  readonly #scene: Scene;
  #reads = 0;
  #pairs = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  get summary(): string {
    return `${this.#pairs} orders asked for twice at once, ${this.#reads} reads at the other node`;
  }

  async ask(goesOn: () => boolean): Promise<void> {
    for (let turn = 0; goesOn(); turn += 1) await this.#once(turn);
  }

  async #once(turn: number): Promise<void> {
    const { apis, stack } = this.#scene;
    const body = shipmentBody(stack.account, 'run');
    const clients = turn % 2 === 0 ? apis : ([apis[1], apis[0]] as const);
    for (const round of ['first', 'again']) {
      const answers = await Promise.all(
        clients.map(({ client }, index) =>
          client.create(body, `pair-${turn}-${round}-${index}`).catch(() => undefined),
        ),
      );
      const statuses = answers.map((answer) => answer?.status ?? 503);
      const isKnown = statuses.every((status) => [201, 202, 409, 503].includes(status));
      if (!isKnown || statuses.filter((status) => status === 201).length > 1)
        this.wrong.push(`pair ${turn} ${round}: ${statuses.join(' ')}`);
      this.#pairs += 1;
      const made = answers.find((answer) => answer?.status === 201);
      if (made === undefined) return;
      const { uuid } = made.body.data;
      const reader = answers[0] === made ? clients[1] : clients[0];
      const read = await reader.client.get(`/shipments/${uuid}`).catch(() => undefined);
      this.#reads += 1;
      if (read !== undefined && read.status !== 200 && read.status !== 503)
        this.wrong.push(`read after creation: ${read.status} ${uuid}`);
      const cancelled = await reader.client.post(`/shipments/${uuid}/cancel`, {}).catch(() => undefined);
      if (cancelled?.status !== 200) return;
    }
  }
}

/** Orders that have two live parcels. */
async function ordersTwice(stack: TestStack): Promise<string[]> {
  const rows = await eventually(
    async () =>
      await stack.db
        .select(
          `SELECT order_id, COUNT(*) AS parcels FROM shipments
           WHERE is_active AND state IN ('reserved', 'created') GROUP BY order_id, service_type HAVING COUNT(*) > 1`,
        )
        .catch(() => undefined),
    'the orders to be read',
  );
  return rows.map((row) => `order ${row.order_id} has ${row.parcels} live parcels`);
}

function atPort(url: string, port: number): string {
  const there = new URL(url);
  there.port = String(port);
  return there.href;
}
