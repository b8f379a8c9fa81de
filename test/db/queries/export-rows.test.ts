import test from 'ava';
import type { Executor } from '../../../src/db/database.js';
import { readExportRows } from '../../../src/db/queries/exports/export-rows.js';
import { findExport, insertExport } from '../../../src/db/queries/exports/exports.js';
import {
  EXPORT_COLUMNS,
  type ExportFilter,
  type ExportRecord,
  type ExportRow,
} from '../../../src/domain/exports.js';
import { fillShipments } from '../../support/bulk.js';
import { createTestDatabase } from '../../support/database.js';
import { insertTestAccount, insertTestLicense, insertTestShipment } from '../../support/factories.js';
import { looksSoFar, plansOf } from '../../support/plans.js';

/** Two full windows and a part of one. */
const ROWS = 25_000;
const WINDOW_ROWS = 10_000;
const BASE_URL = 'https://api.parcels.test';

const database = await createTestDatabase();
const license = await insertTestLicense(database.db);
await fillShipments(database.db, license, ROWS);

test.after.always(() => database.drop());

test.serial('readExportRows: pages give every row once, oldest first, rows of one moment too', async (t) => {
  const { db } = database;
  await db.run('UPDATE shipments SET created_at = ? WHERE id % 3 = 0', ['2026-01-02 03:04:05.123456']);
  const record = await exportOf({});

  const uuids = await readAll(db, record);

  const stored = await db.select('SELECT uuid FROM shipments ORDER BY created_at, id');
  t.deepEqual(
    uuids,
    stored.map((row) => String(row.uuid)),
  );
});

test.serial('readExportRows: every window is read in the order of the index', async (t) => {
  const { db } = database;
  const record = await exportOf({ status: 'created', active: true });

  const plans = (await plansOf(db, (explained) => readAll(explained, record))).flat();

  const shipments = plans.filter((row) => row.table === 's');
  // Three windows, of 20, 20 and 10 pages; a full last page is followed by an empty one.
  t.is(shipments.length, 3 + 21 + 21 + 11);
  t.true(shipments.every((row) => row.key === 'shipments_export'));
  t.true(plans.every((row) => !/filesort|temporary/i.test(String(row.Extra))));
});

for (const filter of [
  { status: 'lost' },
  { active: false },
  { type: 2 },
  { labelGenerated: true },
] satisfies ExportFilter[]) {
  const name = JSON.stringify(filter);
  test.serial(
    `readExportRows: no statement looks at more than a window where nothing matches ${name}`,
    async (t) => {
      const { db } = database;
      const record = await exportOf(filter);

      const { result, looks } = await db.session((session) =>
        countLooks(session, (counted) => readAll(counted, record)),
      );

      t.deepEqual(result, []);
      t.true(looks.length > 3);
      t.true(Math.max(...looks) <= WINDOW_ROWS + 10, `entries looked at: ${looks.join(', ')}`);
    },
  );
}

test.serial(
  'readExportRows: the filter, the license, the state and the time of asking limit the rows',
  async (t) => {
    const { db } = database;
    const { accountId } = license;
    const other = await insertTestLicense(db, { accountId, provider: 'run' });
    const wanted = await insertTestShipment(db, license, {
      status_code: 'delivered',
      service_type: 2,
      is_active: false,
      label_generated: true,
      created_at: '2025-05-05 12:00:00.000000',
    });
    const like = { status_code: 'delivered', service_type: 2, is_active: false, label_generated: true };
    const at = '2025-05-05 12:00:00.000000';
    await insertTestShipment(db, other, { ...like, created_at: at });
    await insertTestShipment(db, license, { ...like, created_at: at, state: 'reserved' });
    await insertTestShipment(db, license, { ...like, created_at: at, is_active: true });
    await insertTestShipment(db, license, { ...like, created_at: at, service_type: 1 });
    await insertTestShipment(db, license, { ...like, created_at: at, status_code: 'lost' });
    await insertTestShipment(db, license, { ...like, created_at: at, label_generated: false });
    await insertTestShipment(db, license, { ...like, created_at: '2025-05-04 23:59:59.999999' });
    await insertTestShipment(db, license, { ...like, created_at: '2099-01-01 00:00:00.000000' });

    const record = await exportOf({
      active: false,
      type: 2,
      status: 'delivered',
      labelGenerated: true,
      createdFrom: '2025-05-05T00:00:00.000000Z',
    });

    t.deepEqual(await readAll(db, record), [wanted.uuid]);
  },
);

test.serial('readExportRows: a row has a value for each column, by its kind', async (t) => {
  const { db } = database;
  const record = await exportOf({ createdTo: '2026-01-02T03:04:05.123456Z' });

  const rows: ExportRow[] = [];
  for await (const page of readExportRows(db, record, BASE_URL)) rows.push(...page);

  const row = Object.fromEntries(EXPORT_COLUMNS.map(({ name }, index) => [name, rows.at(-1)?.[index]]));
  t.like(row, {
    carrier: 'Carrier independent',
    service_type: 1,
    is_active: true,
    cod_amount: '120.50',
    recipient_company: null,
    recipient_city: 'תל אביב',
    created_at: '2026-01-02T03:04:05.123456Z',
    recipient_entrance: null,
    note: null,
    delivered_at: null,
  });
});

