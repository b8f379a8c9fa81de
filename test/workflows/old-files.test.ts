import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createRetentionActivities, type RetentionApp } from '../../activities/retention.js';
import type { Database } from '../../src/db/database.js';
import { createStorage } from '../../src/documents/storage.js';
import type { Owner } from '../support/clean-ups.js';

/** A database in which nothing is old. */
const db = { select: async () => [], run: async () => ({ affectedRows: 0 }) } as unknown as Database;
const KEEP_DAYS = 17;

/** A store of a test's own and its sweep, whose runs count their heartbeats. */
function sweeping(t: Owner, deps: Pick<RetentionApp, 'folderBudgetMs'> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'parcelworks-sweep-'));
  t.teardown(() => rmSync(root, { recursive: true, force: true }));
  const retention = new Proxy({} as RetentionApp['config']['retention'], { get: () => KEEP_DAYS });
  const storage = createStorage({ kind: 'directory', path: root });
  const { deleteOld } = createRetentionActivities({ db, storage, config: { retention }, ...deps });
  const run = async () => {
    let heartbeats = 0;
    const environment = new MockActivityEnvironment().on('heartbeat', () => {
      heartbeats += 1;
    });
    const deleted = await environment.run(deleteOld);
    return { deleted, heartbeats };
  };
  return { root, run };
}

/** Writes label files of an age, in several folders. */
function put(root: string, name: string, count: number, days: number): void {
  const at = Date.now() / 1000 - days * 86_400;
  for (let index = 0; index < count; index += 1) {
    const path = join(root, 'labels', `a${index % 5}`, `${name}${index}.pdf`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
    utimesSync(path, at, at);
  }
}

const filesIn = (root: string) =>
  readdirSync(join(root, 'labels'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.pdf'),
  );

test('deleteOld: a walk that finds nothing old tells that it goes on', async (t) => {
  const empty = sweeping(t);
  const full = sweeping(t);
  put(full.root, 'young', 1000, KEEP_DAYS - 1);

  const without = await empty.run();
  const walked = await full.run();

  t.is(walked.deleted, 0);
  t.true(walked.heartbeats - without.heartbeats >= 10, `${walked.heartbeats} and ${without.heartbeats}`);
});

test('deleteOld: a walk goes on in the next run, and looks at each file once', async (t) => {
  const { root, run } = sweeping(t, { folderBudgetMs: 0 });
  put(root, 'old', 350, KEEP_DAYS + 1);
  put(root, 'young', 350, KEEP_DAYS - 1);

  const runs: number[] = [];
  while (runs.length < 8) runs.push(Number((await run()).deleted));
  const left = filesIn(root);
  put(root, 'later', 1, KEEP_DAYS + 1);
  await run();
  await run();

  t.true(Math.max(...runs) <= 100, runs.join());
  t.is(left.length, 350);
  t.true(left.every((name) => name.includes('young')));
  t.is(filesIn(root).length, 351, 'the next walk is due on the next day');
});

test('deleteOld: a walk that failed is made again by the next run', async (t) => {
  const { root, run } = sweeping(t);
  writeFileSync(join(root, 'labels'), 'no folder');
  await t.throwsAsync(run());
  rmSync(join(root, 'labels'));
  put(root, 'old', 1, KEEP_DAYS + 1);

  const { deleted } = await run();

  t.is(deleted, 1);
  t.deepEqual(filesIn(root), []);
});
