import test from 'ava';
import { recordStatus, setStatus } from '../../src/services/shipments/set-status.js';
import { eventually } from '../support/conditions.js';
import { createTestDatabase } from '../support/database.js';
import { insertTestAccount, insertTestLicense, insertTestShipment } from '../support/factories.js';

const database = await createTestDatabase();
test.after.always(() => database.drop());

test('setStatus: of two at once, the second is compared with what the first has set', async (t) => {
  const { db } = database;
  const { accountId } = await insertTestAccount(db);
  const license = await insertTestLicense(db, { accountId });
  const { uuid } = await insertTestShipment(db, license, { created_at: '2026-01-01 00:00:00.000000' });
  const app = { db, carriers: () => ({}), wake: () => undefined } as unknown as Parameters<
    typeof setStatus
  >[0];
  const minutesAgo = (minutes: number) =>
    new Date(Date.now() - minutes * 60_000).toISOString().replace('Z', '000Z');
  const waiting = `SELECT COUNT(*) AS count FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'`;
  let second: Promise<unknown> = Promise.resolve();

  await db.transaction(async (tx) => {
    await recordStatus(tx, app, { accountId, uuid, code: 'out_for_delivery', occurredAt: minutesAgo(1) });
    second = setStatus(app, { accountId, uuid, code: 'collected', occurredAt: minutesAgo(5) });
    second.catch(() => undefined);
    await eventually(async () => Number((await db.select(waiting))[0]?.count) > 0, 'the second to wait');
  });

  const error = await t.throwsAsync(second);
  t.like(error, { code: 'validation_failed' });
  t.regex(JSON.stringify(error), /must not be before .*Out for delivery/);
});
