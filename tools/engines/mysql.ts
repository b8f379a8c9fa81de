import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import type { ProcessSpec } from '../launcher/child.js';
import { SetupError, say } from '../launcher/progress.js';
import { aptInstall, canUseApt, run, runOrFail, which } from '../launcher/run.js';

/** A MySQL server program, or Docker to run one. */
export type MysqlInstall =
  | { readonly kind: 'binary'; readonly mysqld: string; readonly isMariaDb: boolean }
  | { readonly kind: 'docker'; readonly docker: string };

const DOCKER_IMAGE = 'mysql:8.4';
const HOW = `MySQL is missing. One of these helps:
  - set DATABASE_URL=mysql://user:password@host:port/database to a MySQL 8 or MariaDB 10.6+ of yours
  - install MariaDB or MySQL, so that mariadbd or mysqld is on PATH (Debian: apt install mariadb-server; macOS: brew install mariadb)
  - start Docker, so that "docker info" works`;

async function binary(): Promise<MysqlInstall | null> {
  const mysqld = process.env['MYSQLD'] ?? which('mariadbd', 'mysqld');
  if (mysqld === null) return null;
  const version = await run(mysqld, ['--no-defaults', '--version']);
  if (version.code !== 0) return null;
  const isMariaDb = version.output.includes('MariaDB');
  if (isMariaDb && which('mariadb-install-db', 'mysql_install_db') === null) return null;
  return { kind: 'binary', mysqld, isMariaDb };
}

/** Finds a server: PATH, Debian's package, Docker. @throws SetupError with instructions */
export async function findMysql(): Promise<MysqlInstall> {
  const found = await binary();
  if (found !== null) return found;
  // Only the core packages: the complete one would start a system-wide server.
  if (canUseApt() && (await aptInstall(['mariadb-server-core', 'mariadb-client-core']))) {
    const installed = await binary();
    if (installed !== null) return installed;
  }
  const docker = which('docker');
  if (docker !== null && (await run(docker, ['info'], { timeoutMs: 10_000 })).code === 0) {
    say(`… MySQL from Docker (${DOCKER_IMAGE})`);
    return { kind: 'docker', docker };
  }
  throw new SetupError(HOW);
}

/** Options of a private server. */
export interface MysqlOptions {
  /** Data folder, created if missing. */
  readonly folder: string;
  readonly port: number;
  readonly logFile: string;
  /** For tests: commits do not wait for the disk. */
  readonly disposable: boolean;
}

function asRoot(): string[] {
  return process.getuid?.() === 0 ? ['--user=root'] : [];
}

async function createData(install: MysqlInstall & { kind: 'binary' }, data: string): Promise<void> {
  const { isMariaDb, mysqld } = install;
  rmSync(data, { recursive: true, force: true });
  if (!isMariaDb) {
    const args = ['--no-defaults', '--initialize-insecure', `--datadir=${data}`, ...asRoot()];
    await runOrFail('creating the MySQL data folder', mysqld, args);
    return;
  }
  const installer = which('mariadb-install-db', 'mysql_install_db') ?? 'mariadb-install-db';
  const args = ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal'];
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const user = `--user=${userInfo().username}`;
  args.push('--skip-test-db', user, `--tmpdir=${dirname(data)}`);
  await runOrFail('creating the MariaDB data folder', installer, args);
}

function socketPath(options: MysqlOptions): string {
  const inFolder = join(options.folder, 'mysql.sock');
  // Paths of UNIX sockets are limited to 107 bytes.
  return Buffer.byteLength(inFolder) < 100 ? inFolder : join(tmpdir(), `parcelworks-${options.port}.sock`);
}

function serverArgs(
  install: MysqlInstall & { kind: 'binary' },
  options: MysqlOptions,
  data: string,
): string[] {
  const args = ['--no-defaults', ...asRoot(), `--datadir=${data}`, `--socket=${socketPath(options)}`];
  args.push(`--port=${options.port}`, '--bind-address=127.0.0.1', '--max-connections=500');
  // In a shared folder, servers would delete each other's temporary tables.
  args.push(`--tmpdir=${options.folder}`);
  args.push(`--pid-file=${join(options.folder, 'mysql.pid')}`, '--innodb-buffer-pool-size=256M');
  // Without NULL it requires the package's folder for files.
  if (!install.isMariaDb) args.push('--mysqlx=OFF', '--disable-log-bin', '--secure-file-priv=NULL');
  if (options.disposable) args.push('--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=0');
  return args;
}

/** A container that survived `kill -9` would keep the name. */
const DOCKER_SCRIPT = '"$0" rm -f "$1" >/dev/null 2>&1; shift; exec "$0" "$@"';

function dockerArgs(docker: string, options: MysqlOptions, data: string): string[] {
  const name = `parcelworks-mysql-${options.port}`;
  const args = ['-c', DOCKER_SCRIPT, docker, name, 'run', '--rm', '--name', name];
  args.push('-p', `127.0.0.1:${options.port}:3306`, '-e', 'MYSQL_ALLOW_EMPTY_PASSWORD=yes');
  return [...args, '-v', `${data}:/var/lib/mysql`, DOCKER_IMAGE, '--max-connections=500'];
}

async function answers(port: number): Promise<boolean> {
  const connection = await createConnection({ host: '127.0.0.1', port, user: 'root', connectTimeout: 2000 });
  try {
    await connection.query('SELECT 1');
    return true;
  } finally {
    await connection.end();
  }
}

/** Creates the data folder if missing, and returns how to run the server: root without password, on loopback. */
export async function mysqlSpec(install: MysqlInstall, options: MysqlOptions): Promise<ProcessSpec> {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  const data = join(options.folder, install.kind === 'docker' ? 'docker-data' : 'data');
  const complete = existsSync(join(data, 'mysql')) && existsSync(join(data, 'ibdata1'));
  if (install.kind === 'binary' && !complete) await createData(install, data);
  return {
    name: 'mysql',
    command: install.kind === 'docker' ? '/bin/sh' : install.mysqld,
    args:
      install.kind === 'docker'
        ? dockerArgs(install.docker, options, data)
        : serverArgs(install, options, data),
    logFile: options.logFile,
    healthy: () => answers(options.port),
    startTimeoutMs: install.kind === 'docker' ? 300_000 : 60_000,
    stopTimeoutMs: 20_000,
  };
}

/** URL of a database on a private server. */
export function mysqlUrl(port: number, database: string): string {
  return `mysql://root@127.0.0.1:${port}/${database}`;
}
