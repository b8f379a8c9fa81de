import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { inBudget } from '../../activities/budget.js';
import { createRetentionActivities } from '../../activities/retention.js';
import type { Database, SqlValue } from '../../src/db/database.js';
import { requeueFailed } from '../../src/db/queries/batches/batches.js';
import { deleteOldBatches } from '../../src/db/queries/retention.js';
import { dismissUnclaimed, listNeedingAttention } from '../../src/db/queries/shipments/attention.js';
import { createStorage } from '../../src/documents/storage.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { insertTestLicense } from '../support/factories.js';
import { type TestStack } from '../support/stack.js';

/** Days after which each kind goes here; what is a day younger stays. */
const KEEP = {
  RETENTION_DELIVERY_DAYS: '10',
  RETENTION_RESPONSE_DAYS: '11',
  RETENTION_INBOUND_DAYS: '12',
  RETENTION_BATCH_DAYS: '13',
  RETENTION_NOTIFICATION_DAYS: '14',
  RETENTION_ATTEMPT_DAYS: '15',
  RETENTION_REFUSAL_DAYS: '16',
  RETENTION_LABEL_DAYS: '17',
};
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack({ env: KEEP }));
});

test.after.always(() => stack?.close());

async function sweep(): Promise<void> {
  const { db, config } = stack;
  const { deleteOld } = createRetentionActivities({ db, config, storage: createStorage(config.storage) });
  await new MockActivityEnvironment().run(deleteOld);
}

async function created(): Promise<{ id: number; uuid: string }> {
  const { body, status, text } = await api.create(shipmentBody(stack.account, 'run'));
  if (status !== 201) throw new Error(text);
  const [row] = await stack.db.select('SELECT id FROM shipments WHERE uuid = ?', [body.data.uuid]);
  return { id: Number(row?.id), uuid: body.data.uuid };
}

const uuidsIn = async (table: string, column = 'uuid') =>
  (await stack.db.select(`SELECT ${column} FROM ${table}`)).map((row) => row[column]);

test.serial('batches go with their items once they have ended for long enough', async (t) => {
  const post = async () => {
    const shipments = [shipmentBody(stack.account, 'independent')];
    const { body } = await api.post('/batches', {
      shipments,
      license_key: stack.account.licenseKeys.independent,
    });
    return String(body.data.id);
  };
  const [old, young, open] = [await post(), await post(), await post()];
  const age = (uuid: string, days: number, pending: number) =>
    stack.db.run(
      `UPDATE batches SET created_at = NOW(6) - INTERVAL ? DAY, updated_at = NOW(6) - INTERVAL ? DAY,
         pending_count = ? WHERE uuid = ?`,
      [days, days, pending, uuid],
    );
  await age(old, 14, 0);
  await age(young, 12, 0);
  await age(open, 14, 1);

  await sweep();

  t.deepEqual((await uuidsIn('batches')).toSorted(), [young, open].toSorted());
  const left = await stack.db.select('SELECT b.uuid FROM batch_items i JOIN batches b ON b.id = i.batch_id');
  t.is(left.length, 2);
  t.is((await stack.db.select('SELECT id FROM batch_items')).length, 2);
});

test.serial('a batch that is retried as it is about to go keeps its items', async (t) => {
  const { body } = await api.post('/batches', {
    shipments: [shipmentBody(stack.account, 'independent')],
    license_key: stack.account.licenseKeys.independent,
  });
  const { id: uuid } = body.data;
  const isOver = async () => (await api.get(`/batches/${uuid}`)).body.data.status === 'completed';
  await eventually(isOver, 'the end of the batch');
  await stack.db.run(
    `UPDATE batches b JOIN batch_items i ON i.batch_id = b.id
     SET i.status = 'failed', b.created_count = 0, b.failed_count = 1, b.created_at = NOW(6) - INTERVAL 20 DAY,
       b.updated_at = NOW(6) - INTERVAL 20 DAY WHERE b.uuid = ?`,
    [uuid],
  );
  const retrying: Database = Object.create(stack.db, {
    select: {
      value: async (sql: string, params: readonly SqlValue[]) => {
        const rows = await stack.db.select(sql, params);
        await requeueFailed(stack.db, { accountId: stack.account.id, uuid });
        return rows;
      },
    },
  });

  await deleteOldBatches(retrying, { keepDays: 13, limit: 1000 });

  const items = await stack.db.select(
    'SELECT i.status, b.pending_count FROM batch_items i JOIN batches b ON b.id = i.batch_id WHERE b.uuid = ?',
    [uuid],
  );
  t.deepEqual(items, [{ status: 'pending', pending_count: 1 }]);
});

