import test from 'ava';
import { type Database, openDatabase } from '../../src/db/database.js';
import {
  listNotificationLogs,
  type NotificationStatus,
} from '../../src/db/queries/mails/notification-logs.js';
import { listOrderSizes } from '../../src/db/queries/shipments/orders.js';
import { fillShipments } from '../support/bulk.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { insertTestAccount, insertTestLicense, type TestLicense } from '../support/factories.js';
import { rowsReadBy } from '../support/plans.js';

const ROWS = 20_000;
const LIMIT = 25;
let database: TestDatabase;
/** One connection, so that the session's counters are those of the list. */
let one: Database;
let large: TestLicense;
let small: TestLicense;

/** Nearly all creations of an account were refused, and nearly all mails of them are of one event and were sent. */
test.before(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const { accountId } = await insertTestAccount(db);
  large = await insertTestLicense(db, { accountId });
  small = await insertTestLicense(db, { accountId });
  await fillShipments(db, large, ROWS);
  await fillShipments(db, small, 100);
  await db.run(
    `INSERT INTO notification_logs (account_id, license_id, shipment_id, event, event_id, data, status)
     SELECT account_id, license_id, id, IF(id <= 40, 'shipment.delivered', 'shipment.created'), uuid, '{}',
       IF(id <= 60, 'failed', 'sent') FROM shipments WHERE license_id = ? ORDER BY id`,
    [large.licenseId],
  );
  await db.run(`UPDATE shipments SET state = 'refused' WHERE id BETWEEN 60 AND ?`, [ROWS - 10]);
  await db.run(`UPDATE shipments SET state = 'refused' WHERE license_id = ? AND id % 2 = 0`, [
    small.licenseId,
  ]);
  for (const table of ['orders', 'shipments', 'notification_logs']) await db.select(`ANALYZE TABLE ${table}`);
  one = openDatabase({ url: database.url, poolSize: 1 });
});
test.after.always(async () => {
  await one.close();
  await database.drop();
});

test.serial('orders: those that were refused are not read on the way to the others', async (t) => {
  const { accountId } = large;
  for (const licenseIds of [[large.licenseId], [large.licenseId, small.licenseId], [small.licenseId]]) {
    for (const position of [{}, { after: ROWS - 5 }, { before: 50 }, { before: 1 }]) {
      const list = { accountId, licenseIds, limit: LIMIT, ...position };
      const cost = await rowsReadBy(one, () => listOrderSizes(one, list));
      t.true(cost < 400, `${cost} rows for ${JSON.stringify(list)}`);
    }
  }
});

test.serial('orders: pages from either end are those of the plain list', async (t) => {
  const { accountId } = large;
  for (const licenseIds of [[large.licenseId], [large.licenseId, small.licenseId]]) {
    const accepted = await one.select(
      `SELECT DISTINCT order_id AS id FROM shipments WHERE state = 'created' AND license_id IN (${licenseIds.join()})
       ORDER BY order_id DESC`,
    );
    const expected = accepted.map(({ id }) => Number(id));
    const forth: number[] = [];
    const back: number[] = [];
    for (let after: number | undefined; ; after = forth.at(-1)) {
      const page = await listOrderSizes(one, {
        accountId,
        licenseIds,
        limit: LIMIT,
        ...(after === undefined ? {} : { after }),
      });
      forth.push(...page.slice(0, LIMIT).map(({ id }) => id));
      if (page.length <= LIMIT) break;
    }
    for (let before = expected.at(-1) ?? 0; ; before = back.at(0) ?? 0) {
      const page = await listOrderSizes(one, { accountId, licenseIds, limit: LIMIT, before });
      back.unshift(...page.slice(-LIMIT).map(({ id }) => id));
      if (page.length <= LIMIT) break;
    }
    t.deepEqual(forth, expected);
    t.deepEqual(back, expected.slice(0, -1));
  }
});

test.serial('mails: those of one event or of one end are read along their key', async (t) => {
  const { accountId, licenseId } = large;
  const filters: { event?: string; status?: NotificationStatus; length: number }[] = [
    { length: LIMIT + 1 },
    { event: 'shipment.delivered', length: LIMIT + 1 },
    { event: 'shipment.cancelled', length: 0 },
    { event: 'shipment.created', length: LIMIT + 1 },
    { status: 'failed', length: LIMIT + 1 },
    { status: 'skipped', length: 0 },
    { status: 'failed', event: 'shipment.delivered', length: LIMIT + 1 },
    { status: 'sent', event: 'shipment.delivered', length: 0 },
  ];
  for (const { length, ...filter } of filters) {
    const list = { accountId, licenseId, limit: LIMIT, ...filter };
    const found: unknown[] = [];
    const cost = await rowsReadBy(one, async () => found.push(...(await listNotificationLogs(one, list))));
    t.is(found.length, length, JSON.stringify(list));
    t.true(cost < 200, `${cost} rows for ${JSON.stringify(list)}`);
  }
});
