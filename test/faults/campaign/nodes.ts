import { ApiClient } from '../../support/api-client.js';
import type { Owner } from '../../support/clean-ups.js';
import {
  type OwnEngines,
  startApiProcess,
  startWorkerProcess,
  type TestProcess,
} from '../../support/processes.js';
import type { TestStack } from '../../support/stack.js';
import { startTcpLink, type TcpLink } from '../../support/tcp-link.js';

/** An API or a worker with its own ways to both engines. */
export interface Node {
  kind: 'API' | 'worker';
  process: TestProcess;
  /** The API's address; empty for a worker. */
  url: string;
  links: Record<'MySQL' | 'engine', TcpLink>;
  /** A fault has it: it is killed, starts, or one of its ways is cut. */
  isStruck: boolean;
}

/** Two of each, whose ways can be cut one by one. */
export async function startNodes(owner: Owner, stack: TestStack, engines: OwnEngines): Promise<Node[]> {
  const kinds = ['API', 'API', 'worker', 'worker'] as const;
  return await Promise.all(kinds.map((kind) => startNode(owner, { kind, stack, engines })));
}

async function startNode(
  owner: Owner,
  { kind, stack, engines }: { kind: Node['kind']; stack: TestStack; engines: OwnEngines },
): Promise<Node> {
  const database = new URL(stack.config.databaseUrl);
  const temporal = new URL(`tcp://${engines.temporalAddress}`);
  const [mysql, engine] = await Promise.all([
    startTcpLink(owner, Number(database.port)),
    startTcpLink(owner, Number(temporal.port)),
  ]);
  database.port = String(mysql.port);
  const env = { DATABASE_URL: String(database), TEMPORAL_ADDRESS: `127.0.0.1:${engine.port}` };
  const links = { MySQL: mysql, engine };
  if (kind === 'worker') {
    return { kind, process: await startWorkerProcess(owner, stack, env), url: '', links, isStruck: false };
  }
  const { process, url } = await startApiProcess(owner, stack, env);
  return { kind, process, url, links, isStruck: false };
}

/** Clients of the APIs among them. */
export function clientsOf(nodes: readonly Node[], { account }: TestStack): ApiClient[] {
  return nodes.filter(({ kind }) => kind === 'API').map(({ url }) => new ApiClient(url, account));
}
