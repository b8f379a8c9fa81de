import test from 'ava';
import { DELIVERIES, nextDueInMs } from '../../../src/db/queries/leased-queue.js';
import { findDelivery } from '../../../src/db/queries/webhooks/deliveries.js';
import { finishAttempt } from '../../../src/db/queries/webhooks/delivery-sending.js';
import { createTestDatabase } from '../../support/database.js';
import { claim, FAILED, recordCreated, withDeliveries } from '../../support/delivery-rows.js';
import { insertTestShipment } from '../../support/factories.js';

const database = await createTestDatabase();
test.after.always(() => database.drop());

test('two claimers never take the same delivery, and what is taken is not due', async (t) => {
  const { key } = await withDeliveries(database.db, 12);

  const taken = (await Promise.all(Array.from({ length: 6 }, () => claim(database.db, key, 4)))).flat();
  const rest = await claim(database.db, key, 100);

  t.is(new Set(taken.map(({ id }) => id)).size, taken.length);
  t.is(taken.length + rest.length, 12);
  t.deepEqual(await claim(database.db, key), []);
  const next = await nextDueInMs(database.db, DELIVERIES, key.id);
  t.true(next !== null && next > 20_000 && next <= 30_000, String(next));
});

test('events of one shipment are taken one after another', async (t) => {
  const { license, key } = await withDeliveries(database.db, 0);
  const shipment = await insertTestShipment(database.db, license);
  const other = await insertTestShipment(database.db, license);
  await recordCreated(database.db, license, shipment.id);
  await recordCreated(database.db, license, shipment.id);
  await recordCreated(database.db, license, other.id);

  const first = await claim(database.db, key);
  const second = await claim(database.db, key, 10, [shipment.id]);
  const third = await claim(database.db, key);
  await finishAttempt(database.db, first[0]!, { ...FAILED, succeeded: true });
  await database.db.run('UPDATE webhook_deliveries SET next_attempt_at = NOW(6) WHERE shipment_id = ?', [
    shipment.id,
  ]);
  const fourth = await claim(database.db, key);

  t.deepEqual(
    first.map(({ shipmentId }) => shipmentId),
    [shipment.id, other.id],
  );
  t.deepEqual([second, third], [[], []]);
  t.deepEqual(
    fourth.map(({ shipmentId }) => shipmentId),
    [shipment.id],
  );
});

test('a later event of a shipment waits while an earlier one is tried again, and the others go on', async (t) => {
  const { license, key } = await withDeliveries(database.db, 0);
  const { db } = database;
  const shipment = await insertTestShipment(db, license);
  const others = [await insertTestShipment(db, license), await insertTestShipment(db, license)];
  await recordCreated(database.db, license, shipment.id);
  const [first] = await claim(database.db, key);
  if (first === undefined) return t.fail('nothing was due');
  await finishAttempt(db, first, FAILED);
  // More than a claim looks at.
  for (let event = 0; event < 40; event += 1) await recordCreated(database.db, license, shipment.id);
  for (const other of others) await recordCreated(database.db, license, other.id);

  const meanwhile = await claim(database.db, key);
  const dueInMs = await nextDueInMs(db, DELIVERIES, key.id);
  await db.run(
    "UPDATE webhook_deliveries SET next_attempt_at = NOW(6) WHERE subscription_id = ? AND status = 'pending'",
    [key.id],
  );
  const [again, ...rest] = await claim(
    database.db,
    key,
    10,
    others.map(({ id }) => id),
  );
  await finishAttempt(db, again!, { ...FAILED, final: true });
  const [second] = await claim(
    database.db,
    key,
    10,
    others.map(({ id }) => id),
  );

  t.deepEqual(
    meanwhile.map(({ shipmentId }) => shipmentId),
    others.map(({ id }) => id),
  );
  t.true(dueInMs !== null && dueInMs > 20_000 && dueInMs <= 30_000, String(dueInMs));
  t.deepEqual([again?.id, rest], [first.id, []]);
  t.true(second !== undefined && second.shipmentId === shipment.id && second.id > first.id);
});

test('the attempt of a dead process is unknown, does not count, and is made again', async (t) => {
  const { key } = await withDeliveries(database.db, 1);
  const [dead] = await claim(database.db, key);
  await database.db.run('UPDATE webhook_deliveries SET next_attempt_at = NOW(6) WHERE id = ?', [
    dead?.id ?? 0,
  ]);

  const [again] = await claim(database.db, key);
  await finishAttempt(database.db, dead!, { ...FAILED, succeeded: true, status: 200, error: null });
  await finishAttempt(database.db, again!, FAILED);

  t.is(again?.number, 2);
  t.is(again?.eventId, dead?.eventId);
  const record = await findDelivery(database.db, {
    accountId: key.accountId,
    subscriptionId: key.id,
    uuid: dead?.uuid ?? '',
  });
  t.is(record?.status, 'pending');
  t.like(record?.attempts[0], { number: 1, durationMs: null, responseStatus: null });
  t.regex(record?.attempts[0]?.error ?? '', /ended before/);
  t.like(record?.attempts[1], { number: 2, responseStatus: 500 });
  const [row] = await database.db.select(
    'SELECT attempts, attempts_allowed FROM webhook_deliveries WHERE id = ?',
    [dead?.id ?? 0],
  );
  t.deepEqual([row?.attempts, row?.attempts_allowed], [2, 7]);
});
