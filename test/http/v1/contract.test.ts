import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { v1Routes } from '../../../src/api/v1/routes.js';
import { projectFolder } from '../../../tools/launcher/paths.js';

const SECTIONS = [
  'Conventions',
  'The envelope',
  'License',
  'Service types',
  'License check',
  'Label URLs',
  'Express delivery',
  'Recipient app',
  'Authentication',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
  ...v1Routes.map(({ method, path }) => `${method.toUpperCase()} ${path}`),
];
/** Only tests that run: neither skipped ones nor those in comments. Templates are named by their text. */
const TITLE = /^ *test(?:\.serial)?\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/gm;

interface Row {
  section: string;
  rule: string;
  /** File below `test/` → titles. */
  tests: Map<string, string[]>;
}

const rows = rowsOf(readFileSync(join(projectFolder, 'docs/v1-contract.md'), 'utf8'));

function rowsOf(text: string): Row[] {
  const found: Row[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    section = /^#+ (.+)$/.exec(line)?.[1] ?? section;
    const [, rule, cell] = /^\| (.+) \| (.+) \|$/.exec(line) ?? [];
    if (rule === undefined || cell === undefined || rule === 'rule') continue;
    found.push({ section, rule, tests: testsOf(cell) });
  }
  return found;
}

function testsOf(cell: string): Map<string, string[]> {
  const tests = new Map<string, string[]>();
  let titles: string[] = [];
  for (const [, span = ''] of cell.matchAll(/`([^`]+)`/g)) {
    if (span.endsWith('.test.ts')) {
      titles = [];
      tests.set(span, titles);
    } else titles.push(span);
  }
  return tests;
}

/** The titles as they stand in the source. */
function titlesIn(file: string): Set<string> {
  const path = join(projectFolder, 'test', file);
  if (!existsSync(path)) return new Set();
  const source = readFileSync(path, 'utf8');
  return new Set(
    [...source.matchAll(TITLE)].map(([, single, double, template]) =>
      (single ?? double ?? template ?? '').replaceAll(/\\(.)/g, '$1'),
    ),
  );
}

test('the contract names tests that exist, one at least for every rule', (t) => {
  for (const { section, rule, tests } of rows) {
    t.true(tests.size > 0, `${section}: ${rule}`);
    for (const [file, titles] of tests) {
      const known = titlesIn(file);
      t.true(titles.length > 0, `${section}: ${rule}: no title of ${file}`);
      for (const title of titles) t.true(known.has(title), `${section}: ${rule}: ${file} has no "${title}"`);
    }
  }
});

test('the contract has rows for every section and every route', (t) => {
  const covered = new Set(rows.map(({ section }) => section));

  t.deepEqual(
    SECTIONS.filter((section) => !covered.has(section)),
    [],
  );
});

test('every rule of the contract stands once in its section', (t) => {
  const all = rows.map(({ section, rule }) => `${section}: ${rule}`);

  t.deepEqual([...new Set(all)], all);
  t.true(all.length > 100, `only ${all.length} rules were read`);
});

test('v1 and v2 import nothing of each other', (t) => {
  const imports = (version: string) => {
    const folder = join(projectFolder, 'src/api', version);
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/from '([^']+)'/g)])
      .map(([, from = '']) => from);
  };
  const [v1, v2] = [imports('v1'), imports('v2')];

  t.true(v1.length > 50 && v2.length > 50);
  t.deepEqual(
    v1.filter((from) => from.includes('/v2/')),
    [],
  );
  t.deepEqual(
    v2.filter((from) => from.includes('/v1/')),
    [],
  );
});
