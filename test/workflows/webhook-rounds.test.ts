import { setTimeout as delay } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createSendDueActivity } from '../../activities/webhook-sending.js';
import type { SendDueResult } from '../../src/contracts/deliver-webhooks.js';
import type { Database, SqlValue } from '../../src/db/database.js';
import { insertWebhook } from '../../src/db/queries/webhooks/webhooks.js';
import { uuidV7 } from '../../src/lib/ids.js';
import { createTestDatabase } from '../support/database.js';
import { insertTestAccount, insertTestLicense, TEST_APP_KEYS } from '../support/factories.js';
import { patient } from '../support/patience.js';

test('sendDue: a round that has nothing to send ends soon, though the clock is set back', async (t) => {
  const { db, drop } = await createTestDatabase();
  t.teardown(drop);
  const { accountId, licenseId } = await insertTestLicense(db, await insertTestAccount(db));
  const id = uuidV7();
  const values = { url: 'https://shop.example/hook', events: [], secret: Buffer.alloc(1), limit: 1 };
  await insertWebhook(db, { id, accountId, licenseId }, values);
  const { now } = Date;
  t.teardown(() => {
    Date.now = now;
  });
  let looks = 0;
  const watched: Database = Object.create(db, {
    select: {
      value: async (sql: string, params: readonly SqlValue[]) => {
        looks += 1;
        // Before the round, and once in it.
        if (looks === 2) Date.now = () => now() - 3_600_000;
        return await db.select(sql, params);
      },
    },
  });
  const post = () => Promise.reject(new Error('nothing is due'));
  const outbound = { post, refusal: async () => null };
  const config = { appKeys: TEST_APP_KEYS, webhookRetrySeconds: 1 };
  const sendDue = createSendDueActivity({ db: watched, outbound, config });
  const environment = new MockActivityEnvironment();

  const round = environment.run<[{ subscriptionId: string }], SendDueResult, typeof sendDue>(sendDue, {
    subscriptionId: id,
  });
  const isOver = await Promise.race([round.then(() => true), delay(patient(10_000), false)]);
  environment.cancel();

  t.true(isOver);
  t.like(await round, { counts: { sent: 0 }, nextDueInMs: null });
  t.true(looks > 2);
});
