import { randomBytes, randomUUID } from 'node:crypto';
import test from 'ava';
import { deleteExpiredKeys, findKey, takeKey } from '../../../src/db/queries/creation/idempotency.js';
import { addHits, deleteOldWindows } from '../../../src/db/queries/rate-limits.js';
import { listStatusNames } from '../../../src/db/queries/shipments/shipments.js';
import { isoToSql } from '../../../src/lib/time.js';
import { createTestDatabase } from '../../support/database.js';
import { insertTestAccount, insertTestLicense, insertTestShipment } from '../../support/factories.js';
import { insertRow } from '../../support/rows.js';

const database = await createTestDatabase();
test.after.always(() => database.drop());

test('hits of one window are added without loss by many at once', async (t) => {
  const { db } = database;
  const [keyHash, other] = [randomBytes(32), randomBytes(32)];
  const windowStart = 1_000_000_020;
  const add = (hits: number, at = windowStart) =>
    addHits(db, {
      windowStart: at,
      counts: [
        { keyHash, hits },
        { keyHash: other, hits: 1 },
      ],
    });

  await Promise.all(Array.from({ length: 40 }, () => add(3)));

  const sums = async (at?: number) => (await add(0, at)).map(({ hits }) => hits).sort((a, b) => a - b);
  t.deepEqual(await sums(), [41, 120]);
  t.deepEqual(await sums(windowStart + 60), [0, 1]);
  t.is(await deleteOldWindows(db, windowStart + 60, 1), 2);
  t.is(await deleteOldWindows(db, windowStart + 60), 0);
  t.deepEqual(await sums(windowStart + 60), [0, 2]);
});

test('status names are searched in any case, with no wildcard', async (t) => {
  const { db } = database;

  const all = await listStatusNames(db);

  t.is(all.length, 13);
  t.deepEqual(all, [...all].sort());
  t.deepEqual(await listStatusNames(db, 'DELIVER'), ['Delivered', 'Delivery failed', 'Out for delivery']);
  for (const text of ['%', '_', '\\', "'", '!']) t.deepEqual(await listStatusNames(db, text), []);
});

test('a key is found by account, API and hash until its answer expires', async (t) => {
  const { db } = database;
  const { accountId } = await insertTestAccount(db);
  const keyHash = randomBytes(32);
  const fingerprint = randomBytes(32);
  const uuid = randomUUID();
  const row = { account_id: accountId, api: 'v2', key_hash: keyHash, fingerprint, shipment_uuid: uuid };
  await insertRow(db, 'idempotency_keys', { ...row, expires_at: '2100-01-01 00:00:00' });
  await insertRow(db, 'idempotency_keys', {
    ...row,
    key_hash: fingerprint,
    response_status: 201,
    response_body: '{}',
    expires_at: '2020-01-01 00:00:00',
  });
  const open = randomBytes(32);
  await insertRow(db, 'idempotency_keys', { ...row, key_hash: open, expires_at: '2020-01-01 00:00:00' });
  const hex = keyHash.toString('hex');

  const found = await findKey(db, { accountId, api: 'v2', keyHash: hex });

  t.deepEqual(found, {
    fingerprint: fingerprint.toString('hex'),
    shipmentUuid: uuid,
    status: null,
    body: null,
  });
  t.is(await findKey(db, { accountId, api: 'v1', keyHash: hex }), null);
  t.is(await findKey(db, { accountId: accountId + 1, api: 'v2', keyHash: hex }), null);
  t.is(await findKey(db, { accountId, api: 'v2', keyHash: fingerprint.toString('hex') }), null);
  t.not(
    await findKey(db, { accountId, api: 'v2', keyHash: open.toString('hex') }),
    null,
    'its creation is open',
  );
});

test('a key that many want at once is taken by one, and nobody is run again after a deadlock', async (t) => {
  const { db } = database;
  const { accountId } = await insertTestAccount(db);
  for (let round = 0; round < 10; round++) {
    const hash = randomBytes(32).toString('hex');
    const idempotency = { api: 'v2', keyHash: hash, fingerprint: hash, keepForSeconds: 60 } as const;
    let runs = 0;
    const want = () =>
      db.transaction(async (tx) => {
        runs += 1;
        const taken = (await takeKey(tx, { accountId, idempotency, uuid: randomUUID() })) === undefined;
        const rows = await tx.select(
          `SELECT id FROM idempotency_keys WHERE account_id = ? AND api = 'v2' AND key_hash = ? FOR UPDATE`,
          [accountId, Buffer.from(hash, 'hex')],
        );
        return { taken, rows: rows.length };
      });

    const met = await Promise.all(Array.from({ length: 20 }, want));

    t.is(met.filter(({ taken }) => taken).length, 1);
    t.true(met.every(({ rows }) => rows === 1));
    t.is(runs, 20);
  }
});

// Serial: it deletes what has ended, of other tests too.
test.serial('expired keys are deleted unless their creation still runs', async (t) => {
  const { db } = database;
  const { accountId } = await insertTestAccount(db);
  const license = await insertTestLicense(db, { accountId });
  const running = await insertTestShipment(db, license, { state: 'reserved' });
  const finished = await insertTestShipment(db, license);
  const expires_at = isoToSql('2019-01-01T00:00:00.000000Z');
  const insert = (uuid: string, expires: string) =>
    insertRow(db, 'idempotency_keys', {
      account_id: accountId,
      api: 'v2',
      key_hash: randomBytes(32),
      fingerprint: randomBytes(32),
      shipment_uuid: uuid,
      expires_at: expires,
    });
  await insert(running.uuid, expires_at);
  await insert(finished.uuid, expires_at);
  await insert(finished.uuid, '2100-01-01 00:00:00');

  t.is(await deleteExpiredKeys(db, 1), 1);
  await deleteExpiredKeys(db, 100);

  t.is(await deleteExpiredKeys(db, 100), 0);
  const left = await db.select(
    'SELECT shipment_uuid FROM idempotency_keys WHERE account_id = ? ORDER BY expires_at',
    [accountId],
  );
  t.deepEqual(
    left.map((row) => row.shipment_uuid),
    [running.uuid, finished.uuid],
  );
});
