import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { CARRIER_LABELS, LABELS } from '../../src/documents/labels/stored.js';
import { INCOMING } from '../../src/documents/storage.js';
import { exportFileKey } from '../../src/domain/exports.js';
import { projectFolder } from '../../tools/launcher/paths.js';
import { createTestDatabase } from '../support/database.js';

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');
const page = read('docs/retention.md');
/** The first cell of each row, and the number of its cells that say something. */
const rows = [...page.matchAll(/^\| `([^`]+)` \|(.+)\|$/gm)].map(([, name = '', rest = '']) => ({
  name,
  cells: rest.split(' | ').filter((cell) => cell.trim() !== ''),
}));
const names = rows.map(({ name }) => name);

test('retention.md: lists each table of the schema once, with what it holds and how long it lives', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());

  const found = await database.db.select(
    'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()',
  );

  t.true(found.length > 40);
  t.deepEqual(
    names.filter((name) => !name.endsWith('/')).sort(),
    found.map(({ name }) => String(name)).sort(),
  );
  t.deepEqual(
    rows.filter(({ cells }) => cells.length < 2).map(({ name }) => name),
    [],
  );
});

test('retention.md: lists each folder of the document store', (t) => {
  const [exports = ''] = exportFileKey({ fileUuid: 'x', format: 'csv' }).split('/');

  t.deepEqual(
    names.filter((name) => name.endsWith('/')).sort(),
    [LABELS, CARRIER_LABELS, exports, 'logos', INCOMING].map((folder) => `${folder}/`).sort(),
  );
});

test('retention.md: names each variable of the retention, and none that is not there', (t) => {
  const variablesOf = (text: string) => new Set(text.match(/\bRETENTION_\w+/g));
  const configured = [...variablesOf(read('docs/configure.md'))];
  const named = variablesOf(page);

  t.true(configured.length > 5);
  t.deepEqual([...named].sort(), configured.sort());
});
