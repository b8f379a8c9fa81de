import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { type Database, openDatabase } from '../../../src/db/database.js';
import { recordReading } from '../../../src/db/queries/carriers/readings.js';
import { recordCancellation } from '../../../src/db/queries/creation/cancelling.js';
import { recordBooking } from '../../../src/db/queries/creation/recording.js';
import { releaseShipment } from '../../../src/db/queries/creation/refusals.js';
import {
  listShipmentCounts,
  repairShipmentCounts,
} from '../../../src/db/queries/shipments/shipment-counts.js';
import { listShipments, type ShipmentFilter } from '../../../src/db/queries/shipments/shipment-lists.js';
import { getShipment } from '../../../src/db/queries/shipments/shipments.js';
import { SHIPPING_STATUSES, type StatusCode } from '../../../src/domain/statuses.js';
import { nowIso } from '../../../src/lib/time.js';
import { createTestDatabase } from '../../support/database.js';
import {
  insertTestLicense,
  insertTestShipment,
  type TestLicense,
  uniqueText,
} from '../../support/factories.js';
import { insertRow } from '../../support/rows.js';

const database = await createTestDatabase();
test.after.always(() => database.drop());

async function newLicense(): Promise<TestLicense> {
  return insertTestLicense(database.db);
}

async function reserve(license: TestLicense, serviceType: 1 | 2): Promise<string> {
  const { uuid } = await insertTestShipment(database.db, license, {
    state: 'reserved',
    status_code: 'pending',
    tracking_code: null,
    service_type: serviceType,
  });
  await insertRow(database.db, 'idempotency_keys', {
    account_id: license.accountId,
    api: 'v2',
    key_hash: randomBytes(32),
    fingerprint: randomBytes(32),
    shipment_uuid: uuid,
    expires_at: '2100-01-01 00:00:00',
  });
  return uuid;
}

/** Records what the carrier accepted, and gives the shipment's row id. */
async function book(db: Database, uuid: string): Promise<number> {
  const reserved = await getShipment(db, uuid);
  await recordBooking(db, {
    shipment: { ...reserved, status: { ...reserved.status, code: 'created', description: 'Created' } },
    parcel: { trackingCode: uniqueText('C'), carrierReference: null },
    attempt: 1,
    nextPollAt: null,
    answer: { shipmentUuid: uuid, fingerprint: '00'.repeat(32), status: 201, body: '{}' },
    keepForSeconds: 60,
  });
  return reserved.id;
}

async function read(db: Database, shipmentId: number, code: StatusCode): Promise<void> {
  const now = nowIso();
  const events = [{ code, carrierCode: code, carrierDescription: code, occurredAt: now, location: null }];
  const reading = { shipmentId, checkedAt: now, events, nextPollAt: () => null };
  await db.transaction((tx) => recordReading(tx, reading));
}

/** The totals that lists show are those of the rows, for each filter that is not counted row by row. */
async function assertTotals(t: ExecutionContext, license: TestLicense): Promise<void> {
  const { accountId, licenseId } = license;
  const rows = await database.db.select(
    `SELECT status_code, service_type, is_active FROM shipments WHERE license_id = ? AND state = 'created'`,
    [licenseId],
  );
  const filters: ShipmentFilter[] = [
    {},
    { active: true },
    { active: false },
    { serviceType: 1 },
    { serviceType: 2, active: true },
    ...SHIPPING_STATUSES.map(({ code }) => ({ status: code })),
  ];
  for (const filter of filters) {
    const expected = rows.filter(
      (row) =>
        (filter.active === undefined || row.is_active === Number(filter.active)) &&
        (filter.serviceType === undefined || row.service_type === filter.serviceType) &&
        (filter.status === undefined || row.status_code === filter.status),
    );
    const { total } = await listShipments(database.db, {
      accountId,
      licenseIds: [licenseId],
      filter,
      sort: { column: 'created_at', descending: true },
      page: 1,
      perPage: 1,
    });
    t.is(total, expected.length, JSON.stringify(filter));
  }
}

