import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workflowBundlePath } from '../../src/main/workflow-bundle.js';
import { findMysql, mysqlSpec, mysqlUrl } from '../../tools/engines/mysql.js';
import { findTemporalCli, temporalSpec } from '../../tools/engines/temporal.js';
import {
  awaitHealthy,
  isRunning,
  type ProcessSpec,
  spawnSpec,
  stopChild,
} from '../../tools/launcher/child.js';
import { cacheFolder, distFolder } from '../../tools/launcher/paths.js';
import { freePort } from '../../tools/launcher/ports.js';
import { run } from '../../tools/launcher/run.js';
import { ApiClient } from './api-client.js';
import type { Owner } from './clean-ups.js';
import { enginesOfApi } from './engine-access.js';
import { patient } from './patience.js';
import { startStack, type TestStack } from './stack.js';

/** Built once for all processes. */
let bundled: Promise<string> | undefined;
const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** A process under test that can be killed and restarted; ends with its owner. */
export class TestProcess {
  readonly #spec: ProcessSpec;
  readonly #killer: (() => Promise<unknown>) | undefined;
  #child: ChildProcess | undefined;

  /** `killer`: kills what the child only represents, such as a container. */
  constructor(owner: Owner, spec: ProcessSpec, killer?: () => Promise<unknown>) {
    this.#spec = spec;
    this.#killer = killer;
    owner.teardown(() => this.kill9());
  }

  get name(): string {
    return this.#spec.name;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && isRunning(this.#child);
  }

  get logFile(): string {
    return this.#spec.logFile;
  }

