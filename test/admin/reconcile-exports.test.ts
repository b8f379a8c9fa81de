import test from 'ava';
import { insertExport } from '../../src/db/queries/exports/exports.js';
import { KINDS, type ReconcilingApp } from '../../src/services/admin/differences.js';
import { startStack } from '../support/stack.js';

const EXPORTS = 41;

test('admin reconcile: exports without a run are found, however many there are', async (t) => {
  const stack = await startStack();
  t.teardown(() => stack.close());
  const { db, temporal, account } = stack;
  const of = { accountId: account.id, licenseId: Number(account.licenseIds.run) };
  for (let n = 0; n < EXPORTS; n += 1) {
    await insertExport(db, { ...of, format: 'csv', filter: {} });
    // A license has one in flight.
    await db.run('UPDATE exports SET in_flight_place = NULL, created_at = NOW(6) - INTERVAL 5 MINUTE');
  }
  const kind = KINDS.find((one) => one.kind === 'export without a run');

  const found = new Set<string>();
  for await (const page of kind?.find({ db, temporal } as ReconcilingApp, { bothOlder: false }) ?? [])
    for (const { reference } of page) found.add(reference);

  t.is(found.size, EXPORTS);
});
