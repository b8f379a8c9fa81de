import test from 'ava';
import { type Database, openDatabase, type SqlValue } from '../../../src/db/database.js';
import { listItemShipments } from '../../../src/db/queries/batches/batch-progress.js';
import { releaseShipment } from '../../../src/db/queries/creation/refusals.js';
import { deleteOldAttempts, deleteOldRefusals } from '../../../src/db/queries/retention.js';
import { listNeedingAttention } from '../../../src/db/queries/shipments/attention.js';
import { nowIso } from '../../../src/lib/time.js';
import { createTestDatabase } from '../../support/database.js';
import { type Columns, insertTestLicense, insertTestShipment } from '../../support/factories.js';
import { looksSoFar } from '../../support/plans.js';

const KEEP_DAYS = 16;
const LONG_AGO = '2020-01-01 00:00:00.000000';

const database = await createTestDatabase();
const license = await insertTestLicense(database.db);
test.after.always(() => database.drop());

/** A shipment that came long ago, and of which one booking was sent then. */
async function askedLongAgo(columns: Columns, state = 'unknown'): Promise<{ id: number; uuid: string }> {
  const shipment = await insertTestShipment(database.db, license, {
    tracking_code: null,
    created_at: LONG_AGO,
    updated_at: LONG_AGO,
    ...columns,
  });
  await database.db.run(
    `INSERT INTO carrier_attempts (shipment_uuid, operation, number, state, sent_at) VALUES (?, 'book', 1, ?, ?)`,
    [shipment.uuid, state, LONG_AGO],
  );
  return shipment;
}

async function isThere({
  id,
  uuid,
}: {
  id: number;
  uuid: string;
}): Promise<{ shipment: boolean; attempt: boolean }> {
  const { db } = database;
  const shipments = await db.select('SELECT id FROM shipments WHERE id = ?', [id]);
  const attempts = await db.select('SELECT id FROM carrier_attempts WHERE shipment_uuid = ?', [uuid]);
  return { shipment: shipments.length > 0, attempt: attempts.length > 0 };
}

test.serial(
  'deleteOldRefusals: a shipment that was given up after a long wait is kept from then on',
  async (t) => {
    const { db } = database;
    const shipment = await askedLongAgo({ state: 'reserved', status_code: 'needs_attention' });
    await releaseShipment(db, { uuid: shipment.uuid, code: 'given_up', reason: 'given up' });

    await deleteOldRefusals(db, { keepDays: KEEP_DAYS, limit: 1000 });
    const kept = await isThere(shipment);
    await db.run('UPDATE shipments SET updated_at = ? WHERE id = ?', [LONG_AGO, shipment.id]);
    await deleteOldRefusals(db, { keepDays: KEEP_DAYS, limit: 1000 });

    t.deepEqual(kept, { shipment: true, attempt: true });
    t.deepEqual(await isThere(shipment), { shipment: false, attempt: false });
  },
);

test.serial('deleteOldRefusals: a refusal that the carrier books as it is about to go stays', async (t) => {
  const { db } = database;
  const shipment = await askedLongAgo({ state: 'refused', status_code: 'needs_attention' });
  const booking: Database = Object.create(db, {
    select: {
      value: async (sql: string, params: readonly SqlValue[]) => {
        const rows = await db.select(sql, params);
        await db.run(`UPDATE carrier_attempts SET state = 'accepted' WHERE shipment_uuid = ?`, [
          shipment.uuid,
        ]);
        return rows;
      },
    },
  });

  const found = await deleteOldRefusals(booking, { keepDays: KEEP_DAYS, limit: 1000 });

  t.is(found, 1);
  t.deepEqual(await isThere(shipment), { shipment: true, attempt: true });
});

test.serial('deleteOldAttempts: a shipment that is given up keeps its attempts', async (t) => {
  const { db } = database;
  const { uuid } = await askedLongAgo({ state: 'reserved', status_code: 'needs_attention' });
  const booked = await askedLongAgo({ state: 'created' });
  await releaseShipment(db, { uuid, code: 'given_up', reason: 'given up' });

  await deleteOldAttempts(db, { keepDays: KEEP_DAYS, limit: 1000 });

  const [row] = await db.select(
    'SELECT o.order_id, s.workflow_id FROM shipments s JOIN orders o ON o.id = s.order_id WHERE s.uuid = ?',
    [uuid],
  );
  const ended = await listItemShipments(db, {
    accountId: license.accountId,
    orderId: String(row?.order_id),
    workflowId: String(row?.workflow_id),
    noted: uuid,
    since: nowIso(),
  });
  t.like(ended, [{ uuid, state: 'refused', reason: 'given up', isAsked: true }]);
  t.deepEqual(await isThere(booked), { shipment: true, attempt: false });
});

test.serial('deleteOldAttempts: a parcel that nobody claims stays listed', async (t) => {
  const { db } = database;
  const { uuid } = await askedLongAgo({ state: 'refused', status_code: 'needs_attention' }, 'accepted');

  await deleteOldAttempts(db, { keepDays: KEEP_DAYS, limit: 1000 });

  t.true((await listNeedingAttention(db, { limit: 500 })).some((one) => one.uuid === uuid));
});

test.serial('what needs attention is found without reading the other shipments of its license', async (t) => {
  const busy = await insertTestLicense(database.db);
  for (let index = 0; index < 300; index += 1) await insertTestShipment(database.db, busy, {});
  const refused = await insertTestShipment(database.db, busy, { state: 'refused', tracking_code: null });
  const waiting = await insertTestShipment(database.db, busy, {
    state: 'reserved',
    status_code: 'needs_attention',
    tracking_code: null,
  });
  const one = openDatabase({ url: database.url, poolSize: 1 });
  t.teardown(() => one.close());

  const before = await looksSoFar(one);

  const found = (await listNeedingAttention(one, { limit: 500 })).map(({ uuid }) => uuid);

  const looks = (await looksSoFar(one)) - before;
  t.true(found.includes(waiting.uuid));
  t.false(found.includes(refused.uuid));
  t.true(looks < 200, `${looks} entries`);
});
