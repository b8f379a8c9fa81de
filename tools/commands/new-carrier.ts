import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { compileFunction } from 'node:vm';
import { packageScript, projectFolder } from '../launcher/paths.js';
import { SetupError } from '../launcher/progress.js';

/** A file to write at `path`, relative to the repository. `isNew`: it must not exist yet. */
export interface PlannedFile {
  readonly path: string;
  readonly content: string;
  readonly isNew: boolean;
}

const TEMPLATE = 'tools/carrier-template';
const TEST_TEMPLATE = 'test/tools/carrier-template';
const REGISTRY = 'src/carriers/registry.ts';
const SANDBOXES = 'tools/doubles/carriers/server.ts';
/** Maximum length of a provider name in the database. */
const LONGEST_NAME = 64;

/** Spellings of a carrier's name in code and prose. */
interface Names {
  readonly provider: string;
  readonly folder: string;
  readonly identifier: string;
  readonly type: string;
  readonly constant: string;
  readonly title: string;
}

function namesOf(provider: string): Names {
  const parts = provider.split('_').map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  const type = parts.join('');
  return {
    provider,
    folder: provider.replaceAll('_', '-'),
    identifier: type.charAt(0).toLowerCase() + type.slice(1),
    type,
    constant: provider.toUpperCase(),
    title: parts.join(' '),
  };
}

/** Template files and their destinations. */
function destinations({ folder }: Names): Map<string, string> {
  const adapter = ['index.ts', 'config.ts', 'client.ts', 'mapping.ts', 'README.md'].map(
    (file) => [`${TEMPLATE}/${file}`, `src/carriers/${folder}/${file}`] as const,
  );
  const tests = ['conformance.test.ts', 'mapping.test.ts'].map(
    (file) => [`${TEST_TEMPLATE}/${file}`, `test/carriers/${folder}/${file}`] as const,
  );
  return new Map([...adapter, [`${TEMPLATE}/sandbox.ts`, `tools/doubles/carriers/${folder}.ts`], ...tests]);
}

/** Replaces the template's name in one pass: the new name may contain it. */
function renamed(text: string, { provider, identifier, type, constant, title }: Names): string {
  return text.replace(/'acme'|\b(?:acme|ACME)(?![a-z])|\bAcme(?![a-z])/g, (found, at: number) => {
    if (found === "'acme'") return `'${provider}'`;
    if (found === 'ACME') return constant;
    if (found === 'acme') return identifier;
    return /[A-Z]/.test(text.charAt(at + found.length)) ? type : title;
  });
}

/** Adapts relative imports to the file's new place. */
function moved(text: string, from: string, to: string, places: ReadonlyMap<string, string>): string {
  return text.replace(/(from ')(\.[^']+)(')/g, (_, before: string, named: string, after: string) => {
    const target = posix.join(posix.dirname(from), named);
    const place = places.get(target.replace(/\.js$/, '.ts'))?.replace(/\.ts$/, '.js') ?? target;
    const path = posix.relative(posix.dirname(to), place);
    return before + (path.startsWith('.') ? path : `./${path}`) + after;
  });
}

/** @throws SetupError when the place to insert at is missing */
function added(path: string, text: string, entry: string, list: RegExp, importLine: string): string {
  if (!list.test(text)) throw new SetupError(`${path} has no list of carriers to add to`);
  return `${importLine}\n${text.replace(list, (_, head: string, end: string) => head + entry + end)}`;
}

function edits(root: string, { provider, folder, identifier }: Names): PlannedFile[] {
  const registry = added(
    REGISTRY,
    readFileSync(join(root, REGISTRY), 'utf8'),
    `, ${identifier}`,
    /(const adapters: readonly CarrierAdapter\[\] = \[[^\]]*?),?(\s*\];)/,
    `import { ${identifier} } from './${folder}/index.js';`,
  );
  const sandboxes = added(
    SANDBOXES,
    readFileSync(join(root, SANDBOXES), 'utf8'),
    `  ${provider}: ${identifier}Protocol,\n`,
    /(const PROTOCOLS = \{[^}]*)(\} as const)/,
    `import { ${identifier}Protocol } from './${folder}.js';`,
  );
  return [
    { path: REGISTRY, content: registry, isNew: false },
    { path: SANDBOXES, content: sandboxes, isNew: false },
  ];
}

