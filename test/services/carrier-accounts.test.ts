import test from 'ava';
import { encrypt } from '../../src/lib/secrets.js';
import { createCarrierAccounts } from '../../src/services/carrier-accounts.js';
import { createTestDatabase } from '../support/database.js';
import { insertTestAccount, insertTestLicense, TEST_APP_KEY } from '../support/factories.js';

test('createCarrierAccounts: changed settings count after five seconds, whatever becomes of the clock', async (t) => {
  const { db, drop } = await createTestDatabase();
  t.teardown(drop);
  const { licenseId } = await insertTestLicense(db, await insertTestAccount(db));
  const accounts = createCarrierAccounts(db, TEST_APP_KEY);
  const cityOf = async () => (await accounts(licenseId, 'independent')).collectFrom.city;
  const first = await cityOf();
  await db.run(`UPDATE license_settings SET collect_city = 'Haifa'`);

  const kept = await cityOf();
  const { now } = Date;
  const elapsed = performance.now.bind(performance);
  t.teardown(() => {
    Date.now = now;
    performance.now = elapsed;
  });
  Date.now = () => now() - 3_600_000;
  performance.now = () => elapsed() + 5001;
  const later = await cityOf();

  t.deepEqual([first, kept, later], ['Tel Aviv', 'Tel Aviv', 'Haifa']);
});

test('createCarrierAccounts: an account is another one by what the carrier is asked with alone', async (t) => {
  const { db, drop } = await createTestDatabase();
  t.teardown(drop);
  const { licenseId } = await insertTestLicense(db, await insertTestAccount(db));
  const identityWith = async (settings: object, token: string) => {
    await db.run('UPDATE license_settings SET settings = ?, secrets = ?', [
      JSON.stringify(settings),
      encrypt(JSON.stringify({ token }), TEST_APP_KEY),
    ]);
    return (await createCarrierAccounts(db, TEST_APP_KEY)(licenseId, 'independent')).identity;
  };

  const first = await identityWith({ customer: '1', base_url: 'https://a.test' }, 'secret');
  const same = await identityWith(
    { base_url: 'https://a.test', customer: '1', timeout_ms: 5, statuses: { 1: 'created' } },
    'secret',
  );
  const others = [
    await identityWith({ customer: '2', base_url: 'https://a.test' }, 'secret'),
    await identityWith({ customer: '1', base_url: 'https://a.test' }, 'another'),
  ];

  t.is(first?.length, 27);
  t.is(same, first);
  t.false(others.includes(first));
});
