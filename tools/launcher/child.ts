import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SetupError } from './progress.js';
import { until } from './run.js';

/** How to start a long-running process and check its health. */
export interface ProcessSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly logFile: string;
  healthy(): Promise<boolean>;
  /** A running process that is unhealthy for this long is killed and restarted. */
  readonly hungAfterMs?: number;
  readonly startTimeoutMs: number;
  /** From SIGTERM to SIGKILL. */
  readonly stopTimeoutMs: number;
}

/** Whether the process is still running. */
export function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/**
 * Starts the process in its own group, so that Ctrl-C reaches only the launcher, which stops processes in
 * order. Appends output to the log file.
 */
export function spawnSpec(spec: ProcessSpec): ChildProcess {
  mkdirSync(dirname(spec.logFile), { recursive: true });
  const log = openSync(spec.logFile, 'a', 0o600);
  const child = spawn(spec.command, spec.args, {
    detached: true,
    env: { ...process.env, ...spec.env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.on('error', () => undefined);
  return child;
}

/** Waits until the process is healthy. @throws SetupError with the end of its log when it dies or times out */
export async function awaitHealthy(spec: ProcessSpec, child: ChildProcess): Promise<void> {
  let dead = false;
  const up = await until(async () => {
    dead = !isRunning(child);
    return dead || (await spec.healthy());
  }, spec.startTimeoutMs);
  if (up && !dead) return;
  const why = dead ? 'ended while starting' : `was not ready within ${spec.startTimeoutMs / 1000} s`;
  const log = readFileSync(spec.logFile, 'utf8').trim().slice(-2000);
  throw new SetupError(`${spec.name} ${why}; the end of ${spec.logFile}:\n${log}`);
}

/** Sends SIGTERM, after `graceMs` SIGKILL; resolves when the process is gone. */
export async function stopChild(child: ChildProcess, graceMs: number): Promise<void> {
  if (!isRunning(child)) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = new AbortController();
  const late = delay(graceMs, undefined, { signal: timer.signal }).then(
    () => child.kill('SIGKILL'),
    () => undefined,
  );
  await gone;
  timer.abort();
  await late;
}
