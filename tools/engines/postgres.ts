import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import type { ProcessSpec } from '../launcher/child.js';
import { SetupError } from '../launcher/progress.js';
import { aptInstallIdle, canUseApt, runOrFail, which } from '../launcher/run.js';

/** Where Debian puts the programs, a folder for each version. */
const DEBIAN = '/usr/lib/postgresql';
const IS_ROOT = process.getuid?.() === 0;
/** PostgreSQL refuses root. */
const OWNER = 'postgres';

/** The folder of PostgreSQL's programs: PATH, Debian's package as root. @throws SetupError with instructions */
export async function findPostgres(): Promise<string> {
  const found = programs();
  if (found !== null) return found;
  const installed = canUseApt() && (await aptInstallIdle('postgresql')) ? programs() : null;
  if (installed !== null) return installed;
  throw new SetupError(
    'PostgreSQL is missing: put initdb and postgres on PATH (Debian: apt install postgresql).',
  );
}

function programs(): string | null {
  const initdb = which('initdb');
  // Beside a link to it, the other programs need not be.
  if (initdb !== null) return dirname(realpathSync(initdb));
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  const folder = join(DEBIAN, String(Math.max(...versions)), 'bin');
  return existsSync(join(folder, 'initdb')) ? folder : null;
}

/** Creates the data in an existing folder, and returns how to run the server: `postgres` without password, on loopback. */
export async function postgresSpec(
  bin: string,
  { folder, port }: { folder: string; port: number },
): Promise<ProcessSpec> {
  const data = join(folder, 'data');
  if (IS_ROOT) await runOrFail('giving PostgreSQL its folder', 'chown', [OWNER, folder]);
  const create = asOwner(join(bin, 'initdb'), [
    '-D',
    data,
    '-U',
    OWNER,
    '--auth=trust',
    '--no-locale',
    '-E',
    'UTF8',
  ]);
  await runOrFail('creating the PostgreSQL data folder', create.command, create.args);
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'max_connections=300'];
  const options = [...settings, `unix_socket_directories=${folder}`].flatMap((setting) => ['-c', setting]);
  return {
    name: 'postgres',
    ...asOwner(join(bin, 'postgres'), ['-D', data, ...options]),
    logFile: join(folder, 'postgres.log'),
    healthy: () => listens('127.0.0.1', port),
    startTimeoutMs: 60_000,
    stopTimeoutMs: 20_000,
  };
}

function asOwner(program: string, args: readonly string[]): { command: string; args: string[] } {
  if (!IS_ROOT) return { command: program, args: [...args] };
  const become = ['--reuid', OWNER, '--regid', OWNER, '--init-groups', program];
  return { command: 'setpriv', args: [...become, ...args] };
}

/** Whether a server takes connections there. */
export function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => resolve(true));
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false));
  });
}
