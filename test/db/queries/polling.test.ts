import test from 'ava';
import {
  listDueShipments,
  postponeLicensePolls,
  postponePolls,
  postponeUnknown,
} from '../../../src/db/queries/carriers/polling.js';
import { type ReadEvent, type Reading, recordReading } from '../../../src/db/queries/carriers/readings.js';
import { findShipment, listEvents } from '../../../src/db/queries/shipments/shipments.js';
import { isoToSql } from '../../../src/lib/time.js';
import { createTestDatabase } from '../../support/database.js';
import {
  type Columns,
  insertTestAccount,
  insertTestLicense,
  insertTestShipment,
} from '../../support/factories.js';

const database = await createTestDatabase();
test.after.always(() => database.drop());

const PAST = '2026-01-01 00:00:00.000001';

async function newShipment(overrides: Columns = {}) {
  const { accountId } = await insertTestAccount(database.db);
  const license = await insertTestLicense(database.db, { accountId, provider: 'run' });
  const shipment = await insertTestShipment(database.db, license, {
    status_at: PAST,
    updated_at: PAST,
    ...overrides,
  });
  return { ...shipment, license, read: () => findShipment(database.db, { accountId, uuid: shipment.uuid }) };
}

function event(code: ReadEvent['code'], day: number, carrierCode = `c${day}`): ReadEvent {
  const occurredAt = `2026-02-${String(day).padStart(2, '0')}T00:00:00.000001Z`;
  return { code, carrierCode, carrierDescription: `text ${day}`, occurredAt, location: null };
}

function record(shipmentId: number, events: ReadEvent[], nextPollAt: Reading['nextPollAt'] = () => null) {
  const checkedAt = '2026-03-01T00:00:00.000001Z';
  return database.db.transaction((tx) => recordReading(tx, { shipmentId, checkedAt, events, nextPollAt }));
}

test.serial('due shipments are those created whose time has come, longest due first', async (t) => {
  const { db } = database;
  const later = await newShipment({ next_poll_at: '2026-01-02 00:00:00' });
  const sooner = await newShipment({ next_poll_at: '2026-01-01 00:00:00' });
  await newShipment({ next_poll_at: '2100-01-01 00:00:00' });
  await newShipment();
  await newShipment({ next_poll_at: '2026-01-01 00:00:00', state: 'reserved', tracking_code: null });
  const due = async () => (await listDueShipments(db, { provider: 'run', limit: 10 })).map((row) => row.id);

  t.deepEqual(await due(), [sooner.id, later.id]);
  await postponePolls(db, { ids: [sooner.id], seconds: 60 });
  await postponePolls(db, { ids: [], seconds: 60 });

  t.deepEqual(await due(), [later.id]);
  t.is((await sooner.read())?.updatedAt, '2026-01-01T00:00:00.000001Z');
  t.deepEqual(await listDueShipments(db, { provider: 'none', limit: 10 }), []);
});

test.serial('what the carrier does not tell of is asked for ever later', async (t) => {
  const { db } = database;
  const daysAgo = (days: number) => isoToSql(new Date(Date.now() - days * 86_400_000).toISOString());
  const aged = (days: number, own: Columns = {}) =>
    newShipment({ next_poll_at: '2026-01-01 00:00:00', status_at: daysAgo(days), ...own });
  const parcels = [
    await aged(0),
    await aged(5),
    await aged(400),
    await aged(40, { checked_at: daysAgo(0) }),
    await aged(400, { checked_at: daysAgo(5) }),
  ];

  await postponeUnknown(db, { ids: parcels.map(({ id }) => id), seconds: 300 });
  await postponeUnknown(db, { ids: [], seconds: 300 });

  const rows = await db.select(
    `SELECT ROUND(TIMESTAMPDIFF(SECOND, NOW(6), next_poll_at) / 60) AS minutes FROM shipments
     WHERE id IN (?, ?, ?, ?, ?) ORDER BY id`,
    parcels.map(({ id }) => id),
  );
  t.deepEqual(
    rows.map(({ minutes }) => Number(minutes)),
    [5, 144, 1440, 5, 144],
  );
});

