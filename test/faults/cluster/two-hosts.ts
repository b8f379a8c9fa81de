import { SERVER_SETTINGS } from '../../../tools/engines/temporal.js';
import type { Owner } from '../../support/clean-ups.js';
import { startGalera, whyNoGalera } from '../../support/galera.js';
import { type Gateway, startGateway } from '../../support/gateway.js';
import { addPlainUser, type OwnServer, startMariaDb } from '../../support/mariadb-servers.js';
import {
  type ApiProcess,
  startApiProcess,
  startWorkerProcess,
  type TestProcess,
} from '../../support/processes.js';
import { startStack, type TestStack } from '../../support/stack.js';
import { startTcpLink, type TcpLink } from '../../support/tcp-link.js';
import {
  addressOf,
  startTemporalCluster,
  type TemporalCluster,
  type TemporalHost,
} from '../../support/temporal-cluster.js';

/** Temporal on both hosts, and MySQL beside them. */
export interface Engines {
  temporal: TemporalCluster;
  /** Nodes of a Galera cluster, or one MariaDB. */
  nodes: readonly [OwnServer, ...OwnServer[]];
  databaseUrl: string;
}

/** A host: services of Temporal, an API and a worker, and the ways of these two to the engines. */
export interface Host {
  temporal: TemporalHost;
  api: ApiProcess;
  worker: TestProcess;
  database: Gateway;
  engine: TcpLink;
}

/**
 * Starts Temporal on two hosts, and MySQL of `size` nodes. `settings`: Temporal's dynamic configuration beside that of all.
 * @throws Error where there is no Galera for several
 */
export async function startEngines(
  owner: Owner,
  size: number,
  settings: readonly string[] = [],
): Promise<Engines> {
  const why = size === 1 ? null : await whyNoGalera();
  if (why !== null) throw new Error(`a Galera cluster cannot be started: ${why}`);
  const temporal = await startTemporalCluster(owner, [...SERVER_SETTINGS, ...settings]);
  const [first, ...others] = size === 1 ? [await startMariaDb(owner, [])] : await startGalera(owner, size);
  if (first === undefined) throw new Error('a cluster needs a node');
  return { temporal, nodes: [first, ...others], databaseUrl: await addPlainUser(first) };
}

/** A stack on the engines, for as long as its owner; its own connections are to the second host and the first node. */
export async function stackOn(owner: Owner, { temporal, databaseUrl }: Engines): Promise<TestStack> {
  const temporalAddress = addressOf(temporal.hosts[1]);
  const stack = await startStack({ engines: { databaseUrl, temporalAddress }, env: temporal.env });
  owner.teardown(() => stack.close());
  return stack;
}

/** Starts our processes on each host, which lead to its own frontend and to a node of MySQL. */
export async function startHosts(owner: Owner, stack: TestStack, engines: Engines): Promise<[Host, Host]> {
  const [one, other] = engines.temporal.hosts;
  const [first, second = first] = engines.nodes;
  return [
    await startHost(owner, { stack, temporal: one, node: first }),
    await startHost(owner, { stack, temporal: other, node: second }),
  ];
}

async function startHost(
  owner: Owner,
  { stack, temporal, node }: { stack: TestStack; temporal: TemporalHost; node: OwnServer },
): Promise<Host> {
  const own = new URL(stack.config.databaseUrl);
  own.port = String(node.port);
  const database = await startGateway(own.href);
  owner.teardown(() => database.close());
  const engine = await startTcpLink(owner, temporal.frontendPort, temporal.address);
  const env = { DATABASE_URL: database.url, TEMPORAL_ADDRESS: `127.0.0.1:${engine.port}` };
  const [api, worker] = await Promise.all([
    startApiProcess(owner, stack, env),
    startWorkerProcess(owner, stack, env),
  ]);
  return { temporal, api, worker, database, engine };
}

/** All processes of a host. */
export function processesOf({ temporal, api, worker }: Host): readonly TestProcess[] {
  return [...temporal.services, api.process, worker];
}
