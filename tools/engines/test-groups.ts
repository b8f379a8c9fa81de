import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { distFolder, projectFolder } from '../launcher/paths.js';

const TESTS = join(distFolder, 'test');
/** Folders whose files leave nothing behind in their process. */
const FOLDERS =
  /^(admin|api|carriers|config|db|documents|domain|http|lib|outbound|services|temporal|workflows)\//;
/** Files that measure their process. */
const ALONE: ReadonlySet<string> = new Set([
  'documents/pdf-reader.test.js',
  'documents/label-printing.test.js',
  'outbound/guarded-client.test.js',
]);
const GROUP_SIZE = 8;
/** A few files are spread over the two cores. */
const LEAST_GROUPS = 2;

/** Names of test files, below the folder of tests, by who shares a process with whom. */
export function groupsOf(names: readonly string[]): {
  readonly together: readonly string[][];
  readonly alone: readonly string[];
} {
  const shares = (name: string): boolean => FOLDERS.test(name) && !ALONE.has(name);
  const sharing = names.filter(shares);
  const size = Math.min(GROUP_SIZE, Math.ceil(sharing.length / LEAST_GROUPS));
  const together: string[][] = [];
  for (let from = 0; from < sharing.length; from += size) together.push(sharing.slice(from, from + size));
  return { together, alone: names.filter((name) => !shares(name)) };
}

/** Files for ava to run. */
interface Groups {
  readonly files: readonly string[];
  /** Removes what was written for the groups. */
  remove(): void;
}

/**
 * Writes what ava runs in place of these files: one file for those that share a process, which runs them in turn. To read and
 * compile the modules of an API and a worker takes longer than most files' tests.
 */
export function writeGroups(files: readonly string[]): Groups {
  const folder = mkdtempSync(join(TESTS, 'together-'));
  const { together, alone } = groupsOf(files.map((file) => relative(TESTS, resolve(projectFolder, file))));
  const written = together.map((names) => {
    // Not .js: another run would remove it for want of a source.
    const file = join(folder, `${basename(names[0] ?? '', '.test.js')}-and-${names.length - 1}.test.mjs`);
    writeFileSync(file, groupCode(names));
    return file;
  });
  const all = [...written, ...alone.map((name) => join(TESTS, name))];
  return {
    files: all.map((file) => relative(projectFolder, file)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** For a file in a folder of the folder of tests. */
export function groupCode(names: readonly string[]): string {
  return `import { runTogether } from '../support/together.js';\nawait runTogether(${JSON.stringify(names)});\n`;
}
