import test from 'ava';
import { allCarriers } from '../../src/carriers/registry.js';
import { checkLicense } from '../../src/services/admin/check-license.js';
import { sandboxProviders, startSandbox } from '../../tools/doubles/carriers/server.js';
import { runAdmin } from '../support/admin.js';
import { insertCarrierLicense } from '../support/carrier-licenses.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import {
  appKeysOf,
  insertTestAccount,
  insertTestLicense,
  TEST_APP_KEY,
  TEST_APP_KEYS,
} from '../support/factories.js';
import { SandboxClient } from '../support/sandbox-client.js';

const config = { appKeys: TEST_APP_KEYS };
const collectFrom = { street: 'Herzl', number: '1', city: 'Tel Aviv', company: 'Blue' };

let database: TestDatabase;
let accountId: number;
test.before(async () => {
  database = await createTestDatabase();
  ({ accountId } = await insertTestAccount(database.db));
});
test.after.always(() => database.drop());

const check = (license: string) =>
  checkLicense({ db: database.db, config, adapters: allCarriers() }, { license });

for (const provider of sandboxProviders()) {
  test(`${provider}: the right token, a wrong one, trouble, and a carrier that is away`, async (t) => {
    const sandbox = await startSandbox(provider);
    const client = new SandboxClient(sandbox.url);
    const { db } = database;
    const { key } = await insertCarrierLicense(
      { db, config },
      { accountId, provider, baseUrl: sandbox.url, collectFrom },
    );

    await client.configure({ token: 'sandbox-token' });
    const right = await check(key);
    await client.configure({ token: 'another-token' });
    const wrong = await check(key);
    await sandbox.close();
    const away = await check(key);

    t.like(right, { license: key, provider, result: 'holds' });
    t.regex(right.answer, /took the credentials\.$/);
    t.is(wrong.result, 'refused');
    t.regex(wrong.answer, /does not take the credentials: The carrier answered HTTP 401\./);
    t.is(away.result, 'away');
    t.regex(away.answer, /The address may be wrong, or the carrier away\.$/);
  });
}

test('nobody is asked about the own couriers, nor with secrets that cannot be opened', async (t) => {
  const own = await insertTestLicense(database.db, { accountId });
  const sealed = await insertTestLicense(database.db, {
    accountId,
    provider: 'run',
    appKeys: appKeysOf(Buffer.alloc(32, 9)),
  });

  const results = [await check(own.key), await check(sealed.key)];

  t.deepEqual(
    results.map(({ result }) => result),
    ['not_asked', 'refused'],
  );
});

test('licenses check: prints the answer, and ends with 1 where the license does not work', async (t) => {
  const sandbox = await startSandbox('lionwheel');
  t.teardown(() => sandbox.close());
  const { key } = await insertCarrierLicense(
    { db: database.db, config },
    { accountId, provider: 'lionwheel', baseUrl: sandbox.url },
  );
  const env = { DATABASE_URL: database.url, APP_KEY: TEST_APP_KEY.toString('base64') };

  const right = await runAdmin(['licenses', 'check', key], env);
  await new SandboxClient(sandbox.url).configure({ token: 'another-token' });
  const wrong = await runAdmin(['licenses', 'check', key, '--json'], env);

  t.is(right.code, 0, right.err);
  t.regex(right.out, /^result +holds$/m);
  t.is(wrong.code, 1);
  t.is(JSON.parse(wrong.out).result, 'refused');
});