function isReserved(identifier: string): boolean {
  try {
    compileFunction(`'use strict'; const ${identifier} = 0;`);
    return false;
  } catch {
    return true;
  }
}

/** The identifiers in code, without comments and strings. */
function wordsOf(source: string): Set<string> {
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'/g, ' ');
  return new Set(code.match(/[A-Za-z]\w*/g) ?? []);
}

/** @throws SetupError for an invalid or existing name */
function checkName(root: string, names: Names, places: ReadonlyMap<string, string>): void {
  const { provider, folder, identifier } = names;
  if (!/^[a-z]+(?:_[a-z]+)*$/.test(provider) || provider.length > LONGEST_NAME) {
    throw new SetupError(
      `"${provider}" is no name of a carrier: words of the letters a to z, joined by _, such as acme_express`,
    );
  }
  const taken = [...places.values(), `src/carriers/${folder}`, `test/carriers/${folder}`].find((path) =>
    existsSync(join(root, path)),
  );
  if (taken !== undefined) throw new SetupError(`there is a carrier ${provider} already: ${taken} exists`);
  const sources = [...places.keys(), REGISTRY, SANDBOXES].filter((path) => path.endsWith('.ts'));
  const used = new Set(sources.flatMap((path) => [...wordsOf(readFileSync(join(root, path), 'utf8'))]));
  used.delete('acme');
  if (isReserved(identifier) || ['await', 'test'].includes(identifier) || used.has(identifier)) {
    throw new SetupError(`"${identifier}" is a word of the code already: choose a longer name`);
  }
}

/** Formats a text like `npm run format`. @throws SetupError when it is no valid code */
function formatted(root: string, path: string, content: string): string {
  if (!path.endsWith('.ts')) return content;
  const biome = packageScript('@biomejs/biome', 'bin/biome');
  const args = [biome, 'check', '--write', `--stdin-file-path=${path}`];
  const done = spawnSync(process.execPath, args, { cwd: root, input: content, encoding: 'utf8' });
  if (done.status !== 0) throw new SetupError(`${path} could not be formatted:\n${done.stderr}`);
  return done.stdout;
}

/**
 * All files of a new carrier, without writing them. `root`: the repository. @throws SetupError for an invalid
 * or existing name
 */
export function planCarrier(provider: string, root = projectFolder): PlannedFile[] {
  const names = namesOf(provider);
  const places = destinations(names);
  checkName(root, names, places);
  const created = [...places].map(([from, path]) => {
    const text = renamed(readFileSync(join(root, from), 'utf8'), names);
    return { path, content: moved(text, from, path, places), isNew: true };
  });
  return [...created, ...edits(root, names)].map((file) => ({
    ...file,
    content: formatted(root, file.path, file.content),
  }));
}

/** Writes all files, or none if one fails. */
export function writePlan(plan: readonly PlannedFile[], root = projectFolder): void {
  const undo: (() => void)[] = [];
  try {
    const staged = plan.map(({ path, isNew, content }) => {
      const target = join(root, path);
      const draft = `${target}.new`;
      const folder = mkdirSync(dirname(target), { recursive: true });
      if (folder !== undefined) undo.unshift(() => rmSync(folder, { recursive: true }));
      undo.unshift(() => rmSync(draft, { force: true }));
      writeFileSync(draft, content);
      return { target, draft, old: isNew ? null : readFileSync(target) };
    });
    for (const { target, draft, old } of staged) {
      undo.unshift(() => (old === null ? rmSync(target, { force: true }) : writeFileSync(target, old)));
      renameSync(draft, target);
    }
  } catch (error) {
    for (const back of undo) back();
    throw error;
  }
}
