import test from 'ava';
import { type Database, openDatabase } from '../../src/db/database.js';
import { repairShipmentCounts } from '../../src/db/queries/shipments/shipment-counts.js';
import {
  type ListShipmentsArgs,
  listShipments,
  type ShipmentFilter,
} from '../../src/db/queries/shipments/shipment-lists.js';
import { SHIPMENT_SORTS } from '../../src/domain/shipment-list.js';
import { fillShipments } from '../support/bulk.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { insertTestAccount, insertTestLicense, type TestLicense } from '../support/factories.js';
import { plansOf, rowsReadBy } from '../support/plans.js';

const ROWS = 30_000;
const PER_PAGE = 25;
let database: TestDatabase;
/** One connection, so that the session's counters are those of the list. */
let one: Database;
let old: TestLicense;
let small: TestLicense;

/**
 * An account that moved from one license to another: what a list is limited to lies together at one end of every other
 * order, which is what a walk along an order takes longest for.
 */
test.before(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const { accountId } = await insertTestAccount(db);
  old = await insertTestLicense(db, { accountId });
  small = await insertTestLicense(db, { accountId });
  await fillShipments(db, old, ROWS);
  await fillShipments(db, small, 300);
  await db.run(
    `UPDATE shipments SET updated_at = created_at, ready_at = IF(id % 3 = 0, created_at, NULL),
       status_code = CASE WHEN id <= ? THEN 'delivered' WHEN id <= ? THEN 'cancelled' ELSE status_code END,
       is_active = id <= ? OR id > ?, service_type = IF(id <= 200, 2, 1),
       collected_at = IF(id <= ?, created_at, NULL)`,
    [ROWS / 2, ROWS / 2 + 500, ROWS / 2, ROWS / 2 + 500, ROWS / 2],
  );
  await db.run(`UPDATE shipments SET status_code = 'lost', is_active = FALSE WHERE id BETWEEN 1000 AND 1040`);
  await db.run(
    `UPDATE shipments SET state = 'reserved', tracking_code = NULL,
       status_code = IF(id % 2 = 0, 'pending', 'needs_attention') WHERE id BETWEEN 2000 AND 2050`,
  );
  await repairShipmentCounts(db, old.licenseId);
  await repairShipmentCounts(db, small.licenseId);
  await db.select('ANALYZE TABLE shipments');
  one = openDatabase({ url: database.url, poolSize: 1 });
});
test.after.always(async () => {
  await one.close();
  await database.drop();
});

function listing(overrides: Partial<ListShipmentsArgs> = {}): ListShipmentsArgs {
  return {
    accountId: old.accountId,
    licenseIds: [old.licenseId, small.licenseId],
    filter: {},
    sort: { column: 'created_at', descending: true },
    page: 1,
    perPage: PER_PAGE,
    ...overrides,
  };
}

/** Filters that every sort is tried with. Those by a time let a tenth, nearly all and none through. */
async function filters(): Promise<ShipmentFilter[]> {
  const [row] = await database.db.select(
    `SELECT MIN(created_at) AS first, MAX(created_at) AS last,
       (SELECT created_at FROM shipments ORDER BY created_at DESC LIMIT 1 OFFSET 3000) AS late FROM shipments`,
  );
  const at = (value: unknown) => `${String(value).replace(' ', 'T')}Z`;
  return [
    {},
    { active: true },
    { active: false },
    { serviceType: 1 },
    { serviceType: 2 },
    { status: 'created' },
    { status: 'delivered' },
    { status: 'lost' },
    { status: 'returned' },
    { status: 'delivered', serviceType: 2, active: true },
    { orderId: 'bulk-77' },
    { trackingCode: 'T700000077' },
    { createdFrom: at(row?.late) },
    { createdFrom: at(row?.first), createdTo: at(row?.last) },
    { createdTo: '2001-01-01T00:00:00.000000Z' },
    { status: 'created', createdFrom: at(row?.late) },
    { labelGenerated: true },
    { labelGenerated: false },
    { status: 'created', labelGenerated: false },
    { labelGenerated: true, createdFrom: at(row?.late) },
    { status: 'pending' },
    { status: 'needs_attention', serviceType: 1 },
  ];
}

const costOf = (args: ListShipmentsArgs) => rowsReadBy(one, () => listShipments(one, args));

for (const column of SHIPMENT_SORTS) {
  test.serial(
    `lists sorted by ${column}: the first page reads few rows, whatever it is limited to`,
    async (t) => {
      for (const filter of await filters()) {
        for (const licenseIds of [[old.licenseId, small.licenseId], [old.licenseId], [small.licenseId]]) {
          for (const descending of [true, false]) {
            const args = listing({ filter, licenseIds, sort: { column, descending } });
            const cost = await costOf(args);
            const { createdFrom, createdTo, labelGenerated } = filter;
            const isCountedNow = [createdFrom, createdTo, labelGenerated].some((one) => one !== undefined);
            const { labelGenerated: _, ...counting } = filter;
            const { total } = await listShipments(one, { ...args, filter: counting });
            // Rows of a time are counted and sorted, and so is all that may have a label.
            const counted = isCountedNow ? 2 * total : 0;
            t.true(cost < 1_500 + counted, `${cost} rows for ${JSON.stringify(args)}`);
          }
        }
      }
    },
  );
}