test.serial(
  'when more is due than is asked for, deliveries of today go first and licenses take turns',
  async (t) => {
    const { db } = database;
    const many = await newShipment({ next_poll_at: '2025-01-01 00:00:00' });
    const second = await insertTestShipment(db, many.license, { next_poll_at: '2025-01-02 00:00:00' });
    const other = await newShipment({ next_poll_at: '2025-01-04 00:00:00' });
    const near = await newShipment({ next_poll_at: '2025-01-05 00:00:00', status_code: 'out_for_delivery' });
    const due = async () => (await listDueShipments(db, { provider: 'run', limit: 3 })).map((row) => row.id);

    t.deepEqual(await due(), [near.id, many.id, other.id]);
    await postponeLicensePolls(db, { provider: 'run', licenseId: many.license.licenseId, seconds: 60 });
    const left = await due();

    t.deepEqual(left.slice(0, 2), [near.id, other.id]);
    t.false(left.includes(second.id));
    await postponePolls(db, { ids: [near.id, other.id], seconds: 60 });
  },
);

test('a reading adds the history and moves the status', async (t) => {
  const shipment = await newShipment({ next_poll_at: PAST });

  const result = await record(shipment.id, [event('collected', 1), event('in_transit', 2)], (status) =>
    status === 'in_transit' ? '2026-03-01T01:00:00.000001Z' : null,
  );

  t.deepEqual(result, { changed: true, previous: 'created', current: 'in_transit', wake: [] });
  t.like(await shipment.read(), {
    status: { code: 'in_transit', description: 'text 2', at: '2026-02-02T00:00:00.000001Z' },
    collectedAt: '2026-02-01T00:00:00.000001Z',
    collectionStatus: null,
    checkedAt: '2026-03-01T00:00:00.000001Z',
    deliveredAt: null,
  });
  t.deepEqual(
    (await listEvents(database.db, shipment.id)).map((one) => one.code),
    ['collected', 'in_transit'],
  );
});

test('a history has an end, and tells how it ended', async (t) => {
  const shipment = await newShipment({ next_poll_at: PAST });
  const codes = Array.from({ length: 700 }, (_, index) => index);
  const events = codes.map((index) => ({
    ...event(index % 2 === 0 ? 'in_transit' : 'collected', 1),
    carrierCode: `c${index}`,
    occurredAt: `2026-02-01T00:00:00.${String(index).padStart(6, '0')}Z`,
  }));
  const delivered = { ...event('delivered', 2), carrierCode: 'end' };

  await record(shipment.id, events);
  await record(shipment.id, [{ ...event('out_for_delivery', 2), occurredAt: '2026-02-01T23:00:00.000001Z' }]);
  const moved = (await shipment.read())?.status.code;
  await record(shipment.id, [delivered]);

  // Events after the end have no room: a code that is not known, and the end once more.
  await record(shipment.id, [
    { ...event(undefined, 3), carrierCode: 'odd' },
    { ...event('delivered', 4), carrierCode: 'end' },
  ]);

  const history = await listEvents(database.db, shipment.id);
  t.is(moved, 'out_for_delivery');
  t.is(history.length, 501);
  t.is(history.at(-1)?.code, 'delivered');
  t.is((await shipment.read())?.status.code, 'delivered');
});

test('the same reading again changes nothing that is seen', async (t) => {
  const shipment = await newShipment();
  await record(shipment.id, [event('collected', 1), event(undefined, 2)]);
  const before = await shipment.read();

  const result = await record(shipment.id, [event('collected', 1), event(undefined, 2)]);

  t.false(result.changed);
  t.deepEqual(await shipment.read(), before);
  t.is((await listEvents(database.db, shipment.id)).length, 2);
});

test('an unknown status keeps the code and shows the text', async (t) => {
  const shipment = await newShipment();

  const result = await record(shipment.id, [event('in_transit', 1), event(undefined, 2, 'X9')]);

  t.is(result.current, 'in_transit');
  t.like((await shipment.read())?.status, { code: 'in_transit', description: 'text 2' });
  t.like((await listEvents(database.db, shipment.id))[1], { code: 'in_transit', carrierCode: 'X9' });
});

