import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { needsOf } from '../../tools/engines/test-needs.js';
import { distFolder } from '../../tools/launcher/paths.js';

function compiled(...files: string[]): string[] {
  return files.map((file) => join(distFolder, 'test', file));
}

function filesOf(folder: string): string[] {
  return readdirSync(join(distFolder, 'test', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .map((file) => join(folder, file));
}

test('needsOf: tests of the domain and of the library need no engine and no workflows', (t) => {
  const files = [...filesOf('domain'), ...filesOf('lib')];

  const needs = needsOf(compiled(...files));

  t.true(files.length >= 10);
  for (const name of ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'PUPPETEER_EXECUTABLE_PATH'])
    t.false(needs(name), name);
  t.false(needs('src/main/workflow-bundle.js'));
});

test('needsOf: a test of queries needs MySQL alone', (t) => {
  const needs = needsOf(compiled('db/plans.test.js'));

  t.true(needs('DATABASE_URL'));
  t.false(needs('TEMPORAL_ADDRESS'));
  t.false(needs('src/main/workflow-bundle.js'));
});

test('needsOf: a test of a workflow needs both engines and the workflows, also by a late import', (t) => {
  const needs = needsOf(compiled('workflows/create-shipment.test.js'));

  t.true(needs('DATABASE_URL'));
  t.true(needs('TEMPORAL_ADDRESS'));
  t.true(needs('src/main/workflow-bundle.js'));
  t.false(needs('PROMTOOL'));
});

test('needsOf: a test that passes its whole environment on needs every variable', (t) => {
  const needs = needsOf(compiled('http/openapi.test.js'));

  t.true(needs('DATABASE_URL'));
  t.true(needs('PROMTOOL'));
});

test('needsOf: several files need what one of them needs', (t) => {
  const needs = needsOf(compiled('domain/phone.test.js', 'observe/alerts.test.js'));

  t.true(needs('PROMTOOL'));
  t.false(needs('DATABASE_URL'));
});
