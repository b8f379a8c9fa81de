import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { awaitHealthy, type ProcessSpec, spawnSpec, stopChild } from '../launcher/child.js';
import { freePort } from '../launcher/ports.js';
import { SetupError, say, step } from '../launcher/progress.js';
import { findChromium } from './chromium.js';
import { findMysql, type MysqlInstall, mysqlSpec, mysqlUrl } from './mysql.js';
import { findPrometheus, PROMETHEUS_HINT } from './prometheus.js';
import { findTemporalCli, temporalSpec } from './temporal.js';
import type { Needs } from './test-needs.js';
import { writeTestSchema } from './test-schema.js';
import { findTestServer, TEST_SERVER_HINT } from './test-server.js';

/** Engines for one command. */
interface TestEngines {
  /** Environment for the tests. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

interface Started {
  readonly folder: string;
  readonly children: { spec: ProcessSpec; child: ChildProcess }[];
}

async function launch(started: Started, spec: ProcessSpec): Promise<void> {
  const child = spawnSpec(spec);
  started.children.push({ spec, child });
  await awaitHealthy(spec, child);
}

async function startMysql(started: Started): Promise<Record<string, string>> {
  const install = await findMysql();
  const env: Record<string, string> = install.kind === 'binary' ? { MYSQLD: install.mysqld } : {};
  const url = process.env['DATABASE_URL'] ?? (await launchMysql(started, install));
  const schemaFile = join(started.folder, 'schema.sql');
  await writeTestSchema(url, schemaFile);
  return { ...env, DATABASE_URL: url, TEST_SCHEMA_FILE: schemaFile };
}

async function launchMysql(started: Started, install: MysqlInstall): Promise<string> {
  const port = await freePort(13_400);
  const folder = join(started.folder, 'mysql');
  const logFile = join(started.folder, 'mysql.log');
  await step(`MySQL on port ${port}`, async () =>
    launch(started, await mysqlSpec(install, { folder, port, logFile, disposable: true })),
  );
  return mysqlUrl(port, 'parcelworks');
}

async function startTemporal(started: Started): Promise<Record<string, string>> {
  const cli = await findTemporalCli();
  const given = process.env['TEMPORAL_ADDRESS'];
  if (given !== undefined) return { TEMPORAL_CLI: cli, TEMPORAL_ADDRESS: given };
  const port = await freePort(17_400);
  const databaseFile = join(started.folder, 'temporal.db');
  const logFile = join(started.folder, 'temporal.log');
  await step(`Temporal on port ${port}`, () =>
    launch(started, temporalSpec(cli, { port, uiPort: null, databaseFile, logFile, manyNamespaces: true })),
  );
  return { TEMPORAL_CLI: cli, TEMPORAL_ADDRESS: `127.0.0.1:${port}` };
}

async function timeSkipping(): Promise<Record<string, string>> {
  const path = await findTestServer();
  if (path !== null) return { TEMPORAL_TEST_SERVER: path };
  const missing = `the time-skipping Temporal server is not to be had: ${TEST_SERVER_HINT}`;
  if (process.env['CI'] !== undefined) throw new SetupError(missing);
  say(`! ${missing}. Tests that need it are skipped.`);
  return {};
}

async function prometheus(): Promise<Record<string, string>> {
  const found = await findPrometheus();
  if (found !== null) return { PROMTOOL: found.promtool, PROMETHEUS: found.prometheus };
  // The service does not need it, so that its absence is no failure, in CI neither.
  say(`! Prometheus is not to be had: ${PROMETHEUS_HINT}. Tests that need it are skipped.`);
  return {};
}

async function chromium(): Promise<Record<string, string>> {
  const path = await findChromium();
  if (path !== null) return { PUPPETEER_EXECUTABLE_PATH: path };
  throw new SetupError(
    'Chromium is missing: set PUPPETEER_EXECUTABLE_PATH, or install it (Debian: apt install chromium)',
  );
}

async function stopAll(started: Started): Promise<void> {
  await Promise.all(started.children.map(({ spec, child }) => stopChild(child, spec.stopTimeoutMs)));
  rmSync(started.folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Linux's in-memory folder. */
const MEMORY = '/dev/shm';
/** Several times what a whole run writes; containers have 64 MiB by default. */
const ROOM_BYTES = 2 * 1024 ** 3;

/** In memory if there is room: a slow disk makes tests fail. */
function rootFor(inMemory: boolean): string {
  if (!inMemory || process.env['TMPDIR'] !== undefined || !existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir();
}

/** Engines that are started or looked for, and the variables that tell tests where they are. */
const PARTS: readonly {
  readonly variables: readonly string[];
  readonly begin: (started: Started) => Promise<Record<string, string>>;
}[] = [
  { variables: ['DATABASE_URL', 'TEST_SCHEMA_FILE', 'MYSQLD'], begin: startMysql },
  { variables: ['TEMPORAL_ADDRESS', 'TEMPORAL_CLI'], begin: startTemporal },
  { variables: ['TEMPORAL_TEST_SERVER'], begin: timeSkipping },
  { variables: ['PUPPETEER_EXECUTABLE_PATH'], begin: chromium },
  { variables: ['PROMTOOL', 'PROMETHEUS'], begin: prometheus },
];

export interface TestEngineOptions {
  /** Store data and temporary files in memory if there is room; benchmarks need a disk. */
  readonly inMemory?: boolean;
  /** The variables of the environment that are read; by default all. */
  readonly needs?: Needs;
}

/** Starts what is needed of MySQL and Temporal in a temporary folder, unless the environment names running ones. */
async function startTestEngines({
  inMemory = false,
  needs = () => true,
}: TestEngineOptions): Promise<TestEngines> {
  const started: Started = { folder: mkdtempSync(join(rootFor(inMemory), 'parcelworks-')), children: [] };
  const temporary = join(started.folder, 'tmp');
  mkdirSync(temporary);
  const parts = PARTS.filter(({ variables }) => variables.some(needs));
  const outcomes = await Promise.allSettled(parts.map(({ begin }) => begin(started)));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) {
    await stopAll(started);
    throw failure.reason;
  }
  const entries = outcomes.flatMap((outcome) => ('value' in outcome ? Object.entries(outcome.value) : []));
  const env = { ...Object.fromEntries(entries), TMPDIR: temporary };
  return { env, stop: () => stopAll(started) };
}

/** Runs `work` with the engines' environment and stops them afterwards, also on Ctrl-C. */
export async function withTestEngines(
  work: (env: Readonly<Record<string, string>>) => Promise<number>,
  options: TestEngineOptions = {},
): Promise<number> {
  const engines = await startTestEngines(options);
  const interrupted = (): void => {
    void engines.stop().finally(() => process.exit(130));
  };
  process.once('SIGINT', interrupted);
  process.once('SIGTERM', interrupted);
  try {
    return await work(engines.env);
  } finally {
    await engines.stop();
  }
}
