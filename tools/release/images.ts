import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, runOrFail, which } from '../launcher/run.js';

const TARGETS = ['api', 'worker', 'documents', 'migrate'] as const;

/** An image of a release, as a deployment pins it. */
export interface BuiltImage {
  name: string;
  /** `sha256:…`; of the pushed manifest where it was pushed. */
  digest: string;
}

/** Docker with buildx and a daemon that answers; null where there is none. */
export async function findBuilder(): Promise<string | null> {
  const docker = which('docker');
  if (docker === null) return null;
  const answers = await Promise.all([
    run(docker, ['buildx', 'version'], { timeoutMs: 30_000 }),
    run(docker, ['info'], { timeoutMs: 30_000 }),
  ]);
  return answers.every(({ code }) => code === 0) ? docker : null;
}

/**
 * Builds the images, one a process, and pushes them where `registry` names a place: `registry.example.com/parcelworks`
 * makes `registry.example.com/parcelworks-api:0.2.0`. @throws SetupError
 */
export async function buildImages(
  builder: string,
  { folder, version, registry }: { folder: string; version: string; registry: string | undefined },
): Promise<BuiltImage[]> {
  const temporary = mkdtempSync(join(tmpdir(), 'parcelworks-images-'));
  try {
    const images: BuiltImage[] = [];
    for (const target of TARGETS) {
      const name = `${registry ?? 'parcelworks'}-${target}:${version}`;
      const metadata = join(temporary, `${target}.json`);
      const output = registry === undefined ? '--load' : '--push';
      const args = ['buildx', 'build', '-f', 'docker/Dockerfile', '--target', target, '--tag', name];
      await runOrFail(name, builder, [...args, '--metadata-file', metadata, output, '.'], { cwd: folder });
      images.push({ name, digest: digestIn(readFileSync(metadata, 'utf8')) });
    }
    return images;
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

function digestIn(metadata: string): string {
  const parsed: unknown = JSON.parse(metadata);
  const digest: unknown = Object.entries(parsed ?? {}).find(([key]) => key === 'containerimage.digest')?.[1];
  return String(digest);
}
