import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { distFolder } from '../launcher/paths.js';

/** A path to one of our compiled modules: of an import, or of a script or thread that is started. */
const OUR_MODULE = /(['"`])(\.{1,2}\/[^'"`\n]+\.js)\1/g;
const VARIABLE = /process\.env(?:\.([A-Z_]+)|\[)?/g;
/** Outside it, modules read variables only for want of a better default. */
const TESTS = join(distFolder, 'test');

/** Whether a test uses what a name stands for. */
export type Needs = (name: string) => boolean;

/**
 * Which variables of the environment, and which compiled modules (paths below the output folder), test files use, by
 * all that they import. A file that passes its whole environment on may need every variable.
 */
export function needsOf(testFiles: readonly string[]): Needs {
  const modules = closureOf(testFiles.map((file) => resolve(file)));
  const names = new Set<string>();
  let passesAll = false;
  for (const [path, code] of modules) {
    names.add(path.slice(distFolder.length + 1));
    if (!path.startsWith(TESTS)) continue;
    for (const [, name] of code.matchAll(VARIABLE)) {
      if (name === undefined) passesAll = true;
      else names.add(name);
    }
  }
  return (name) => names.has(name) || (passesAll && !name.endsWith('.js'));
}

/** The code of the modules and of all that they name, by path. */
function closureOf(entries: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const open = [...entries];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path) || !existsSync(path)) continue;
    const code = readFileSync(path, 'utf8');
    found.set(path, code);
    for (const [, , named] of code.matchAll(OUR_MODULE))
      if (named !== undefined) open.push(resolve(path, '..', named));
  }
  return found;
}