test.serial('mails to recipients go, but for those that are due', async (t) => {
  const { id } = await created();
  const insert = (event: string, days: number, status: string) =>
    stack.db.run(
      `INSERT INTO notification_logs (account_id, license_id, shipment_id, event, event_id, data, status, created_at)
       SELECT account_id, license_id, id, ?, UUID(), '{}', ?, NOW(6) - INTERVAL ? DAY FROM shipments WHERE id = ?`,
      [event, status, days, id],
    );
  await insert('old', 15, 'sent');
  await insert('young', 13, 'failed');
  await insert('due', 15, 'pending');

  await sweep();

  t.deepEqual((await uuidsIn('notification_logs', 'event')).sort(), ['due', 'young']);
});

test.serial('calls to carriers go, but for those of open bookings', async (t) => {
  const [old, young, open] = [await created(), await created(), await created()];
  const age = (uuid: string, days: number) =>
    stack.db.run('UPDATE carrier_attempts SET sent_at = NOW(6) - INTERVAL ? DAY WHERE shipment_uuid = ?', [
      days,
      uuid,
    ]);
  await Promise.all([age(old.uuid, 16), age(young.uuid, 14), age(open.uuid, 16)]);
  await stack.db.run(`UPDATE shipments SET state = 'reserved' WHERE id = ?`, [open.id]);

  await sweep();

  const left = await uuidsIn('carrier_attempts', 'shipment_uuid');
  t.deepEqual(
    [old, young, open].map(({ uuid }) => left.includes(uuid)),
    [false, true, true],
  );
  await stack.db.run(`UPDATE shipments SET state = 'created' WHERE id = ?`, [open.id]);
});

test.serial('refused shipments go with orders that have no other, and created ones stay', async (t) => {
  const [alone, shared, young, live] = [await created(), await created(), await created(), await created()];
  const orderOf = async (id: number) =>
    (await stack.db.select('SELECT order_id FROM shipments WHERE id = ?', [id]))[0]?.order_id;
  const [aloneOrder, liveOrder] = [await orderOf(alone.id), await orderOf(live.id)];
  await stack.db.run('UPDATE shipments SET order_id = ? WHERE id = ?', [Number(liveOrder), shared.id]);
  const refuse = (id: number, days: number) =>
    stack.db.run(
      `UPDATE shipments SET state = 'refused', created_at = NOW(6) - INTERVAL 20 DAY,
         updated_at = NOW(6) - INTERVAL ? DAY WHERE id = ?`,
      [days, id],
    );
  await Promise.all([refuse(alone.id, 17), refuse(shared.id, 17), refuse(young.id, 15)]);
  await stack.db.run('UPDATE shipments SET created_at = NOW(6) - INTERVAL 17 DAY WHERE id = ?', [live.id]);

  await sweep();

  const left = await uuidsIn('shipments');
  t.deepEqual(
    [alone, shared, young, live].map(({ uuid }) => left.includes(uuid)),
    [false, false, true, true],
  );
  const orders = await uuidsIn('orders', 'id');
  t.false(orders.includes(Number(aloneOrder)));
  t.true(orders.includes(Number(liveOrder)));
});

test.serial(
  'a parcel that was booked after it was given up stays until somebody took care of it',
  async (t) => {
    const { id, uuid } = await created();
    const age = () =>
      stack.db.run(
        `UPDATE shipments SET state = 'refused', created_at = NOW(6) - INTERVAL 17 DAY,
           updated_at = NOW(6) - INTERVAL 17 DAY WHERE id = ?`,
        [id],
      );
    await stack.db.run(`UPDATE shipments SET status_code = 'needs_attention' WHERE id = ?`, [id]);
    await age();
    const isListed = async () =>
      (await listNeedingAttention(stack.db, { limit: 500 })).some((one) => one.uuid === uuid);

    await sweep();
    const kept = await isListed();
    await dismissUnclaimed(stack.db, { uuid, reason: 'cancelled by phone' });
    await age();
    await sweep();

    t.true(kept);
    t.false((await uuidsIn('shipments')).includes(uuid));
  },
);

