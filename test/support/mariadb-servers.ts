import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/db/database.js';
import { findMysql, mysqlSpec, mysqlUrl } from '../../tools/engines/mysql.js';
import type { Owner } from './clean-ups.js';
import { anyPort, TestProcess, temporaryFolder } from './processes.js';

/** A server that a test has for itself. */
export interface OwnServer {
  process: TestProcess;
  port: number;
  /** As root, who may do everything. */
  root: Database;
}

/** Who may use databases of tests, and is as little above other rules as the user of an installation. */
const PLAIN_USER = 'plain';

/** The server's program, where it is MariaDB; null elsewhere. */
export async function findMariaDb() {
  const install = await findMysql();
  return install.kind === 'binary' && install.isMariaDb ? install : null;
}

/** Starts a MariaDB that ends with its owner. `args`: beside those of all tests' servers. */
export async function startMariaDb(owner: Owner, args: readonly string[]): Promise<OwnServer> {
  const install = await findMariaDb();
  if (install === null) throw new Error('MariaDB is not installed');
  const folder = temporaryFolder(owner);
  const port = await anyPort();
  const logFile = join(folder, 'mysql.log');
  const spec = await mysqlSpec(install, { folder, port, logFile, disposable: true });
  const process = await new TestProcess(owner, { ...spec, args: [...spec.args, ...args] }).start();
  const root = openDatabase({ url: mysqlUrl(port, 'mysql'), poolSize: 2 });
  owner.teardown(() => root.close());
  return { process, port, root };
}

/** Makes {@link PLAIN_USER}, and returns the server's address for it. */
export async function addPlainUser({ root, port }: OwnServer): Promise<string> {
  await root.run(`CREATE USER ${PLAIN_USER}@'%'`);
  await root.run(`GRANT ALL ON \`test\\_%\`.* TO ${PLAIN_USER}@'%'`);
  return `mysql://${PLAIN_USER}@127.0.0.1:${port}/parcelworks`;
}
