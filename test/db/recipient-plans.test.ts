import test from 'ava';
import type { Executor } from '../../src/db/database.js';
import { findToken } from '../../src/db/queries/access-tokens.js';
import { findLicenseByKey } from '../../src/db/queries/keyed-licenses.js';
import { listRecipientShipments, type RecipientPage } from '../../src/db/queries/recipient-shipments.js';
import { findRecipientByPhone } from '../../src/db/queries/recipients.js';
import { listSiteCallbacks, listStoreSites } from '../../src/db/queries/store-sites.js';
import { RECIPIENT_SORTS, SEARCH_FIELDS } from '../../src/domain/recipient-list.js';
import { fillShipments } from '../support/bulk.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import {
  insertTestAccount,
  insertTestLicense,
  insertTestShipment,
  type TestLicense,
} from '../support/factories.js';
import { plansOf } from '../support/plans.js';

const ROWS = 20_000;
/** Parcels of the recipient whose list is asked for. */
const OWN = 3;
const KEY = '0501234567';

let database: TestDatabase;
let license: TestLicense;

test.before(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const { accountId } = await insertTestAccount(db);
  license = await insertTestLicense(db, { accountId });
  await fillShipments(db, license, ROWS);
  await db.run(`UPDATE shipments SET recipient_phone_key = recipient_phone`);
  for (let n = 0; n < OWN; n++) await insertTestShipment(db, license, { recipient_phone_key: KEY });
  await db.select('ANALYZE TABLE shipments');
});
test.after.always(() => database?.drop());

const page = (overrides: Partial<RecipientPage> = {}): RecipientPage => ({
  phoneKey: KEY,
  filter: { parts: [], activeOnly: false },
  order: { explicit: null, byWarehouse: 'desc' },
  page: 1,
  perPage: 100,
  ...overrides,
});

test('there are enough rows for the plans to mean something', async (t) => {
  const [row] = await database.db.select('SELECT COUNT(*) AS n FROM shipments');

  t.is(row?.n, ROWS + OWN);
});

test('every filter and order of a recipient’s list reads their own parcels only', async (t) => {
  const everything = page({
    filter: {
      search: 'a',
      parts: SEARCH_FIELDS.map((field) => [field, 'a'] as const),
      accountId: license.accountId,
      companyId: license.companyId,
      licenseId: license.licenseId,
      flag: 0,
      type: 'regular',
      status: 'Created',
      createdFrom: '2020-01-01T00:00:00.000000Z',
      createdTo: '2030-01-01T00:00:00.000000Z',
      activeOnly: true,
      labelGenerated: false,
    },
  });
  const pages = [
    page(),
    everything,
    page({ filter: { parts: [], activeOnly: false, licenseId: license.licenseId } }),
    page({ filter: { parts: [], activeOnly: false, createdFrom: '2020-01-01T00:00:00.000000Z' } }),
    ...RECIPIENT_SORTS.map((column) =>
      page({ order: { explicit: { column, descending: false }, byWarehouse: 'desc' } }),
    ),
  ];

  for (const one of pages) {
    const plans = await plansOf(database.db, (db) => listRecipientShipments(db, one));
    for (const plan of plans) {
      const step = plan.find(({ table }) => table === 's');
      t.true(['shipments_recipient', 'PRIMARY'].includes(String(step?.key)), JSON.stringify(plan));
      t.true(Number(step?.rows) <= OWN * 2, JSON.stringify(plan));
      t.true(
        // A table of a few rows is read whole rather than by key.
        plan.every(({ type, rows }) => type !== 'ALL' || Number(rows) <= 2),
        JSON.stringify(plan),
      );
    }
  }
});

test('newest first comes out of the index, unsorted', async (t) => {
  const [, ids] = await plansOf(database.db, (db) => listRecipientShipments(db, page()));

  const step = ids?.find(({ table }) => table === 's');
  t.is(step?.key, 'shipments_recipient');
  t.false(String(step?.Extra).includes('filesort'), JSON.stringify(ids));
});

test('the list holds the recipient’s parcels and no other', async (t) => {
  const { rows, total } = await listRecipientShipments(database.db, page());

  t.deepEqual([rows.length, total], [OWN, OWN]);
});

test('look-ups of v1 read by key, and each is one statement', async (t) => {
  const owner = { id: license.licenseId, accountId: license.accountId };
  const lookups: ((db: Executor) => Promise<unknown>)[] = [
    (db) => findLicenseByKey(db, license.key),
    (db) => findToken(db, 1),
    (db) => findRecipientByPhone(db, KEY),
    (db) => listSiteCallbacks(db, owner),
    (db) => listStoreSites(db, { license: owner, platform: 'shopify' }),
  ];

  for (const lookup of lookups) {
    const plans = await plansOf(database.db, lookup);
    t.is(plans.length, 1);
    t.false(
      plans[0]?.some((step) => step.type === 'ALL'),
      JSON.stringify(plans),
    );
  }
});
