import test from 'ava';
import type { Database, Executor, SqlValue } from '../../../src/db/database.js';
import { DELIVERIES, listOverdue, nextDueInMs } from '../../../src/db/queries/leased-queue.js';
import {
  deleteOldDeliveries,
  findDelivery,
  listDeliveries,
  requeueDelivery,
  requeueFailed,
} from '../../../src/db/queries/webhooks/deliveries.js';
import { claimDue } from '../../../src/db/queries/webhooks/delivery-claims.js';
import { failPending, finishAttempt } from '../../../src/db/queries/webhooks/delivery-sending.js';
import { recordEvents } from '../../../src/db/queries/webhooks/events.js';
import { eventsOfChange } from '../../../src/domain/events.js';
import { createTestDatabase } from '../../support/database.js';
import { claim, FAILED, insertSubscription, withDeliveries } from '../../support/delivery-rows.js';
import { insertTestAccount, insertTestLicense, insertTestShipment } from '../../support/factories.js';
import { plansOf } from '../../support/plans.js';

const database = await createTestDatabase();
test.after.always(() => database.drop());

test('GET /webhooks/{id}/deliveries: shows the newest attempts, and a delivery is sent again so often only', async (t) => {
  const { key } = await withDeliveries(database.db, 1);
  const { db } = database;
  const [claimed] = await claim(database.db, key);
  if (claimed === undefined) throw new Error('nothing was claimed');
  await db.run(
    `UPDATE webhook_deliveries SET status = 'failed', attempts = 100, attempts_allowed = 100 WHERE subscription_id = ?`,
    [key.id],
  );
  for (let number = 2; number <= 100; number++) {
    await db.run(
      `INSERT INTO webhook_attempts (delivery_id, number, started_at, response_status, response_body)
       SELECT id, ?, NOW(6), 500, 'no' FROM webhook_deliveries WHERE subscription_id = ?`,
      [number, key.id],
    );
  }
  const subscription = { accountId: key.accountId, subscriptionId: key.id };

  const [listed] = await listDeliveries(db, { ...subscription, limit: 25 });
  const shown = await findDelivery(db, { ...subscription, uuid: claimed.uuid });
  const requeued = await requeueDelivery(db, { ...subscription, uuid: claimed.uuid });

  t.deepEqual(
    listed?.attempts.map(({ number }) => number),
    Array.from({ length: 20 }, (_, index) => 81 + index),
  );
  t.deepEqual(shown, listed);
  t.false(requeued);
});

test('an attempt that ends while its delivery is asked for again leaves it with more to send', async (t) => {
  const { key } = await withDeliveries(database.db, 1);
  const { db } = database;
  const [claimed] = await claim(database.db, key);
  if (claimed === undefined) return t.fail('nothing was due');
  const delivery = { accountId: key.accountId, subscriptionId: key.id, uuid: claimed.uuid };

  const whileSending = await requeueDelivery(db, delivery);
  await finishAttempt(db, claimed, { ...FAILED, final: true });
  const afterwards = await requeueDelivery(db, delivery);

  t.true(whileSending);
  t.true(afterwards);
});

test('what was sent is shown, however many attempts were given up', async (t) => {
  const { key } = await withDeliveries(database.db, 1);
  const { db } = database;
  const [claimed] = await claim(database.db, key);
  if (claimed === undefined) return t.fail('nothing was due');
  await finishAttempt(db, claimed, FAILED);
  await db.run('UPDATE webhook_deliveries SET attempts = 24, attempts_allowed = 24 WHERE id = ?', [
    claimed.id,
  ]);

  const shown = await findDelivery(db, {
    accountId: key.accountId,
    subscriptionId: key.id,
    uuid: claimed.uuid,
  });

  t.deepEqual(
    shown?.attempts.map(({ number }) => number),
    [1],
  );
});

test('a delivery under way has no next attempt, one that failed has', async (t) => {
  const { key } = await withDeliveries(database.db, 1);
  const [claimed] = await claim(database.db, key);
  if (claimed === undefined) return t.fail('nothing was due');
  const read = () =>
    findDelivery(database.db, { accountId: key.accountId, subscriptionId: key.id, uuid: claimed.uuid });

  const underWay = await read();
  await finishAttempt(database.db, claimed, FAILED);
  const waiting = await read();

  t.is(underWay?.nextAttemptAt, null);
  t.is(underWay?.attempts.length, 1);
  t.regex(waiting?.nextAttemptAt ?? '', /^\d{4}-/);
});

