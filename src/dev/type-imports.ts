import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { projectFolder } from './paths.js';

/** Folders that may name another only in types: the code there must not come along. */
const TYPES_ONLY: readonly { readonly from: string; readonly to: string }[] = [
  { from: 'workflows', to: 'activities' },
  { from: 'src/temporal', to: 'src/config' },
  { from: 'src/services', to: 'src/config' },
  { from: 'src/api', to: 'src/config' },
  { from: 'src/api', to: 'src/contracts' },
  { from: 'src/http', to: 'src/config' },
  { from: 'src/http', to: 'src/contracts' },
];
const IMPORT = /^(?:import|export)\s+(type\s)?[^;'"]*?from\s+'(\.[^']+)'/gm;

function sources(folder: string): string[] {
  return readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(projectFolder, folder, file));
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Relative imports of a source that are not `import type`, as paths from the repository's root. */
export function runtimeImports(file: string, source: string): string[] {
  return Array.from(source.matchAll(IMPORT))
    .filter(([, type]) => type === undefined)
    .map(([, , target = '']) => join(dirname(file), target).split(sep).join('/'));
}

/** Imports that had to be `import type` and are not, one line each. */
export function valueImports(): string[] {
  return TYPES_ONLY.flatMap(({ from, to }) =>
    sources(from).flatMap((path) => {
      const file = relative(projectFolder, path).split(sep).join('/');
      return runtimeImports(file, readFileSync(path, 'utf8'))
        .filter((target) => isIn(target, to))
        .map((target) => `  ${file} → ${target}: only as a type`);
    }),
  );
}
