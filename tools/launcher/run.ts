import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isExecutable } from '../../src/documents/browser/find.js';
import { SetupError, say } from './progress.js';

const EXTRA_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/go/bin'];

/** The first of the commands found on PATH or in system folders; null when none is. */
export function which(...names: readonly string[]): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...EXTRA_FOLDERS];
  for (const name of names) {
    for (const folder of folders) {
      const path = join(folder, name);
      if (folder !== '' && isExecutable(path)) return path;
    }
  }
  return null;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The command is killed after this time. */
  readonly timeoutMs?: number;
  /** Shows output on the terminal while running. */
  readonly live?: boolean;
  /** The command's standard input. */
  readonly input?: string;
}

/** Runs a command to its end; one that cannot be started has code -1. */
export function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<{ code: number; output: string }> {
  const outputs = options.live ? (['inherit', 'inherit'] as const) : (['pipe', 'pipe'] as const);
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', ...outputs],
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
    });
    child.stdin?.end(options.input);
    let output = '';
    const take = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.on('error', (error) => resolve({ code: -1, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? -1, output }));
  });
}

/** {@link run}, but throws a SetupError with the end of the output when the command fails. */
export async function runOrFail(
  label: string,
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { code, output } = await run(command, args, options);
  if (code !== 0) throw new SetupError(`${label} failed (${code}):\n${output.trim().slice(-2000)}`);
  return output;
}

let aptQueue: Promise<unknown> = Promise.resolve();

/** Whether {@link aptInstall} can work: Debian's apt, as root. */
export function canUseApt(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && which('apt-get') !== null;
}

/** Other processes, such as tests beside this one, may hold apt's lock. */
const APT_LOCK = ['-o', 'DPkg::Lock::Timeout=300'];

/** Runs apt-get with fresh lists, one call at a time because it holds a lock. Returns whether it worked. */
function apt(what: string, args: readonly string[], cwd?: string): Promise<boolean> {
  const work = aptQueue.then(async () => {
    say(`… ${what} with apt`);
    const options = {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
      timeoutMs: 600_000,
      ...(cwd === undefined ? {} : { cwd }),
    };
    await run('apt-get', [...APT_LOCK, 'update', '-qq'], options);
    const done = await run('apt-get', [...APT_LOCK, ...args], options);
    if (done.code !== 0) say(`  apt could not: ${done.output.trim().slice(-300)}`);
    return done.code === 0;
  });
  aptQueue = work;
  return work;
}

/** Installs Debian packages. Returns whether it worked. */
export function aptInstall(packages: readonly string[]): Promise<boolean> {
  const args = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  return apt(`installing ${packages.join(', ')}`, args);
}

/** Asked by Debian's packages whether they may start services; 101 forbids it. */
const POLICY = '/usr/sbin/policy-rc.d';

/** {@link aptInstall} of a package whose service must neither start nor be enabled. */
export async function aptInstallIdle(name: string): Promise<boolean> {
  const isOurs = !existsSync(POLICY);
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    const done = await aptInstall([name]);
    if (which('systemctl') !== null) await run('systemctl', ['disable', name], { timeoutMs: 30_000 });
    return done;
  } finally {
    if (isOurs) rmSync(POLICY, { force: true });
  }
}

/** Unpacks a Debian package into a new folder without installing it. Returns whether it worked. */
export async function aptUnpack(name: string, folder: string): Promise<boolean> {
  mkdirSync(dirname(folder), { recursive: true });
  const temporary = mkdtempSync(`${folder}-`);
  try {
    if (!(await apt(`fetching ${name}`, ['download', '-qq', name], temporary))) return false;
    const file = readdirSync(temporary).find((each) => each.endsWith('.deb'));
    if (file === undefined) return false;
    const unpacked = join(temporary, 'unpacked');
    if ((await run('dpkg-deb', ['-x', join(temporary, file), unpacked])).code !== 0) return false;
    renameSync(unpacked, folder);
    return true;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Polls `check` every 100 ms; false when time is up. */
export async function until(check: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (await check().catch(() => false)) return true;
    await delay(100);
  }
  return false;
}