test('without subscribers an event costs one statement; with two it is the same event for both', async (t) => {
  const license = await insertTestLicense(database.db, await insertTestAccount(database.db));
  const shipment = await insertTestShipment(database.db, license);
  const statements: string[] = [];
  const counted = (tx: Executor): Executor => ({
    select(sql, params) {
      statements.push(sql);
      return tx.select(sql, params);
    },
    run(sql, params) {
      statements.push(sql);
      return tx.run(sql, params);
    },
  });
  const args = {
    accountId: license.accountId,
    licenseId: license.licenseId,
    shipmentId: shipment.id,
    events: eventsOfChange('created', { code: 'delivered', at: '2026-11-21T09:30:00.123456Z' }),
  };

  const nobody = await database.db.transaction((tx) => recordEvents(counted(tx), args));
  const alone = statements.length;
  const [one, two] = [
    await insertSubscription(database.db, license),
    await insertSubscription(database.db, license),
  ];
  const wake = await database.db.transaction((tx) => recordEvents(tx, args));

  t.deepEqual(nobody, []);
  t.is(alone, 1);
  t.deepEqual(
    wake.map((target) => (target.kind === 'webhook' ? target.subscriptionId : null)).sort(),
    [one.id, two.id].sort(),
  );
  const rows = await database.db.select(
    'SELECT event, event_id, payload FROM webhook_deliveries WHERE shipment_id = ?',
    [shipment.id],
  );
  t.is(rows.length, 2);
  t.is(new Set(rows.map((row) => `${row.event} ${row.event_id} ${row.payload}`)).size, 1);
});

test('what is rolled back is not told', async (t) => {
  const { license, key } = await withDeliveries(database.db, 0);
  const shipment = await insertTestShipment(database.db, license);

  await t.throwsAsync(
    database.db.transaction(async (tx) => {
      const { accountId, licenseId } = license;
      const events = [{ event: 'shipment.created' as const, fields: {} }];
      await recordEvents(tx, { accountId, licenseId, shipmentId: shipment.id, events });
      throw new Error('rolled back');
    }),
  );

  t.deepEqual(await claim(database.db, key), []);
});

test('what is overdue is found, and what is old is deleted', async (t) => {
  const { key } = await withDeliveries(database.db, 2);
  await database.db.run(
    'UPDATE webhook_deliveries SET next_attempt_at = NOW(6) - INTERVAL 60 SECOND WHERE subscription_id = ?',
    [key.id],
  );

  const overdue = await listOverdue(database.db, { olderThanSeconds: 20, limit: 100 });
  const [one] = await claim(database.db, key, 1);
  await finishAttempt(database.db, one!, { ...FAILED, succeeded: true, error: null });
  await database.db.run(
    'UPDATE webhook_deliveries SET created_at = NOW(6) - INTERVAL 31 DAY WHERE subscription_id = ?',
    [key.id],
  );
  const deleted = await deleteOldDeliveries(database.db, { keepDays: 30, limit: 100 });

  t.true(
    overdue.webhooks.some(
      ({ licenseId, subscriptionId }) => licenseId === key.licenseId && subscriptionId === key.id,
    ),
  );
  t.is(deleted, 1, 'one that still waits is kept');
  await database.db.run(
    'UPDATE webhook_subscriptions SET deleted_at = NOW(6) - INTERVAL 2 HOUR, is_active = FALSE WHERE id = ?',
    [key.id],
  );
  t.is(await deleteOldDeliveries(database.db, { keepDays: 30, limit: 100 }), 1);
  t.is(await deleteOldDeliveries(database.db, { keepDays: 30, limit: 100 }), 0);
  t.deepEqual(await database.db.select('SELECT id FROM webhook_subscriptions WHERE id = ?', [key.id]), []);
});

test.serial('a delivery that is sent again as it is about to go stays', async (t) => {
  const { key } = await withDeliveries(database.db, 1);
  const { db } = database;
  const [claimed] = await claim(database.db, key);
  if (claimed === undefined) return t.fail('nothing was due');
  await finishAttempt(db, claimed, { ...FAILED, final: true });
  await db.run('UPDATE webhook_deliveries SET created_at = NOW(6) - INTERVAL 31 DAY WHERE id = ?', [
    claimed.id,
  ]);
  const delivery = { accountId: key.accountId, subscriptionId: key.id, uuid: claimed.uuid };
  const sendingAgain: Database = Object.create(db, {
    select: {
      value: async (sql: string, params: readonly SqlValue[]) => {
        const rows = await db.select(sql, params);
        await requeueDelivery(db, delivery);
        return rows;
      },
    },
  });

  await deleteOldDeliveries(sendingAgain, { keepDays: 30, limit: 100 });

  const kept = await findDelivery(db, delivery);
  t.is(kept?.status, 'pending');
  t.is(kept?.attempts.length, 1);
});

test('the attempt of a dead process ends with the webhook that was turned off meanwhile', async (t) => {
  const { key } = await withDeliveries(database.db, 2);
  const { db } = database;
  await claim(database.db, key, 1);
  await db.run('UPDATE webhook_subscriptions SET is_active = FALSE WHERE id = ?', [key.id]);

  const whileItMayLive = await failPending(db, key.id);
  await db.run(
    `UPDATE webhook_deliveries SET next_attempt_at = NOW(6) WHERE subscription_id = ? AND status = 'pending'`,
    [key.id],
  );
  const later = await failPending(db, key.id);

  t.deepEqual([whileItMayLive.failed, later.failed], [1, 1]);
  const ends = await db.select(
    `SELECT d.status, a.state FROM webhook_deliveries d LEFT JOIN webhook_attempts a ON a.delivery_id = d.id
     WHERE d.subscription_id = ? ORDER BY d.id`,
    [key.id],
  );
  t.deepEqual(ends, [
    { status: 'failed', state: 'unknown' },
    { status: 'failed', state: null },
  ]);
});

