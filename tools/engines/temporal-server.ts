import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../launcher/paths.js';
import { SetupError, say } from '../launcher/progress.js';
import { run, which } from '../launcher/run.js';
import { inOwnFolder } from './pypi.js';

/** The newest that Go 1.26.8 builds. */
const VERSION = '1.32.1';
const MODULE = 'go.temporal.io/server/cmd';
const BUILT_WITHIN_MS = 3_600_000;

/** Programs of a production server: the services, and what writes their schemas. */
export interface TemporalServer {
  readonly server: string;
  readonly sql: string;
}

/** The programs of the cache, which Go builds into it once. @throws SetupError with instructions */
export async function findTemporalServer(): Promise<TemporalServer> {
  const folder = join(cacheFolder, `temporal-server-${VERSION}`);
  if (!existsSync(folder)) await build(folder);
  return { server: join(folder, 'server'), sql: join(folder, 'sql') };
}

async function build(target: string): Promise<void> {
  const go = which('go');
  if (go === null) throw new SetupError('Go 1.26.8 or later builds the Temporal server: put go on PATH.');
  say(`… building the Temporal server ${VERSION} with Go: up to a quarter of an hour, once for this user`);
  await inOwnFolder(target, async (folder) => {
    const programs = join(folder, 'programs');
    mkdirSync(programs);
    const env = { GOFLAGS: '', GOWORK: 'off', GOTOOLCHAIN: 'auto', GOBIN: programs };
    const args = ['install', `${MODULE}/server@v${VERSION}`, `${MODULE}/tools/sql@v${VERSION}`];
    const built = await run(go, args, { env, timeoutMs: BUILT_WITHIN_MS });
    if (built.code !== 0) throw new SetupError(`Go could not: ${built.output.trim().slice(-1000)}`);
    renameSync(programs, target);
    return true;
  });
}
