import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/db/database.js';
import { mysqlSpec, mysqlUrl } from '../../tools/engines/mysql.js';
import { run, runOrFail, which } from '../../tools/launcher/run.js';
import type { Owner } from './clean-ups.js';
import { eventually } from './conditions.js';
import { findMariaDb, type OwnServer } from './mariadb-servers.js';
import { anyPort, TestProcess, temporaryFolder } from './processes.js';

/** Where Debian's package `galera-4` and others put the library. */
const PROVIDERS = [
  '/usr/lib/galera/libgalera_smm.so',
  '/usr/lib64/galera-4/libgalera_smm.so',
  '/usr/lib/libgalera_smm.so',
];

/** rsync, by which a node gets the rows of another, cannot write where root alone may. */
const IS_ROOT = process.getuid?.() === 0;
const SERVER_USER = 'mysql';

/** Outside the folders of the tests, which only their user may enter. */
function ownFolder(owner: Owner): string {
  if (!IS_ROOT) return temporaryFolder(owner);
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : '/tmp', 'parcelworks-galera-'));
  owner.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Why no cluster can be started here; null where one can. */
export async function whyNoGalera(): Promise<string | null> {
  if ((await findMariaDb()) === null) return 'MariaDB is not installed';
  if (!PROVIDERS.some((path) => existsSync(path))) return 'the package galera-4 is not installed';
  if (which('wsrep_sst_rsync') === null)
    return 'the package mariadb-server, by which a node joins, is not installed';
  if (IS_ROOT && (await run('id', [SERVER_USER])).code !== 0) return `root needs a user ${SERVER_USER}`;
  const tools = ['rsync', 'ss', 'lsof'].filter((tool) => which(tool) === null);
  return tools.length === 0 ? null : `a node needs ${tools.join(' and ')} to join`;
}

/** Nodes of a cluster on loopback, in which each takes writes. */
export async function startGalera(owner: Owner, size: number): Promise<OwnServer[]> {
  const groups = await Promise.all(Array.from({ length: size }, () => anyPort()));
  const nodes: OwnServer[] = [];
  for (const [index, group] of groups.entries()) {
    const node = await startNode(owner, { group, groups, isFirst: index === 0 });
    await synced(node.root);
    nodes.push(node);
  }
  return nodes;
}

/** Resolves when the node has all of the cluster's rows, and takes statements. */
export async function synced(root: Database): Promise<void> {
  await eventually(
    async () => {
      const found = await root.select("SHOW STATUS LIKE 'wsrep_local_state_comment'").catch(() => []);
      return found[0]?.Value === 'Synced';
    },
    'a node of the cluster to be synced',
    60_000,
  );
}

async function startNode(
  owner: Owner,
  { group, groups, isFirst }: { group: number; groups: readonly number[]; isFirst: boolean },
): Promise<OwnServer> {
  const install = await findMariaDb();
  if (install === null) throw new Error('MariaDB is not installed');
  const folder = ownFolder(owner);
  const [port, transfer, increments] = [await anyPort(), await anyPort(), await anyPort()];
  const logFile = join(folder, 'mysql.log');
  const spec = await mysqlSpec(install, { folder, port, logFile, disposable: true });
  if (IS_ROOT) await runOrFail('giving a node its folder', 'chown', ['-R', SERVER_USER, folder]);
  const args = [
    // The first --user counts.
    ...spec.args.map((arg) => (arg === '--user=root' ? `--user=${SERVER_USER}` : arg)),
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--wsrep-on=ON',
    `--wsrep-provider=${PROVIDERS.find((path) => existsSync(path))}`,
    `--wsrep-cluster-address=gcomm://${groups.map((one) => `127.0.0.1:${one}`).join(',')}`,
    `--wsrep-provider-options=base_port=${group};gmcast.listen_addr=tcp://127.0.0.1:${group};ist.recv_addr=127.0.0.1:${increments};gcache.size=64M`,
    `--wsrep-node-address=127.0.0.1:${group}`,
    `--wsrep-node-name=node-${group}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${transfer}`,
  ];
  // Scripts of the server write there too.
  const shared = { ...spec, args, env: { TMPDIR: folder } };
  const node = new TestProcess(owner, { ...shared, startTimeoutMs: 120_000 });
  const first = new TestProcess(owner, { ...shared, args: [...args, '--wsrep-new-cluster'] });
  await (isFirst ? first : node).start();
  const root = openDatabase({ url: mysqlUrl(port, 'mysql'), poolSize: 4 });
  owner.teardown(() => root.close());
  return { process: isFirst ? first : node, port, root };
}
