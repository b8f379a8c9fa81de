import test from 'ava';
import {
  endAllCredentials,
  endCredentials,
  endCredentialsLater,
  findByClientId,
  findCredentials,
  listCredentials,
  type NewCredentials,
} from '../../../src/db/queries/accounts/credentials.js';
import { getCarrierAccount, listLicenses } from '../../../src/db/queries/accounts/licenses.js';
import { digestOf } from '../../../src/lib/digest.js';
import { createTestDatabase } from '../../support/database.js';
import {
  insertTestAccount,
  insertTestCredentials,
  insertTestLicense,
  TEST_APP_KEYS,
  uniqueText,
} from '../../support/factories.js';

const database = await createTestDatabase();
test.after.always(() => database.drop());

test('an account is found by its client id with all licenses', async (t) => {
  const { db } = database;
  const { accountId, clientId, clientSecret } = await insertTestAccount(db);
  const one = await insertTestLicense(db, {
    accountId,
    orderPrefix: 'WEB-',
    expiresAt: '2030-01-02T03:04:05.123456Z',
  });
  const two = await insertTestLicense(db, {
    accountId,
    provider: 'run',
    isActive: false,
    multipleShipment: true,
  });

  const found = await findByClientId(db, clientId);

  t.deepEqual(found && TEST_APP_KEYS.open('client secret', found.secretHash), digestOf(clientSecret));
  t.like(found, { accountId, isAdmitted: true, isReadOnly: false });
  t.deepEqual(found?.licenses, [
    {
      id: one.licenseId,
      key: one.key,
      name: 'License independent',
      merchant: 'Test merchant',
      isActive: true,
      expiresAt: '2030-01-02T03:04:05.123456Z',
      multipleShipment: false,
      isSandbox: false,
      carrier: { id: one.carrierId, name: 'Carrier independent', provider: 'independent' },
      company: 'Company independent',
      orderPrefix: 'WEB-',
      sendNoteOnOrder: true,
    },
    {
      id: two.licenseId,
      key: two.key,
      name: 'License run',
      merchant: 'Test merchant',
      isActive: false,
      expiresAt: null,
      multipleShipment: true,
      isSandbox: false,
      carrier: { id: two.carrierId, name: 'Carrier run', provider: 'run' },
      company: 'Company run',
      orderPrefix: '',
      sendNoteOnOrder: true,
    },
  ]);
});

test('an account without licenses is found; client ids are case-sensitive', async (t) => {
  const { db } = database;
  const clientId = uniqueText('Client');
  await insertTestAccount(db, { clientId });

  t.deepEqual((await findByClientId(db, clientId))?.licenses, []);
  t.is(await findByClientId(db, clientId.toLowerCase()), null);
  t.is(await findByClientId(db, `${clientId} `), null);
  t.is(await findByClientId(db, "' OR 1=1 -- "), null);
});

test('credentials: those of an account are listed without their secrets, and end alone or together', async (t) => {
  const { db } = database;
  const { accountId, clientId } = await insertTestAccount(db);
  const add = (overrides: Partial<NewCredentials>) =>
    insertTestCredentials(db, accountId, TEST_APP_KEYS, overrides);
  const report = await add({ name: 'report', isReadOnly: true, expiresAt: '2999-01-01T00:00:00.000000Z' });
  const ended = await add({ expiresAt: '2020-01-01T00:00:00.000000Z' });

  const listed = await listCredentials(db, accountId);

  t.deepEqual(
    listed.map((one) => [one.name, one.clientId, one.isReadOnly, one.expiresAt]),
    [
      ['main', clientId, false, null],
      ['report', report.clientId, true, '2999-01-01T00:00:00.000000Z'],
    ],
  );
  t.deepEqual(
    Object.keys(listed[0] ?? {}).filter((name) => /secret|hash/i.test(name)),
    ['clientSecretLast4'],
  );
  t.is(await findByClientId(db, ended.clientId), null);
  t.like(await findCredentials(db, report.clientId), { accountId, isReadOnly: true, isAdmitted: true });
  const [first, second] = listed;
  await endCredentials(db, first?.id ?? 0);
  t.is(await findCredentials(db, clientId), null);
  await endCredentialsLater(db, { id: second?.id ?? 0, seconds: 3600 });
  const [left] = await listCredentials(db, accountId);
  t.true((left?.expiresAt ?? '') < '2999');
  await endCredentialsLater(db, { id: second?.id ?? 0, seconds: 7200 });
  t.deepEqual(await listCredentials(db, accountId), left === undefined ? [] : [left]);
  await endAllCredentials(db, accountId);
  t.deepEqual(await listCredentials(db, accountId), []);
});

test('licenses are listed with their settings and without secrets', async (t) => {
  const { db } = database;
  const { accountId } = await insertTestAccount(db);
  const other = await insertTestAccount(db);
  const license = await insertTestLicense(db, { accountId, provider: 'run', blockedStatuses: ['draft'] });
  await insertTestLicense(db, { accountId: other.accountId });

  const licenses = await listLicenses(db, accountId);

  t.is(licenses.length, 1);
  t.like(licenses[0], {
    id: license.licenseId,
    key: license.key,
    blockedStatuses: ['draft'],
    company: {
      id: license.companyId,
      name: 'Company run',
      carrier: { id: license.carrierId, name: 'Carrier run' },
    },
  });
  t.is(licenses[0]?.settings.length, 1);
  t.like(licenses[0]?.settings[0], { collectCity: 'Tel Aviv', settings: { customer_number: '1234' } });
  t.true(licenses[0]?.settings[0]?.flags.send_note_on_order);
  t.false(JSON.stringify(licenses).includes('secret'));
});

test('a carrier account has the settings of its carrier, secrets still sealed', async (t) => {
  const { db } = database;
  const license = await insertTestLicense(db, { provider: 'run' });

  const account = await getCarrierAccount(db, { licenseId: license.licenseId, provider: 'run' });

  t.like(account, { licenseId: license.licenseId, provider: 'run' });
  t.deepEqual(account?.collectFrom, {
    street: 'Herzl',
    number: '1',
    city: 'Tel Aviv',
    company: 'Test merchant',
  });
  t.is(
    TEST_APP_KEYS.openText('carrier settings', account?.secrets ?? Buffer.alloc(0)),
    '{"token":"sandbox-token"}',
  );
  t.is(await getCarrierAccount(db, { licenseId: 1_000_000_000, provider: 'run' }), null);
});
