import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { cacheFolder } from '../../tools/launcher/paths.js';
import { run } from '../../tools/launcher/run.js';

/** A program of others, by its package and version. It has hundreds of packages, so it is no dependency. */
export interface OutsideProgram {
  packed: string;
  /** Below `node_modules`. */
  script: string;
}

/** The program's script; installed once for all clones. Null where the registry cannot be reached, which CI can. */
export async function installed(
  t: ExecutionContext,
  { packed, script }: OutsideProgram,
): Promise<string | null> {
  const folder = join(cacheFolder, packed.replace('/', '+'));
  const path = join(folder, 'node_modules', script);
  if (existsSync(path)) return path;
  const made = `${folder}-${process.pid}`;
  await mkdir(made, { recursive: true });
  await writeFile(join(made, 'package.json'), '{"private":true}');
  const options = { cwd: made, timeoutMs: 240_000 };
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', packed];
  const { code } = await run('npm', args, options);
  if (code === 0) await rename(made, folder).catch(() => rm(made, { recursive: true }));
  else await rm(made, { recursive: true });
  if (existsSync(path)) return path;
  t.log(`${packed} cannot be installed here`);
  t.true(process.env.CI === undefined, 'CI reaches the registry');
  return null;
}
