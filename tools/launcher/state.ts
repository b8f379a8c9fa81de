import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Secret } from 'otpauth';
import { randomToken } from '../../src/lib/secrets.js';
import { devFolder, projectFolder } from './paths.js';
import { say } from './progress.js';
import { run, until } from './run.js';

const PRIVATE = 0o600;
const STATE = 'state.json';
const SECRETS = 'secrets.json';

/** Reads a JSON object from `.dev`; empty when missing or broken. */
export function readDevJson(name: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(join(devFolder, name), 'utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Writes a file in `.dev` atomically, readable only by its owner. */
export function writeDevFile(name: string, text: string): void {
  mkdirSync(devFolder, { recursive: true, mode: 0o700 });
  const path = join(devFolder, name);
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, text, { mode: PRIVATE });
  renameSync(temporary, path);
}

export function writeDevJson(name: string, value: object): void {
  writeDevFile(name, `${JSON.stringify(value, null, 2)}\n`);
}

/** The demo's means to sign in to the panel: a password, and the secret of an authenticator app. */
export interface PanelProofs {
  readonly password: string;
  /** In base 32. */
  readonly totpSecret: string;
}

/** Secrets that survive restarts, because the database depends on them. */
export interface DevSecrets {
  readonly appKey: string;
  /** `TEMPORAL_PAYLOAD_KEY`. */
  readonly payloadKey: string;
  /** `TEMPORAL_PAYLOAD_CLEAR`: `accept` where an earlier version's runs are in clear. */
  readonly payloadClear: string;
  /** The token of the codec endpoint: in its path, because the development server's UI sends no token. */
  readonly codecToken: string;
  readonly first: { readonly clientId: string; readonly clientSecret: string };
  readonly second: { readonly clientId: string; readonly clientSecret: string };
  readonly third: { readonly clientId: string; readonly clientSecret: string };
  /** Secret of the recipient app. */
  readonly appSecret: string;
  /** Tokens of API v1, issued by the database; empty at first. */
  readonly userToken: string;
  readonly recipientToken: string;
  /** Of the panel's users. */
  readonly panel: PanelProofs;
}

function credentials(value: unknown): DevSecrets['first'] {
  if (typeof value === 'object' && value !== null && 'clientId' in value && 'clientSecret' in value) {
    return { clientId: String(value.clientId), clientSecret: String(value.clientSecret) };
  }
  return { clientId: randomToken('ci_', 12), clientSecret: randomToken('sk_') };
}

function proofs(value: unknown): PanelProofs {
  if (typeof value === 'object' && value !== null && 'password' in value && 'totpSecret' in value) {
    return { password: String(value.password), totpSecret: String(value.totpSecret) };
  }
  return { password: randomToken('demo-', 9), totpSecret: new Secret({ size: 20 }).base32 };
}

export function keepSecrets(secrets: DevSecrets): void {
  writeDevJson(SECRETS, secrets);
}

/** The stored secrets, created on the first call. `APP_KEY` of the environment takes precedence. */
export function devSecrets(): DevSecrets {
  const kept = readDevJson(SECRETS);
  const text = (name: string): string | undefined => {
    const value = kept[name];
    return typeof value === 'string' ? value : undefined;
  };
  const isOlder = text('appKey') !== undefined && text('payloadKey') === undefined;
  const secrets = {
    appKey: process.env['APP_KEY'] ?? text('appKey') ?? randomBytes(32).toString('base64'),
    payloadKey: text('payloadKey') ?? `demo:${randomBytes(32).toString('base64')}`,
    payloadClear: text('payloadClear') ?? (isOlder ? 'accept' : 'refuse'),
    codecToken: text('codecToken') ?? randomBytes(32).toString('hex'),
    first: credentials(kept.first),
    second: credentials(kept.second),
    third: credentials(kept.third),
    appSecret: text('appSecret') ?? randomToken('as_'),
    userToken: text('userToken') ?? '',
    recipientToken: text('recipientToken') ?? '',
    panel: proofs(kept.panel),
  };
  keepSecrets(secrets);
  return secrets;
}

/** Command line and start time of a process, because pids are reused. Null when there is none. */
async function identity(pid: number): Promise<{ command: string; started: string } | null> {
  const proc = `/proc/${pid}`;
  if (existsSync(`${proc}/stat`)) {
    try {
      const command = readFileSync(`${proc}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const afterName = readFileSync(`${proc}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      const [state = 'Z'] = afterName;
      return state === 'Z' ? null : { command, started: afterName[19] ?? '' };
    } catch {
      return null;
    }
  }
  const ask = async (field: string): Promise<string | null> => {
    const { code, output } = await run('ps', ['-ww', '-o', `${field}=`, '-p', String(pid)]);
    return code === 0 ? output.trim() : null;
  };
  const [command, started] = [await ask('command'), await ask('lstart')];
  return command === null || started === null ? null : { command, started };
}

let ownStart = '';

/** Records this process's start; call once before {@link writeState}. */
export async function becomeSupervisor(): Promise<void> {
  ownStart = (await identity(process.pid))?.started ?? '';
}

/** Records the running processes for `npm run stop` and the next start. */
export function writeState(pids: readonly number[]): void {
  writeDevJson(STATE, { supervisor: process.pid, started: ownStart, pids });
}

/** Deletes the record, once all are stopped. */
export function clearState(): void {
  for (const name of [STATE, 'demo.json']) rmSync(join(devFolder, name), { force: true });
}

/** Whether the process belongs to this repository. */
async function isOurs(pid: number): Promise<boolean> {
  return (await identity(pid))?.command.includes(projectFolder) ?? false;
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended.
  }
}

/** Pid of the running supervisor, or null. */
export async function runningSupervisor(): Promise<number | null> {
  const { supervisor, started } = readDevJson(STATE);
  if (typeof supervisor !== 'number') return null;
  return (await identity(supervisor))?.started === started ? supervisor : null;
}

async function end(pid: number, graceMs: number): Promise<void> {
  const before = await identity(pid);
  if (before === null) return;
  const gone = async (): Promise<boolean> => (await identity(pid))?.started !== before.started;
  signal(pid, 'SIGTERM');
  if (await until(gone, graceMs)) return;
  signal(pid, 'SIGKILL');
  await until(gone, 5000);
}

/** Stops an earlier start's supervisor and remaining processes. Returns whether any ran. */
export async function stopEarlier(): Promise<boolean> {
  if (!existsSync(join(devFolder, STATE))) return false;
  const { pids } = readDevJson(STATE);
  const supervisor = await runningSupervisor();
  if (supervisor !== null) await end(supervisor, 90_000);
  const listed = Array.isArray(pids) ? pids : [];
  const left = listed.filter((pid) => typeof pid === 'number');
  let ended = supervisor !== null;
  for (const pid of left.toReversed()) {
    if (!(await isOurs(pid))) continue;
    say(`… ending process ${pid} of an earlier start`);
    await end(pid, 15_000);
    ended = true;
  }
  clearState();
  return ended;
}