test('a delivery that a webhook gives up as it is turned off cannot be replayed for ever', async (t) => {
  const { key } = await withDeliveries(database.db, 1);
  const { db } = database;
  const replay = () =>
    requeueFailed(db, { accountId: key.accountId, subscriptionId: key.id, sinceSql: '2020-01-01 00:00:00' });
  await db.run('UPDATE webhook_subscriptions SET is_active = FALSE WHERE id = ?', [key.id]);

  let rounds = 0;
  for (; rounds < 100; rounds += 1) {
    await failPending(db, key.id);
    if ((await replay()) === 0) break;
  }

  t.is(rounds, 16, 'each uses six of a hundred attempts up');
});

test('a replay sends the oldest 10,000 again, and one at a time', async (t) => {
  const { key } = await withDeliveries(database.db, 1);
  const { db } = database;
  for (let n = 0; n < 2; n += 1) await insertFailed(key);
  const args = { accountId: key.accountId, subscriptionId: key.id, sinceSql: '2020-01-01 00:00:00' };

  const together = await Promise.all([requeueFailed(db, args), requeueFailed(db, args)]);
  const [left] = await db.select(
    `SELECT MIN(IF(status = 'failed', id, NULL)) > MAX(IF(status = 'pending', id, NULL)) AS are_newer, COUNT(*) AS n
     FROM webhook_deliveries WHERE subscription_id = ?`,
    [key.id],
  );
  const rest = await requeueFailed(db, args);

  t.deepEqual(together.toSorted(), [10_000, null]);
  t.deepEqual([left?.are_newer, left?.n], [1, 20_001]);
  t.is(rest, 10_000);
  t.is(await requeueFailed(db, args), 0);
});

test('lists, claims and sweeps read along their keys, unsorted', async (t) => {
  const { db } = database;
  const { key } = await withDeliveries(database.db, 1);
  await db.run(
    `INSERT INTO webhook_deliveries (uuid, subscription_id, account_id, event, event_id, payload, status, attempts_allowed,
       next_attempt_at)
     SELECT UUID(), ?, ?, 'shipment.created', UUID(), '{}', IF(n % 20 = 0, 'pending', 'succeeded'), 6,
       NOW(6) + INTERVAL n SECOND
     FROM (SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d AS n FROM (${DIGITS}) a, (${DIGITS}) b, (${DIGITS}) c, (${DIGITS}) e) s`,
    [key.id, key.accountId],
  );
  for (const table of ['webhook_deliveries', 'webhook_subscriptions'])
    await db.select(`ANALYZE TABLE ${table}`);
  const list = { accountId: key.accountId, subscriptionId: key.id, limit: 25 };
  const queries: ((counted: Executor) => Promise<unknown>)[] = [
    (counted) => listDeliveries(counted, list),
    (counted) => listDeliveries(counted, { ...list, status: 'pending', after: 9000 }),
    (counted) => listDeliveries(counted, { ...list, event: 'shipment.created', before: 100 }),
    (counted) =>
      claimDue({ ...db, ...counted }, { subscriptionId: key.id, limit: 8, busyShipments: new Set() }),
    (counted) => nextDueInMs(counted, DELIVERIES, key.id),
    (counted) => listOverdue(counted, { olderThanSeconds: 20, limit: 100 }),
  ];

  for (const query of queries) {
    const [plan] = await plansOf(db, query);
    const steps = plan?.filter(({ table }) => ['d', 'earlier'].includes(String(table)));
    for (const step of steps ?? []) {
      if (step.table === 'earlier') t.is(step.key, 'webhook_deliveries_shipment', JSON.stringify(plan));
      t.not(step.type, 'ALL', JSON.stringify(plan));
      t.false(String(step.Extra).includes('filesort'), JSON.stringify(plan));
    }
  }
});

/** Adds 10,000 failed deliveries. */
async function insertFailed(key: { id: string; accountId: number }): Promise<void> {
  await database.db.run(
    `INSERT INTO webhook_deliveries (uuid, subscription_id, account_id, event, event_id, payload, status, attempts,
       attempts_allowed)
     SELECT UUID(), ?, ?, 'shipment.created', UUID(), '{}', 'failed', 6, 6
     FROM (${DIGITS}) a, (${DIGITS}) b, (${DIGITS}) c, (${DIGITS}) e`,
    [key.id, key.accountId],
  );
}

const DIGITS =
  'SELECT 0 d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9';