  /** The end of its log, for failure messages. */
  get log(): string {
    return existsSync(this.#spec.logFile) ? readFileSync(this.#spec.logFile, 'utf8').slice(-4000) : '';
  }

  /** Starts or restarts it and waits until it is healthy. */
  async start(): Promise<this> {
    const child = spawnSpec(this.#spec);
    this.#child = child;
    alive.add(child);
    child.once('exit', () => alive.delete(child));
    await awaitHealthy(this.#spec, child);
    return this;
  }

  /** Sends SIGKILL; resolves when the process is gone. */
  async kill9(): Promise<void> {
    const child = this.#child;
    if (child === undefined || !isRunning(child)) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    if (this.#killer !== undefined) await this.#killer();
    child.kill('SIGKILL');
    await gone;
  }

  /** Sends SIGTERM; resolves with the exit code, or null when it had to be killed. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    if (child === undefined) return null;
    await stopChild(child, this.#spec.stopTimeoutMs);
    return child.exitCode;
  }
}

/** An API process and a client for it. */
export interface ApiProcess {
  process: TestProcess;
  url: string;
  client: ApiClient;
}

/** Starts `src/main/api.ts` on a free port, which a restart keeps. `flags`: Node's, by default those of the test. */
export async function startApiProcess(
  owner: Owner,
  stack: TestStack,
  env: Record<string, string> = {},
  flags: readonly string[] = FLAGS,
): Promise<ApiProcess> {
  const port = await anyPort();
  const url = `http://127.0.0.1:${port}`;
  const engines = enginesOfApi(stack.env.DATABASE_URL);
  const settings = { ...stack.env, LOG_LEVEL: 'warn', PORT: String(port), BASE_URL: url, ...engines, ...env };
  const spec = entrySpec(owner, 'api', settings, () => isOk(`${url}/health/ready`), flags);
  const started = await new TestProcess(owner, spec).start();
  return { process: started, url, client: new ApiClient(url, stack.account) };
}

/** Starts `src/main/api.ts` on a free port and waits until it lives, ready or not. */
export async function startLiveApi(
  owner: Owner,
  env: Record<string, string>,
): Promise<Pick<ApiProcess, 'process' | 'url'>> {
  const port = String(await anyPort());
  const url = `http://127.0.0.1:${port}`;
  const spec = entrySpec(owner, 'api', { ...env, PORT: port, BASE_URL: url }, () =>
    isOk(`${url}/health/live`),
  );
  return { process: await new TestProcess(owner, spec).start(), url };
}

/** Starts `src/main/worker.ts` for the stack and waits until it polls. */
export async function startWorkerProcess(
  owner: Owner,
  stack: TestStack,
  env: Record<string, string> = {},
): Promise<TestProcess> {
  return await new TestProcess(owner, await workerSpec(owner, stack, env)).start();
}

/** A stack with an API and a worker in processes, each of which may be killed. */
export async function startOwnService(owner: Owner): Promise<{ stack: TestStack; api: ApiProcess }> {
  const stack = await startStack();
  owner.teardown(() => stack.close());
  const api = await startApiProcess(owner, stack);
  await startWorkerProcess(owner, stack);
  return { stack, api };
}

/** How to start `src/main/worker.ts` for the stack; healthy once it polls. */
export async function workerSpec(
  owner: Owner,
  stack: TestStack,
  env: Record<string, string> = {},
): Promise<ProcessSpec> {
  bundled ??= workflowBundlePath(stack.config);
  await bundled;
  return await workerOfBuild(owner, stack, distFolder, env);
}

/** The same of the build in a folder, whose workflows it bundles where they are not. */
export async function workerOfBuild(
  owner: Owner,
  stack: TestStack,
  build: string,
  env: Record<string, string>,
): Promise<ProcessSpec> {
  const port = await anyPort();
  const settings = { ...stack.env, LOG_LEVEL: 'warn', WORKER_HEALTH_PORT: String(port), ...env };
  const spec = entrySpec(owner, 'worker', settings, () => isOk(`http://127.0.0.1:${port}/`));
  return { ...spec, args: [...FLAGS, join(build, 'src/main/worker.js')] };
}

/** MySQL and Temporal for one test, with data that survive a kill. */
export interface OwnEngines {
  mysql: TestProcess;
  temporal: TestProcess;
  databaseUrl: string;
  temporalAddress: string;
  /** Where they store. */
  folder: string;
}

/** Starts both engines in a temporary folder, removed with the owner. */
export async function startOwnEngines(owner: Owner): Promise<OwnEngines> {
  const folder = temporaryFolder(owner);
  const [install, port] = await Promise.all([findMysql(), anyPort()]);
  const mysql = await mysqlSpec(install, {
    folder: join(folder, 'mysql'),
    port,
    logFile: join(folder, 'mysql.log'),
    disposable: false,
  });
  const killContainer =
    install.kind === 'docker'
      ? () => run(install.docker, ['kill', '-s', 'KILL', `parcelworks-mysql-${port}`])
      : undefined;
  const [one, two] = await Promise.all([
    new TestProcess(owner, mysql, killContainer).start(),
    startOwnTemporal(owner, folder),
  ]);
  return { mysql: one, databaseUrl: mysqlUrl(port, 'parcelworks'), folder, ...two };
}

/** Starts a Temporal with its data in the folder. `settings`: additional dynamic configuration. */
export async function startOwnTemporal(
  owner: Owner,
  folder: string,
  settings: readonly string[] = [],
): Promise<Pick<OwnEngines, 'temporal' | 'temporalAddress'>> {
  const [cli, port] = await Promise.all([findTemporalCli(), anyPort()]);
  const spec = temporalSpec(cli, {
    port,
    uiPort: null,
    databaseFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    manyNamespaces: true,
    settings,
  });
  return {
    temporal: await new TestProcess(owner, spec).start(),
    temporalAddress: `127.0.0.1:${port}`,
  };
}

/** The test process's flags without the runner's source maps, which slow every module. */
const FLAGS = process.execArgv.filter((flag) => flag !== '--enable-source-maps');

/** How to start `src/main/<entry>.ts` with exactly this environment. */
export function entrySpec(
  owner: Owner,
  entry: 'api' | 'worker',
  env: Record<string, string>,
  healthy: () => Promise<boolean>,
  flags: readonly string[] = FLAGS,
): ProcessSpec {
  return {
    name: entry,
    command: process.execPath,
    args: [...flags, fileURLToPath(new URL(`../../src/main/${entry}.js`, import.meta.url))],
    env,
    logFile: join(temporaryFolder(owner), `${entry}.log`),
    healthy,
    startTimeoutMs: patient(60_000),
    stopTimeoutMs: patient(60_000),
  };
}

/** An empty folder, removed with its owner. */
export function temporaryFolder(owner: Owner): string {
  const folder = mkdtempSync(join(tmpdir(), 'parcelworks-test-'));
  owner.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * A free port away from the launcher's, reserved until the test file ends: another file could take it before
 * the process listens, and its process would look healthy to this test.
 */
export async function anyPort(): Promise<number> {
  mkdirSync(CLAIMS, { recursive: true });
  for (;;) {
    const port = await freePort(randomInt(20_000, 29_000));
    if (claim(join(CLAIMS, `port-${port}`))) return port;
  }
}

/** Shared by all runs on the machine, whose temporary folders differ. */
const CLAIMS = join(cacheFolder, 'claims');
const CLAIM_ENDS_AFTER_MS = 3_600_000;
const claims: string[] = [];
process.on('exit', () => {
  for (const path of claims) rmSync(path, { force: true });
});

/** Whether the file is new, or its maker was killed long ago. */
function claim(path: string): boolean {
  const madeAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (Date.now() - madeAt > CLAIM_ENDS_AFTER_MS) rmSync(path, { force: true });
  try {
    writeFileSync(path, '', { flag: 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  claims.push(path);
  return true;
}

async function isOk(url: string): Promise<boolean> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.ok;
}
