import { randomBytes } from 'node:crypto';
import test from 'ava';
import { runAdminUnread } from '../support/admin.js';
import { createTestDatabase } from '../support/database.js';

test('a reader that closes the pipe early, such as head, causes no failure', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());

  const run = await runAdminUnread(['needs-attention'], {
    DATABASE_URL: database.url,
    APP_KEY: randomBytes(32).toString('base64'),
  });

  t.deepEqual(run, { code: 0, err: '' });
});
