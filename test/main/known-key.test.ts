import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { AppKeys } from '../../src/lib/app-keys.js';
import { noteAppKeys } from '../../src/services/accounts/app-keys.js';
import { reEncrypt } from '../../src/services/admin/keys.js';
import { run } from '../../tools/launcher/run.js';
import { TEST_ACTOR } from '../support/actor.js';
import { createTestDatabase } from '../support/database.js';
import { appKeysOf, insertTestAccount } from '../support/factories.js';

const key = randomBytes(32);
const ring = (...ids: string[]) => ids.map((id) => `${id}:${key.toString('base64')}`).join(',');

const database = await createTestDatabase();
await noteAppKeys(database.db, appKeysOf(key));
test.after.always(() => database.drop());

async function start(
  name: string,
  APP_KEY: string,
  { args = [], url = database.url }: { args?: readonly string[]; url?: string } = {},
) {
  const script = fileURLToPath(new URL(`../../src/main/${name}.js`, import.meta.url));
  const env = {
    DATABASE_URL: url,
    TEMPORAL_ADDRESS: process.env.TEMPORAL_ADDRESS ?? '',
    APP_KEY,
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
    const { code, output } = await start(name, randomBytes(32).toString('base64'), { args });

    t.is(code, 1, output);
    t.regex(output, /APP_KEY: the key k1 must be the one with which the database was set up\n$/);
  });

  test(`${name}: an APP_KEY without the key that others seal with ends the process with a line that names it`, async (t) => {
    const { code, output } = await start(name, ring('k2'), { args });

    t.is(code, 1, output);
    t.regex(output, /APP_KEY: the key k1 is missing, with which other processes seal\n$/);
  });
}

test("admin: accepts the database's own APP_KEY", async (t) => {
  const { code, output } = await start('admin', key.toString('base64'), { args: ['app-secret', 'show'] });

  t.is(code, 0, output);
});

test('admin: a key that has sealed what is still stored must be there, and may go once another one has sealed it', async (t) => {
  const own = await createTestDatabase();
  t.teardown(own.drop);
  const keysOf = (...ids: string[]) => new AppKeys(new Map(ids.map((id) => [id, key])));
  await noteAppKeys(own.db, keysOf('k1'));
  await insertTestAccount(own.db, { appKeys: keysOf('k1') });
  await noteAppKeys(own.db, keysOf('k2', 'k1'));
  const show = () => start('admin', ring('k2'), { args: ['app-secret', 'show'], url: own.url });

  const needed = await show();
  await reEncrypt({ db: own.db, actor: TEST_ACTOR, config: { appKeys: keysOf('k2', 'k1') } });
  const free = await show();

  t.is(needed.code, 1, needed.output);
  t.regex(needed.output, /APP_KEY: the key k1 is missing, with which 2 stored values are sealed\n$/);
  t.is(free.code, 0, free.output);
});
