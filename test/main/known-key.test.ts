import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { noteAppKey } from '../../src/services/accounts/app-key.js';
import { run } from '../../tools/launcher/run.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const key = randomBytes(32);
let database: TestDatabase;

test.before(async () => {
  database = await createTestDatabase();
  await noteAppKey(database.db, key);
  // As a later deployment with another key does.
  await noteAppKey(database.db, randomBytes(32));
});
test.after.always(() => database?.drop());

async function start(name: string, appKey: Buffer, args: readonly string[] = []) {
  const script = fileURLToPath(new URL(`../../src/main/${name}.js`, import.meta.url));
  const env = {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: process.env.TEMPORAL_ADDRESS ?? '',
    APP_KEY: appKey.toString('base64'),
    LOG_LEVEL: 'silent',
  };
  return await run(process.execPath, [script, ...args], { env, timeoutMs: 60_000 });
}

for (const [name, args] of [
  ['api', []],
  ['worker', []],
  ['admin', ['app-secret', 'rotate']],
] as const) {
  test(`${name}: another APP_KEY than the database's ends the process with a line that names it`, async (t) => {
    const { code, output } = await start(name, randomBytes(32), args);

    t.is(code, 1, output);
    t.regex(output, /APP_KEY: must be the one with which the database was set up\n$/);
  });
}

test("admin: accepts the database's own APP_KEY", async (t) => {
  const { code, output } = await start('admin', key, ['app-secret', 'show']);

  t.is(code, 0, output);
});