test('totals are exact while shipments are created, moved, cancelled and refused at once', async (t) => {
  const { db } = database;
  const license = await newLicense();
  const uuids = await Promise.all(
    Array.from({ length: 60 }, (_, index) => reserve(license, index % 3 === 0 ? 2 : 1)),
  );

  await Promise.all(
    uuids.map(async (uuid, index) => {
      if (index % 10 === 9)
        return await releaseShipment(db, { uuid, code: 'carrier_rejected', reason: 'refused' });
      // Recording again, as after a crash, counts nothing.
      const [id] = await Promise.all([book(db, uuid), book(db, uuid)]);
      const cancel = () => recordCancellation(db, { uuid, carrierText: '', reason: '', at: nowIso() });
      if (index % 2 === 0) await Promise.all([read(db, id, 'in_transit'), cancel(), cancel()]);
      else if (index % 5 === 0) await read(db, id, 'lost');
      else await Promise.all([read(db, id, 'collected'), read(db, id, 'delivered')]);
    }),
  );

  await assertTotals(t, license);
  const [stored] = await db.select('SELECT COUNT(*) AS n FROM shipment_counts WHERE total < 0 OR total > 0');
  t.true(Number(stored?.n) > 0);
});

test('a transaction that fails counts nothing', async (t) => {
  const { db } = database;
  const license = await newLicense();
  const { id } = await insertTestShipment(db, license);
  const now = nowIso();
  const events = [
    { code: 'lost', carrierCode: 'x', carrierDescription: 'x', occurredAt: now, location: null } as const,
  ];

  await t.throwsAsync(
    db.transaction(async (tx) => {
      await recordReading(tx, { shipmentId: id, checkedAt: now, events, nextPollAt: () => null });
      throw new Error('afterwards');
    }),
    { message: 'afterwards' },
  );

  await assertTotals(t, license);
});

test('counting a new shipment takes no extra statement', async (t) => {
  const license = await newLicense();
  const statements: string[] = [];
  const db = openDatabase({ url: database.url, poolSize: 1, onQuery: (sql) => statements.push(sql) });
  t.teardown(() => db.close());
  // Until every slot has a row.
  for (let slot = 0; slot < 16; slot++) {
    await database.db.run(
      `INSERT INTO shipment_counts (account_id, license_id, status_code, service_type, slot, total)
       VALUES (?, ?, 'created', 1, ?, -1)`,
      [license.accountId, license.licenseId, slot],
    );
  }
  const uuid = await reserve(license, 1);

  await book(db, uuid);

  const counting = statements.filter((sql) => sql.includes('INSERT INTO shipment_counts'));
  t.deepEqual(counting, []);
  const [count] = await listShipmentCounts(database.db, license.accountId);
  t.is(count?.total, 1 - 16);
});

test('repairShipmentCounts: what was not counted is added, and what is right stays', async (t) => {
  const { db } = database;
  const license = await newLicense();
  await insertTestShipment(db, license);
  await insertTestShipment(db, license, { status_code: 'delivered' });
  t.is(await repairShipmentCounts(db, license.licenseId), 0);
  await db.run('DELETE FROM shipment_counts WHERE license_id = ?', [license.licenseId]);
  await db.run(
    `INSERT INTO shipment_counts (account_id, license_id, status_code, service_type, slot, total)
     VALUES (?, ?, 'delivered', 1, 3, 5), (?, ?, 'lost', 2, 0, 2)`,
    [license.accountId, license.licenseId, license.accountId, license.licenseId],
  );

  const wrong = await repairShipmentCounts(db, license.licenseId);

  t.true(wrong >= 3, String(wrong));
  await assertTotals(t, license);
  t.is(await repairShipmentCounts(db, license.licenseId), 0);
});