test.serial(
  'lists by creation: what lies in a time is counted along the shortest key there is',
  async (t) => {
    const filter = { createdFrom: '2001-01-01T00:00:00.000000Z' };
    const keys: unknown[] = [];
    for (const licenseIds of [[old.licenseId, small.licenseId], [old.licenseId]]) {
      const list = listing({ filter, licenseIds });
      const [, count] = await plansOf(one, (db) => listShipments(db, list));
      keys.push(count?.map(({ key }) => key));
      const [all] = await one.select(
        `SELECT COUNT(*) AS n FROM shipments WHERE state = 'created' AND license_id IN (${licenseIds.join()})`,
      );
      t.is((await listShipments(one, list)).total, Number(all?.n));
    }

    t.deepEqual(keys, [['shipments_created'], ['shipments_export']]);
  },
);

test('lists: every sort and filter gives the rows in the plain order', async (t) => {
  const sql = { status: 's.status_code, s.created_at' } as Record<string, string>;
  for (const column of SHIPMENT_SORTS) {
    const rows = await database.db.select(
      `SELECT s.id, s.status_code, s.service_type, s.is_active, s.ready_at FROM shipments s WHERE s.state = 'created' AND s.account_id = ${old.accountId}
       ORDER BY ${sql[column] ?? `s.${column}`}, s.id`,
    );
    for (const filter of [
      {},
      { active: false },
      { serviceType: 2 },
      { status: 'delivered' },
      { labelGenerated: true },
      { labelGenerated: false, status: 'lost' },
    ] as const) {
      const expected = rows
        .filter((row) => !('active' in filter) || row.is_active === Number(filter.active))
        .filter((row) => !('serviceType' in filter) || row.service_type === filter.serviceType)
        .filter((row) => !('status' in filter) || row.status_code === filter.status)
        .filter((row) => !('labelGenerated' in filter) || (row.ready_at !== null) === filter.labelGenerated)
        .map((row) => row.id);
      const lastPage = Math.ceil(expected.length / 40);
      const inside = [0.2, 0.35, 0.5, 0.8].map((share) => Math.ceil(lastPage * share));
      for (const page of [1, 2, ...inside, lastPage - 1, lastPage].filter((at) => at > 0)) {
        for (const descending of [false, true]) {
          const ordered = descending ? expected.toReversed() : expected;
          const found = await listShipments(
            database.db,
            listing({ filter, sort: { column, descending }, page, perPage: 40 }),
          );
          const label = JSON.stringify({ column, filter, page, descending });
          t.deepEqual(
            found.rows.map(({ id }) => id),
            ordered.slice((page - 1) * 40, page * 40),
            label,
          );
          t.is(found.total, expected.length, label);
        }
      }
    }
  }
});

test.serial('lists of open reservations: those of one status, in the order of every sort', async (t) => {
  const { db } = database;
  const license = await insertTestLicense(db, await insertTestAccount(db));
  await fillShipments(db, license, 90);
  await db.run(
    `UPDATE shipments SET state = IF(id % 9 = 0, 'refused', 'reserved'), tracking_code = NULL, updated_at = created_at,
       status_code = IF(id % 3 = 1, 'needs_attention', 'pending') WHERE license_id = ? AND id % 10 <> 0`,
    [license.licenseId],
  );
  for (const status of ['pending', 'needs_attention']) {
    for (const column of SHIPMENT_SORTS) {
      const rows = await db.select(
        `SELECT id FROM shipments WHERE license_id = ? AND state = 'reserved' AND status_code = ?
         ORDER BY ${column === 'status' ? 'created_at' : column} DESC, id DESC`,
        [license.licenseId, status],
      );
      const expected = rows.map(({ id }) => Number(id));
      const found = await listShipments(db, {
        ...listing({ filter: { status }, sort: { column, descending: true }, page: 2, perPage: 10 }),
        accountId: license.accountId,
        licenseIds: [license.licenseId],
      });

      t.deepEqual(
        found.rows.map(({ id }) => id),
        expected.slice(10, 20),
        `${status} by ${column}`,
      );
      t.is(found.total, expected.length);
    }
  }
});

test.serial('lists: a page is reached from the nearer end', async (t) => {
  for (const licenseIds of [[old.licenseId, small.licenseId], [old.licenseId]]) {
    const { total } = await listShipments(one, listing({ licenseIds }));
    const lastPage = Math.ceil(total / PER_PAGE);
    const costs: number[] = [];
    for (const page of [1, lastPage, lastPage - 4, lastPage + 1, Math.ceil(lastPage / 2)]) {
      costs.push(await costOf(listing({ licenseIds, page })));
    }

    const [first = 0, last = 0, nearLast = 0, beyond = 0, middle = 0] = costs;
    t.true(last < first + 50, String(costs));
    t.true(nearLast < first + 300, String(costs));
    t.true(beyond < first, String(costs));
    t.true(middle < ROWS * 0.6, String(costs));
  }
});
