import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { Executor } from '../../src/db/database.js';
import {
  itemsOfBatches,
  listBatchItemSizes,
  readBatchItems,
} from '../../src/db/queries/batches/batch-items.js';
import {
  findBatch,
  listBatches,
  listOpenBatches,
  pendingChunks,
  refuseBeyondDay,
} from '../../src/db/queries/batches/batches.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type TestLicense } from '../support/factories.js';
import { plansOf, threeLicenses } from '../support/plans.js';
import { insertRow } from '../support/rows.js';

const DOUBLINGS = 11;
let database: TestDatabase;
let license: TestLicense;
let second: TestLicense;
let batchId: number;

/** Two thousand batches of three licenses, and one batch with two thousand items among other batches' items. */
test.before(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const licenses = await threeLicenses(db);
  ({ license, second } = licenses);
  const batch = (one: TestLicense) =>
    insertRow(db, 'batches', {
      uuid: randomUUID(),
      account_id: one.accountId,
      license_id: one.licenseId,
      license_key: one.key,
      total: 1,
      pending_count: 0,
      payload_bytes: 2,
    });
  batchId = await batch(license);
  const others = [await batch(second), await batch(licenses.foreign)];
  for (const id of [batchId, ...others]) {
    await insertRow(db, 'batch_items', { batch_id: id, position: 0, payload: '{}', fingerprint: '' });
  }
  for (let doubling = 0; doubling < DOUBLINGS; doubling++) {
    await db.run(
      `INSERT INTO batch_items (batch_id, position, payload, fingerprint, status)
       SELECT batch_id, position + ?, payload, fingerprint, IF(position % 3 = 0, 'failed', 'created') FROM batch_items`,
      [2 ** doubling],
    );
    if (doubling < DOUBLINGS - 2) {
      await db.run(
        `INSERT INTO batches (uuid, account_id, license_id, license_key, total, pending_count, payload_bytes)
         SELECT UUID(), account_id, license_id, license_key, 1, 0, 2 FROM batches`,
      );
    }
  }
  await db.run('UPDATE batches SET pending_count = 1 WHERE id = ?', [batchId]);
  for (const table of ['batches', 'batch_items']) await db.select(`ANALYZE TABLE ${table}`);
});
test.after.always(() => database?.drop());

test('every list is read along a key, unsorted, from either end', async (t) => {
  const { accountId, licenseId } = license;
  const both = [licenseId, second.licenseId];
  const lists: ((db: Executor) => Promise<unknown>)[] = [
    ...[[licenseId], both].flatMap((licenseIds) =>
      [{}, { after: 900 }, { before: 900 }].map(
        (position) => (db: Executor) => listBatches(db, { accountId, licenseIds, limit: 25, ...position }),
      ),
    ),
    ...[{}, { after: 900 }, { before: 90_000 }, { status: 'failed' as const }].map(
      (position) => (db: Executor) => listBatchItemSizes(db, { accountId, batchId, limit: 25, ...position }),
    ),
    (db) => readBatchItems(db, { accountId, batchId, status: 'failed', ids: [900, 901, 902] }),
    (db) => itemsOfBatches(db, { accountId, batchIds: [batchId] }),
  ];

  for (const list of lists) {
    const plan = (await plansOf(database.db, list)).flat();
    t.false(
      plan.some((step) => step.type === 'ALL' || String(step.Extra).includes('filesort')),
      JSON.stringify(plan),
    );
  }
});

test('look-ups read few rows', async (t) => {
  const { accountId } = license;
  const [{ uuid }] = (await database.db.select('SELECT uuid FROM batches WHERE id = ?', [batchId])) as [
    { uuid: string },
  ];

  const one = (await plansOf(database.db, (db) => findBatch(db, { accountId, uuid }))).flat();
  const chunks = (await plansOf(database.db, (db) => pendingChunks(db, batchId))).flat();
  const open = (await plansOf(database.db, (db) => listOpenBatches(db, { afterId: 0, limit: 25 }))).flat();
  const day = (await plansOf(database.db, (db) => refuseBeyondDay(db, accountId))).flat();

  t.true(
    one.every((step) => step.type === 'const'),
    JSON.stringify(one),
  );
  t.true(
    chunks.every((step) => Number(step.rows) < 100),
    JSON.stringify(chunks),
  );
  t.true(
    open.every((step) => step.key === 'batches_open' && Number(step.rows) < 10),
    JSON.stringify(open),
  );
  t.true(
    day.every((step) => step.key === 'batches_day' && String(step.Extra).includes('Using index')),
    JSON.stringify(day),
  );
});
