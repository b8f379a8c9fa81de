import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the compiled files that this process runs from. */
export const distFolder = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** The repository. */
export const projectFolder = resolve(distFolder, '..');

/** State of the local system: engines' data, logs, settings. Not in git. */
export const devFolder = join(projectFolder, '.dev');

/** Per-user cache of engines that take long to get, shared by all clones. */
export const cacheFolder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'parcelworks');

/** A command of an installed package, as a script for `node`. */
export function packageScript(packageName: string, script: string): string {
  return join(projectFolder, 'node_modules', packageName, script);
}