test('how a parcel stands now is recorded once, and counts even where its time is older', async (t) => {
  const shipment = await newShipment({ status_code: 'in_transit', status_at: '2026-02-05 00:00:00' });
  const current = (code: ReadEvent['code'], day: number, carrierCode: string): ReadEvent => ({
    ...event(code, day, carrierCode),
    isCurrent: true,
  });

  await record(shipment.id, [current('delivery_failed', 4, 'FAILED')]);
  await record(shipment.id, [current('delivery_failed', 6, 'FAILED')]);
  const strange = await record(shipment.id, [current(undefined, 7, 'X9')]);
  await record(shipment.id, [current('delivery_failed', 8, 'FAILED')]);

  t.is(strange.current, 'delivery_failed');
  t.deepEqual(
    (await listEvents(database.db, shipment.id)).map((one) => [one.carrierCode, one.code, one.occurredAt]),
    [
      ['FAILED', 'delivery_failed', '2026-02-05T00:00:00.000000Z'],
      ['X9', 'delivery_failed', '2026-02-07T00:00:00.000001Z'],
      ['FAILED', 'delivery_failed', '2026-02-08T00:00:00.000001Z'],
    ],
  );
});

test('an older event is history only, and a final status is never left', async (t) => {
  const shipment = await newShipment({ status_code: 'out_for_delivery', status_at: '2026-02-05 00:00:00' });

  const older = await record(shipment.id, [event('in_transit', 4)]);
  const delivered = await record(shipment.id, [event('delivered', 6)], () => '2026-03-01T00:00:00.000001Z');
  const after = await record(shipment.id, [event('in_transit', 7)]);

  t.is(older.current, 'out_for_delivery');
  t.deepEqual(delivered, {
    changed: true,
    previous: 'out_for_delivery',
    current: 'delivered',
    wake: [],
  });
  t.false(after.changed);
  t.like(await shipment.read(), {
    status: { code: 'delivered' },
    deliveredAt: '2026-02-06T00:00:00.000001Z',
  });
  const [row] = await database.db.select('SELECT next_poll_at FROM shipments WHERE id = ?', [shipment.id]);
  t.is(row?.next_poll_at, null);
  t.is((await listEvents(database.db, shipment.id)).length, 3);
});

test('cancelled ends it; a collection shows that it was collected', async (t) => {
  const cancelled = await newShipment();
  const collection = await newShipment({ service_type: 2, collection_status: 'awaiting_collection' });

  await record(cancelled.id, [event('cancelled', 1)]);
  await record(collection.id, [event('collected', 1)]);

  t.like(await cancelled.read(), {
    isActive: false,
    cancelledAt: '2026-02-01T00:00:00.000001Z',
    collectedAt: null,
  });
  t.like(await collection.read(), {
    collectionStatus: 'collected',
    collectedAt: '2026-02-01T00:00:00.000001Z',
  });
});

for (const [code, isActive] of [
  ['cancelled', false],
  ['returned', false],
  ['lost', false],
  ['delivered', true],
  ['returning', true],
  ['delivery_failed', true],
] as const) {
  test(`a parcel that is ${code} is ${isActive ? 'active' : 'inactive'}`, async (t) => {
    const shipment = await newShipment();

    await record(shipment.id, [event(code, 1)]);

    t.like(await shipment.read(), { status: { code }, isActive });
  });
}

test('readings recorded at once add each event once', async (t) => {
  const shipment = await newShipment();

  const results = await Promise.all(
    Array.from({ length: 6 }, () => record(shipment.id, [event('collected', 1), event('in_transit', 2)])),
  );

  t.is(results.filter((result) => result.changed).length, 1);
  t.is((await listEvents(database.db, shipment.id)).length, 2);
  await t.throwsAsync(record(0, []), { message: /does not exist/ });
});
