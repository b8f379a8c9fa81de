import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { journal } from '../../src/db/migrate.js';
import { migrations } from '../../src/db/migrations/index.js';
import * as tables from '../../src/db/tables/index.js';
import { projectFolder } from '../../tools/launcher/paths.js';
import { NameCheck } from '../support/sql-names.js';
import { parseSource, readSource, sourcePaths } from '../support/sql-texts.js';

const DESCRIBED = { ...tables, journal };
const VARIABLES = new Map(Object.entries(DESCRIBED).map(([variable, { name }]) => [variable, name]));
const SCHEMA = new Map(
  Object.values(DESCRIBED).map(({ name, columns }) => [name, new Set(Object.keys(columns).map(inSql))]),
);
const WITH_SQL = ['src/db/queries', 'src/db/migrate.ts', 'src/db/lease.ts', 'tools/demo/backdate.ts'];
const STATEMENT = /\b(SELECT .+ FROM|INSERT INTO|DELETE FROM)\b|\bUPDATE \w+ .*SET\b/s;

function inSql(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The names that are no columns in a file of one query, beside the table's description. */
function problemsIn(code: string): string[] {
  const check = new NameCheck(SCHEMA, VARIABLES, [parseSource('src/db/queries/one.ts', code)]);
  return check.problems().map((problem) => problem.split(' ')[1] ?? '');
}

test('every column in the text of a statement is one of its tables', (t) => {
  const check = new NameCheck(SCHEMA, VARIABLES, WITH_SQL.flatMap(sourcePaths).map(readSource));

  const problems = check.problems();

  t.deepEqual(problems, []);
  t.true(check.proven > 1500, `only ${check.proven} names were found`);
});

test('statements stand where their names are proven', (t) => {
  const elsewhere = ['src', 'activities', 'workflows', 'tools/demo']
    .flatMap(sourcePaths)
    .filter((path) => !WITH_SQL.some((proven) => path.startsWith(proven)))
    .filter((path) => !path.startsWith('src/db/'))
    .map(readSource);

  const found = elsewhere.flatMap(({ path, texts }) =>
    texts.filter(({ text }) => STATEMENT.test(text)).map(({ line }) => `${path}:${line}`),
  );

  t.true(elsewhere.length > 300);
  t.deepEqual(found, []);
});

/** A word alone may be a column, a key, a table, or a value that other code knows. */
test('a single word in a query is a name of the schema or known elsewhere', (t) => {
  const queries = sourcePaths('src/db/queries').map(readSource);
  const words = queries.flatMap(({ texts }) =>
    texts.map(({ text }) => text).filter((text) => /^[a-z]+(_[a-z]+)+$/.test(text)),
  );
  const schema = migrations.flatMap(({ statements }) => statements);
  const values = ['src/domain', 'src/contracts', 'src/db/tables']
    .flatMap(sourcePaths)
    .map((path) => readFileSync(join(projectFolder, path), 'utf8'));
  const known = new Set([...schema, ...values].flatMap((text) => text.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? []));
  const types = new Set(queries.flatMap((query) => [...query.types]));

  const unknown = words.filter((word) => !known.has(word) && !types.has(word));

  t.true(words.length > 50, `only ${words.length} words were found`);
  t.deepEqual(unknown, []);
});

for (const [what, code, wrong] of [
  ['a qualified one', "db.select('SELECT s.uuid, s.tracking_cod FROM shipments s')", ['s.tracking_cod']],
  [
    'one of another table',
    "db.select('SELECT s.id FROM shipments s JOIN orders o ON o.id = s.billing')",
    ['s.billing'],
  ],
  ['one of an INSERT', "db.run('INSERT INTO accounts (name, emial) VALUES (?, ?)')", ['emial']],
  ['one of a SET', "db.run('UPDATE accounts SET emial = ? WHERE id = ?')", ['emial']],
  ['a bare one of a WHERE', "db.run('DELETE FROM accounts WHERE disabeld_at < NOW(6)')", ['disabeld_at']],
  ['one of a part', "const a = accounts.as('a'); const part = 'a.emial = ?'", ['a.emial']],
  [
    'one beside an expression',
    'const a = accounts.as("a"); const part = `${a.id} = ? AND a.emial = ?`',
    ['a.emial'],
  ],
  ['an alias that nobody gave', "db.select('SELECT x.id FROM shipments s')", ['x.id']],
  ['none', "db.select('SELECT s.id, n FROM (SELECT id, COUNT(*) AS n FROM shipments) s ORDER BY s.n')", []],
] as const) {
  test(`a misspelt column is found: ${what}`, (t) => {
    t.deepEqual(problemsIn(code), [...wrong]);
  });
}
