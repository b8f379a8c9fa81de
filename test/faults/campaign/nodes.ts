import type { Owner } from '../../support/clean-ups.js';
import { makeOtherBuild } from '../../support/other-build.js';
import {
  type OwnEngines,
  startApiProcess,
  TestProcess,
  temporaryFolder,
  workerOfBuild,
  workerSpec,
} from '../../support/processes.js';
import type { TestStack } from '../../support/stack.js';
import { startTcpLink, type TcpLink } from '../../support/tcp-link.js';

/** Builds of the workers: neither replays the creations of the other. */
export const BUILDS = { old: 'old', next: 'next' } as const;

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

/** Two of each and a worker of the next build, whose ways can be cut one by one. */
export async function startNodes(owner: Owner, stack: TestStack, engines: OwnEngines): Promise<Node[]> {
  const starts = ['API', 'API', BUILDS.old, BUILDS.old, BUILDS.next] as const;
  return await Promise.all(starts.map((what) => startNode(owner, { what, stack, engines })));
}

async function startNode(
  owner: Owner,
  { what, stack, engines }: { what: 'API' | keyof typeof BUILDS; stack: TestStack; engines: OwnEngines },
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
  if (what === 'API') {
    const { process, url } = await startApiProcess(owner, stack, env);
    return { kind: 'API', process, url, links, isStruck: false };
  }
  const settings = { ...env, WORKER_BUILD_ID: BUILDS[what] };
  const spec =
    what === 'old'
      ? await workerSpec(owner, stack, settings)
      : await workerOfBuild(owner, stack, makeOtherBuild(temporaryFolder(owner)), settings);
  const process = await new TestProcess(owner, spec).start();
  return { kind: 'worker', process, url: '', links, isStruck: false };
}
