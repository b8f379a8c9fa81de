import { randomUUID } from 'node:crypto';
import test from 'ava';
import { insertWebhook, type WebhookKey } from '../../src/db/queries/webhooks.js';
import { createLimit } from '../../src/lib/limits/in-turns.js';
import { encrypt } from '../../src/lib/secrets.js';
import type { GuardedClient } from '../../src/outbound/guarded-client.js';
import { createWebhookServices } from '../../src/services/webhooks.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { insertTestAccount, insertTestLicense, TEST_APP_KEY } from '../support/factories.js';

/** What a subscription may store of long answers in a day, in answers. */
const LONG_ONES = 256;
const PAGE = 'x'.repeat(16_384);

let database: TestDatabase;
test.before(async () => {
  database = await createTestDatabase();
});
test.after.always(() => database?.drop());

async function newWebhook(): Promise<WebhookKey> {
  const { db } = database;
  const { accountId } = await insertTestAccount(db);
  const { licenseId } = await insertTestLicense(db, { accountId });
  const key = { accountId, licenseId, id: randomUUID() };
  await insertWebhook(db, key, {
    url: 'https://shop.test/',
    events: ['shipment.created'],
    secret: encrypt('whsec_test', TEST_APP_KEY),
    limit: 20,
  });
  return key;
}

test('long answers of one webhook fill a room of their own, then their beginnings are kept', async (t) => {
  const outbound: GuardedClient = {
    refusal: async () => null,
    post: async () => ({ kind: 'answered', status: 500, body: PAGE }),
  };
  const webhooks = createWebhookServices({
    db: database.db,
    config: { appKey: TEST_APP_KEY, webhookRetrySeconds: 30 },
    outbound,
    wake: () => undefined,
  });
  const [loud, other] = [await newWebhook(), await newWebhook()];
  const atOnce = createLimit(8);

  await Promise.all(Array.from({ length: LONG_ONES + 10 }, () => atOnce(() => webhooks.ping(loud))));
  const last = await webhooks.ping(loud);
  const first = await webhooks.ping(other);

  t.is(last.attempts[0]?.responseBody, 'x'.repeat(1024));
  t.is(first.attempts[0]?.responseBody, PAGE);
  const kept = await database.db.select(
    `SELECT CHAR_LENGTH(a.response_body) AS length, COUNT(*) AS n
     FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
     WHERE d.subscription_id = ? GROUP BY length ORDER BY length`,
    [loud.id],
  );
  t.deepEqual(kept, [
    { length: 1024, n: 11 },
    { length: PAGE.length, n: LONG_ONES },
  ]);
});