test.serial('readExportRows: a row tells where exactly, the note, the delivery and the page', async (t) => {
  const { db } = database;
  const at = '2025-04-04 12:00:00.000000';
  const note = `Ring "twice", כניסה אחורית\n${'x'.repeat(970)}`;
  const delivered = await insertTestShipment(db, license, {
    status_code: 'delivered',
    created_at: at,
    delivered_at: '2025-04-05 08:09:10.000011',
    recipient_entrance: 'B',
    recipient_floor: '03',
    recipient_apartment: '0012',
    details: JSON.stringify({ note, extraNote: 'not this one' }),
  });
  await insertTestShipment(db, license, { created_at: at, details: JSON.stringify({ note: null }) });
  const record = await exportOf({
    createdFrom: '2025-04-04T00:00:00.000000Z',
    createdTo: '2025-04-04T23:59:59.999999Z',
  });

  const rows: ExportRow[] = [];
  for await (const page of readExportRows(db, record, BASE_URL)) rows.push(...page);

  const [stored] = await db.select('SELECT short_tracking_code FROM shipments WHERE uuid = ?', [
    delivered.uuid,
  ]);
  const [full, bare] = rows.map((row) => row.slice(-6));
  t.deepEqual(full, [
    'B',
    '03',
    '0012',
    note,
    '2025-04-05T08:09:10.000011Z',
    `${BASE_URL}/track/${String(stored?.short_tracking_code)}`,
  ]);
  t.deepEqual(bare?.slice(0, 5), [null, null, null, null, null]);
});

test.serial(
  'readExportRows: over all licenses, in order of time, each row with the name of its license',
  async (t) => {
    const { db } = database;
    const { accountId } = await insertTestAccount(db);
    const mine = [
      await insertTestLicense(db, { accountId }),
      await insertTestLicense(db, { accountId }),
    ] as const;
    const foreign = await insertTestLicense(db, { accountId: (await insertTestAccount(db)).accountId });
    await db.run('UPDATE licenses SET name = ? WHERE id = ?', ['North store', mine[0].licenseId]);
    await db.run('UPDATE licenses SET name = ?, is_active = FALSE WHERE id = ?', [
      'South store',
      mine[1].licenseId,
    ]);
    const uuids: string[] = [];
    for (const [hour, of] of [mine[1], mine[0], foreign, mine[1], mine[0]].entries()) {
      const { uuid } = await insertTestShipment(db, of, { created_at: `2025-05-05 1${hour}:00:00.000000` });
      if (of !== foreign) uuids.push(uuid);
    }
    const record = await exportOf({}, { accountId, licenseId: null });

    const rows: ExportRow[] = [];
    const plans = await plansOf(db, async (explained) => {
      for await (const page of readExportRows(explained, record, BASE_URL)) rows.push(...page);
    });

    t.deepEqual(
      rows.map((row) => row[0]),
      uuids,
    );
    t.deepEqual(
      rows.map((row) => row.at(-1)),
      ['South store', 'North store', 'South store', 'North store'],
    );
    const shipments = plans.flat().filter((row) => row.table === 's');
    t.true(shipments.length > 0 && shipments.every((row) => row.key === 'shipments_created'));
    t.true(plans.flat().every((row) => !/filesort|temporary/i.test(String(row.Extra))));
  },
);

async function exportOf(
  filter: ExportFilter,
  { accountId, licenseId }: { accountId: number; licenseId: number | null } = license,
): Promise<ExportRecord> {
  await database.db.run('DELETE FROM exports');
  const exportId = await insertExport(database.db, { accountId, licenseId, format: 'csv', filter });
  const record = await findExport(database.db, { accountId, exportId });
  if (record === null) throw new Error('the export is missing');
  return record;
}

/** The uuids of all rows. */
async function readAll(db: Executor, record: ExportRecord): Promise<unknown[]> {
  const uuids: unknown[] = [];
  for await (const page of readExportRows(db, record, BASE_URL)) uuids.push(...page.map((row) => row[0]));
  return uuids;
}

/** How many entries of indexes each statement looked at; those that a pushed condition kept out count where the server tells. */
async function countLooks<T>(session: Executor, work: (counted: Executor) => Promise<T>) {
  const looks: number[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const counted: Executor = {
    run: (sql, params) => session.run(sql, params),
    select: (sql, params) => {
      const rows = last.then(async () => {
        const before = await looksSoFar(session);
        const found = await session.select(sql, params);
        looks.push((await looksSoFar(session)) - before);
        return found;
      });
      last = rows;
      return rows;
    },
  };
  return { result: await work(counted), looks };
}
