import test from 'ava';
import { migrations } from '../../src/db/migrations/index.js';

/** It made all tables, before any release could run. */
const FIRST = '0001-initial';
/** Why the release before goes on all the same, by the name of a migration that does something else. */
const JUDGED: Readonly<Record<string, string>> = {};

/** Changes that a running release does not notice: a new table, a column that it need not write, an index without a rule. */
const ADDITIONS = [
  /^ADD (?:COLUMN )?(?!COLUMN |UNIQUE |CONSTRAINT |FOREIGN |PRIMARY |CHECK |(?:KEY|INDEX|FULLTEXT|SPATIAL)\b)(?!.*\bUNIQUE\b)(?:(?!.*\bNOT NULL\b)|.*\bDEFAULT\b|.*\bGENERATED\b).+$/is,
  /^ADD (?:KEY|INDEX|FULLTEXT|SPATIAL)\b/i,
  /^ALGORITHM ?=/i,
  /^LOCK ?=/i,
];

/** The part of a statement that a running release may not survive; null where there is none. */
function notSurvived(statement: string): string | null {
  const text = statement.replaceAll(/\s+/g, ' ').trim();
  if (/^CREATE TABLE /i.test(text)) return null;
  if (/^CREATE INDEX /i.test(text)) return null;
  const clauses = /^ALTER TABLE \S+ (.*)$/is.exec(text)?.[1];
  if (clauses === undefined) return text;
  return partsOf(clauses).find((clause) => !ADDITIONS.some((form) => form.test(clause))) ?? null;
}

/** Split at commas outside parentheses and quotes. */
function partsOf(clauses: string): string[] {
  const tokens = clauses.match(/'(?:[^'\\]|\\.|'')*'|./gs) ?? [];
  const parts = [''];
  let depth = 0;
  for (const token of tokens) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${token}`);
  }
  return parts.map((part) => part.trim());
}

test('the release before a migration goes on under its tables', (t) => {
  const found = migrations
    .filter(({ name }) => name !== FIRST && !(name in JUDGED))
    .flatMap(({ name, statements }) => statements.map((statement) => [name, notSurvived(statement)] as const))
    .filter(([, part]) => part !== null);

  t.deepEqual(found, []);
  t.is(migrations[0]?.name, FIRST);
});

for (const statement of [
  'ALTER TABLE shipments DROP COLUMN note',
  'ALTER TABLE shipments ADD COLUMN weight INT NOT NULL',
  'ALTER TABLE shipments ADD weight INT NOT NULL, ADD KEY (weight)',
  'ALTER TABLE shipments ADD COLUMN weight INT NULL, MODIFY note VARCHAR(20) NULL',
  'ALTER TABLE shipments CHANGE note remark VARCHAR(255) NULL',
  'ALTER TABLE shipments RENAME COLUMN note TO remark',
  'ALTER TABLE shipments RENAME TO parcels',
  'ALTER TABLE shipments ADD UNIQUE KEY one_note (note)',
  'ALTER TABLE shipments ADD COLUMN weight INT NULL UNIQUE',
  'ALTER TABLE shipments ADD FOREIGN KEY (order_id) REFERENCES orders (id)',
  'ALTER TABLE shipments ADD CONSTRAINT light CHECK (weight < 30)',
  'ALTER TABLE shipments DROP KEY shipments_order',
  'CREATE UNIQUE INDEX one_note ON shipments (note)',
  'DROP TABLE shipments',
  'RENAME TABLE shipments TO parcels',
  'UPDATE shipments SET note = NULL',
]) {
  test(`is not survived: ${statement}`, (t) => {
    t.not(notSurvived(statement), null);
  });
}

for (const statement of [
  'CREATE TABLE crates (id BIGINT UNSIGNED NOT NULL PRIMARY KEY)',
  'ALTER TABLE shipments ADD COLUMN weight INT NULL',
  "ALTER TABLE shipments ADD COLUMN kind ENUM('a', 'b') NOT NULL DEFAULT 'a' AFTER note, ADD KEY kinds (kind, id)",
  'ALTER TABLE shipments ADD weight INT UNSIGNED NOT NULL DEFAULT 0,\n  ALGORITHM=INSTANT',
  'CREATE INDEX weights ON shipments (weight)',
]) {
  test(`is survived: ${statement.replaceAll(/\s+/g, ' ')}`, (t) => {
    t.is(notSurvived(statement), null);
  });
}