test.serial(
  'addresses of labels and label files go, and a label that is asked for is there again',
  async (t) => {
    const { uuid } = await created();
    const path = `/shipments/${uuid}/label`;
    const first = await api.get(path);
    const root = String(stack.env.STORAGE_DIR);
    const put = (key: string, days: number) => {
      mkdirSync(dirname(join(root, key)), { recursive: true });
      writeFileSync(join(root, key), 'x');
      const at = Date.now() / 1000 - days * 86_400;
      utimesSync(join(root, key), at, at);
    };
    put('labels/no-hash/old.pdf', 18);
    put('labels/no-hash/young.pdf', 16);
    put('carrier-labels/no-hash/old.pdf', 18);
    put('carrier-labels/no-hash/young.pdf', 16);
    put('incoming/cut-off', 2);
    put('incoming/under-way', 0);
    put('logos/old', 400);
    await stack.db.run('UPDATE label_sets SET created_at = NOW(6) - INTERVAL 18 DAY');

    await sweep();
    const gone = await fetch(`${api.url}${new URL(first.body.data.url).pathname}`);
    const again = await api.get(path);

    const filesIn = (folder: string) => readdirSync(join(root, folder));
    t.deepEqual(filesIn('labels/no-hash'), ['young.pdf']);
    t.deepEqual(filesIn('carrier-labels/no-hash'), ['young.pdf']);
    t.deepEqual(filesIn('incoming'), ['under-way']);
    t.deepEqual(filesIn('logos'), ['old']);
    t.is(gone.status, 404);
    t.is(again.status, 200, again.text);
    t.not(again.body.data.url, first.body.data.url);
  },
);

test.serial('answers of API v1 and carriers’ webhooks go', async (t) => {
  const [license] = await stack.db.select('SELECT id FROM licenses LIMIT 1');
  for (const [name, days] of [
    ['old', 12],
    ['young', 10],
  ] as const) {
    await stack.db.run(
      `INSERT INTO response_logs (route, status, body, created_at) VALUES (?, 200, '{}', UTC_TIMESTAMP(6) - INTERVAL ? DAY)`,
      [name, days],
    );
    await stack.db.run(
      `INSERT INTO inbound_events (license_id, event_key, parcel, carrier_code, carrier_description, occurred_at,
         status, finished_at)
       VALUES (?, UNHEX(SHA2(?, 256)), ?, '', '', NOW(6), 'applied', NOW(6) - INTERVAL ? DAY)`,
      [Number(license?.id), name, name, days + 1],
    );
  }

  await sweep();

  t.deepEqual(await uuidsIn('response_logs', 'route'), ['young']);
  t.deepEqual(await uuidsIn('inbound_events', 'parcel'), ['young']);
});

test.serial('a file of an export that cannot be deleted keeps no other', async (t) => {
  const { db, config } = stack;
  const license = await insertTestLicense(db, { accountId: stack.account.id });
  const insert = async (days: number) => {
    const fileUuid = randomUUID();
    await db.run(
      `INSERT INTO exports (account_id, license_id, format, filter, status, file_uuid, file_expires_at)
       VALUES (?, ?, 'csv', '{}', 'completed', ?, NOW(6) - INTERVAL ? DAY)`,
      [stack.account.id, license.licenseId, fileUuid, days],
    );
    return fileUuid;
  };
  const [locked, free] = [await insert(9), await insert(8)];
  const deleted: string[] = [];
  const storage = {
    ...createStorage(config.storage),
    async delete(key: string) {
      if (key.includes(locked)) throw new Error('the object is locked');
      deleted.push(key);
    },
  };
  const { deleteOld } = createRetentionActivities({ db, storage, config });

  await t.throwsAsync(new MockActivityEnvironment().run(deleteOld), { message: 'the object is locked' });

  t.deepEqual(
    deleted.map((key) => key.includes(free)),
    [true],
  );
  const left = await db.select('SELECT file_uuid FROM exports WHERE file_expires_at IS NOT NULL');
  t.deepEqual(left, [{ file_uuid: locked }]);
  await db.run('DELETE FROM exports WHERE license_id = ?', [license.licenseId]);
});

test('a sweep ends with its process, however much there is', async (t) => {
  const environment = new MockActivityEnvironment();
  environment.cancel();

  const deleted = await environment.run(() => inBudget(async () => 1, 60_000));

  t.is(deleted, 1);
});

test.serial('a step that fails keeps no other away', async (t) => {
  const { db, config } = stack;
  await db.run(
    `INSERT INTO response_logs (route, status, body, created_at) VALUES ('late', 200, '{}', UTC_TIMESTAMP(6) - INTERVAL 12 DAY)`,
  );
  const storage = {
    ...createStorage(config.storage),
    async *deleteOld() {
      yield 0;
      throw new Error('the store is away');
    },
  };
  const { deleteOld } = createRetentionActivities({
    db,
    storage,
    config: { retention: { ...config.retention, deliveryDays: Number.NaN } },
  });

  await t.throwsAsync(new MockActivityEnvironment().run(deleteOld));

  t.false((await uuidsIn('response_logs', 'route')).includes('late'));
});
