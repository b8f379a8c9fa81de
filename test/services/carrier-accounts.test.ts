import test from 'ava';
import { allCarriers, carrierFor } from '../../src/carriers/registry.js';
import { syncCarriers } from '../../src/db/migrate.js';
import { insertLicenseSettings } from '../../src/db/queries/accounts/license-setup.js';
import { createCarrierAccounts } from '../../src/services/carriers/carrier-accounts.js';

import { eventually } from '../support/conditions.js';
import { createTestDatabase } from '../support/database.js';
import { findCarrierId, insertTestAccount, insertTestLicense, TEST_APP_KEYS } from '../support/factories.js';

/** A token identifies the account only if nothing else does. */
const NAMING_THE_ACCOUNT: Readonly<Record<string, string[]>> = {
  independent: [],
  run: ['base_url', 'customer_number'],
  lionwheel: ['base_url', 'company_id', 'key'],
  cargo: ['base_url', 'box_customer_code', 'collection_customer_code', 'customer_code'],
  getpackage: ['base_url', 'token'],
  wolt_drive: ['base_url', 'venue_id'],
};

test('createCarrierAccounts: changed settings apply after five seconds, even if the clock is set back', async (t) => {
  const { db, drop } = await createTestDatabase();
  t.teardown(drop);
  const { licenseId } = await insertTestLicense(db, await insertTestAccount(db));
  const accounts = createCarrierAccounts(db, TEST_APP_KEYS, carrierFor);
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
  // The cache reads the clock once per millisecond.
  const later = await eventually(async () => {
    const city = await cityOf();
    return city !== kept && city;
  }, 'the changed settings');

  t.deepEqual([first, kept, later], ['Tel Aviv', 'Tel Aviv', 'Haifa']);
});

for (const { provider, displayName, configSchema } of allCarriers()) {
  const named = NAMING_THE_ACCOUNT[provider];

  test(`createCarrierAccounts: only ${named?.join(', ')} identify the account of ${provider}`, async (t) => {
    const { db, drop } = await createTestDatabase();
    t.teardown(drop);
    await syncCarriers(db, [{ provider, name: displayName }]);
    const { licenseId } = await insertTestLicense(db, await insertTestAccount(db));
    const providerId = (await findCarrierId(db, provider)) ?? 0;
    await db.run('DELETE FROM license_settings WHERE license_id = ?', [licenseId]);
    await insertLicenseSettings(db, { licenseId, providerId, settings: {}, secrets: null });
    const names = Object.entries<object>(Reflect.get(configSchema, 'properties') as Record<string, object>);
    const identityWith = async (changed: string | null) => {
      const valuesOf = (isSecret: boolean) =>
        Object.fromEntries(
          names
            .filter(([, schema]) => Reflect.has(schema, 'x-secret') === isSecret)
            .map(([name]) => [name, name === changed ? 'another' : 'first']),
        );
      await db.run('UPDATE license_settings SET settings = ?, secrets = ?', [
        JSON.stringify(valuesOf(false)),
        TEST_APP_KEYS.seal('carrier settings', JSON.stringify(valuesOf(true))),
      ]);
      return (await createCarrierAccounts(db, TEST_APP_KEYS, carrierFor)(licenseId, provider)).identity;
    };

    const first = await identityWith(null);
    const others: string[] = [];
    for (const [name] of names) if ((await identityWith(name)) !== first) others.push(name);

    t.is(first?.length, 27);
    t.deepEqual(others.toSorted(), named);
  });
}
