import test from 'ava';
import type { Executor } from '../../../src/db/database.js';
import { carrierNames, type ExportPosition, readExportRows } from '../../../src/db/queries/export-parts.js';
import { findExport, insertExport } from '../../../src/db/queries/exports.js';
import { EXPORT_COLUMNS, type ExportFilter, type ExportRecord } from '../../../src/domain/exports.js';
import { fillShipments } from '../../support/bulk.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import {
  insertTestAccount,
  insertTestLicense,
  insertTestShipment,
  type TestLicense,
} from '../../support/factories.js';
import { plansOf } from '../../support/plans.js';

const ROWS = 5000;
let database: TestDatabase;
let license: TestLicense;

test.before(async () => {
  database = await createTestDatabase();
  const { accountId } = await insertTestAccount(database.db);
  license = await insertTestLicense(database.db, { accountId });
  await fillShipments(database.db, license, ROWS);
});

test.after.always(() => database?.drop());

test.serial('pages give every row once, oldest first, rows of one moment too', async (t) => {
  const { db } = database;
  await db.run('UPDATE shipments SET created_at = ? WHERE id % 3 = 0', ['2026-01-02 03:04:05.123456']);
  const record = await exportOf({});

  const uuids = await readAll(db, record, 777);

  const stored = await db.select('SELECT uuid FROM shipments ORDER BY created_at, id');
  t.deepEqual(
    uuids,
    stored.map((row) => String(row.uuid)),
  );
});

test.serial('a page is read in the order of an index, however many rows are left', async (t) => {
  const { db } = database;
  const record = await exportOf({});

  const plans = (await plansOf(db, (explained) => readAll(explained, record, ROWS / 2))).flat();

  t.true(plans.length >= 4);
  t.true(plans.every((row) => !/filesort|temporary/i.test(String(row.Extra))));
  t.true(plans.some((row) => row.key === 'shipments_created'));
});

test.serial('the filter, the licence, the state and the time of asking limit the rows', async (t) => {
  const { db } = database;
  const { accountId } = license;
  const other = await insertTestLicense(db, { accountId, provider: 'run' });
  const wanted = await insertTestShipment(db, license, {
    status_code: 'delivered',
    service_type: 2,
    is_active: false,
    created_at: '2025-05-05 12:00:00.000000',
  });
  const like = { status_code: 'delivered', service_type: 2, is_active: false };
  const at = '2025-05-05 12:00:00.000000';
  await insertTestShipment(db, other, { ...like, created_at: at });
  await insertTestShipment(db, license, { ...like, created_at: at, state: 'reserved' });
  await insertTestShipment(db, license, { ...like, created_at: at, is_active: true });
  await insertTestShipment(db, license, { ...like, created_at: at, service_type: 1 });
  await insertTestShipment(db, license, { ...like, created_at: at, status_code: 'lost' });
  await insertTestShipment(db, license, { ...like, created_at: '2025-05-04 23:59:59.999999' });
  await insertTestShipment(db, license, { ...like, created_at: '2099-01-01 00:00:00.000000' });

  const record = await exportOf({
    active: false,
    type: 2,
    status: 'delivered',
    createdFrom: '2025-05-05T00:00:00.000000Z',
  });

  t.deepEqual(await readAll(db, record, 10), [wanted.uuid]);
});

test.serial('a row has a value for each column, by its kind', async (t) => {
  const { db } = database;
  const record = await exportOf({ createdTo: '2026-01-02T03:04:05.123456Z' });

  const { rows } = await readExportRows(db, {
    record,
    carriers: await carrierNames(db),
    after: null,
    limit: 100,
  });

  const row = Object.fromEntries(EXPORT_COLUMNS.map(({ name }, index) => [name, rows.at(-1)?.[index]]));
  t.like(row, {
    carrier: 'Carrier independent',
    service_type: 1,
    is_active: true,
    cod_amount: '120.50',
    recipient_company: null,
    recipient_city: 'תל אביב',
    created_at: '2026-01-02T03:04:05.123456Z',
  });
});

async function exportOf(filter: ExportFilter): Promise<ExportRecord> {
  const { accountId, licenseId } = license;
  await database.db.run('DELETE FROM exports');
  const exportId = await insertExport(database.db, { accountId, licenseId, format: 'csv', filter });
  const record = await findExport(database.db, { accountId, exportId });
  if (record === null) throw new Error('the export is missing');
  return record;
}

/** The uuids of all rows, page by page. */
async function readAll(db: Executor, record: ExportRecord, limit: number): Promise<unknown[]> {
  const uuids: unknown[] = [];
  let after: ExportPosition | null = null;
  for (;;) {
    const page = await readExportRows(db, { record, carriers: new Map(), after, limit });
    if (page.last === null) return uuids;
    uuids.push(...page.rows.map((row) => row[0]));
    after = page.last;
  }
}
