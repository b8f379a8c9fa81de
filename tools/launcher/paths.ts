import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of this process's compiled files. */
export const distFolder = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** The repository. */
export const projectFolder = resolve(distFolder, '..');

/** State of the local system: engine data, logs, settings. Not in git. */
export const devFolder = join(projectFolder, '.dev');

/** Per-user cache of engines, shared by all clones. */
export const cacheFolder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'parcelworks');

/** The script of an installed package's command, for `node`. */
export function packageScript(packageName: string, script: string): string {
  return join(projectFolder, 'node_modules', packageName, script);
}
