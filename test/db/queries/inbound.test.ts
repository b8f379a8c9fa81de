import { createHash, randomUUID } from 'node:crypto';
import test from 'ava';
import type { Executor } from '../../../src/db/database.js';
import {
  deleteOldInboundEvents,
  insertInboundEvents,
  listDueParcels,
  postponeInboundEvents,
} from '../../../src/db/queries/carriers/inbound-events.js';
import { applyInboundParcel } from '../../../src/db/queries/carriers/inbound-parcels.js';
import type { ReadEvent } from '../../../src/db/queries/carriers/readings.js';
import { INBOUND, listOverdue, nextDueInMs } from '../../../src/db/queries/leased-queue.js';
import { findShipment } from '../../../src/db/queries/shipments/shipments.js';
import { createTestDatabase } from '../../support/database.js';
import {
  type Columns,
  insertTestAccount,
  insertTestLicense,
  insertTestShipment,
} from '../../support/factories.js';
import { plansOf } from '../../support/plans.js';

const database = await createTestDatabase();
test.after.always(() => database.drop());

async function newShipment(columns: Columns = {}) {
  const { accountId } = await insertTestAccount(database.db);
  const license = await insertTestLicense(database.db, { accountId, provider: 'run' });
  const trackingCode = `T-${randomUUID()}`;
  const shipment = await insertTestShipment(database.db, license, {
    tracking_code: trackingCode,
    ...columns,
  });
  return {
    ...shipment,
    licenseId: license.licenseId,
    trackingCode,
    read: () => findShipment(database.db, { accountId, uuid: shipment.uuid }),
  };
}

async function store(
  licenseId: number,
  named: { trackingCode?: string; reference?: string },
  event: Partial<ReadEvent> = {},
): Promise<void> {
  const { trackingCode = null, reference = null } = named;
  const told = {
    code: 'in_transit' as const,
    carrierCode: 'c1',
    carrierDescription: 'On the way',
    occurredAt: '2026-02-01T00:00:00.000001Z',
    location: null,
    ...event,
  };
  const eventKey = createHash('sha256').update(randomUUID()).digest();
  await insertInboundEvents(database.db, {
    licenseId,
    events: [{ eventKey, trackingCode, reference, event: told }],
  });
}

test('an event is retried later and later, and given up after a day', async (t) => {
  const { db } = database;
  const { licenseId } = await newShipment();
  const waits: number[] = [];

  for (const age of [0, 60, 3600, 20 * 3600]) {
    const parcel = `P-${age}`;
    await store(licenseId, { trackingCode: parcel });
    await db.run('UPDATE inbound_events SET received_at = received_at - INTERVAL ? SECOND WHERE parcel = ?', [
      age,
      parcel,
    ]);
    t.is(await postponeInboundEvents(db, { licenseId, parcel, reason: 'unknown_parcel' }), 0);
    const [row] = await db.select(
      'SELECT TIMESTAMPDIFF(MICROSECOND, NOW(6), next_attempt_at) / 1000000 AS seconds FROM inbound_events WHERE parcel = ?',
      [parcel],
    );
    waits.push(Math.round(Number(row?.seconds)));
  }
  await db.run('UPDATE inbound_events SET received_at = NOW(6) - INTERVAL 25 HOUR WHERE parcel = ?', [
    'P-60',
  ]);
  const given = await postponeInboundEvents(db, { licenseId, parcel: 'P-60', reason: 'unknown_parcel' });

  t.deepEqual(waits, [1, 30, 1800, 1800]);
  t.is(given, 1);
  await db.run('UPDATE inbound_events SET received_at = NOW(6) - INTERVAL 25 HOUR WHERE parcel = ?', ['P-0']);
  t.is(await postponeInboundEvents(db, { licenseId, parcel: 'P-0', reason: 'not_booked_yet' }), 0);
  const [row] = await db.select(
    `SELECT status, next_attempt_at, reason FROM inbound_events WHERE parcel = 'P-60'`,
  );
  t.like(row, { status: 'ignored', next_attempt_at: null, reason: 'unknown_parcel' });
});

test('a webhook brings the next poll forward and never puts it off', async (t) => {
  const far = await newShipment({ next_poll_at: '2100-01-01 00:00:00' });
  const near = await newShipment({ next_poll_at: '2026-01-01 00:00:00' });
  const never = await newShipment();
  const polls: unknown[] = [];

  for (const shipment of [far, near, never]) {
    const { licenseId, trackingCode } = shipment;
    await store(licenseId, { trackingCode }, { code: 'out_for_delivery' });
    const result = await applyInboundParcel(database.db, { licenseId, parcel: trackingCode });
    t.like(result, { kind: 'applied', count: 1 });
    const [row] = await database.db.select(
      'SELECT TIMESTAMPDIFF(MINUTE, NOW(6), next_poll_at) AS minutes FROM shipments WHERE id = ?',
      [shipment.id],
    );
    polls.push(row?.minutes);
  }

  t.true(Number(polls[0]) >= 8 && Number(polls[0]) <= 10);
  t.true(Number(polls[1]) < 0);
  t.is(polls[2], null);
});

test('how a parcel stood is old news once the carrier was asked since', async (t) => {
  const asked = await newShipment({
    status_code: 'delivery_failed',
    status_at: '2026-03-01 00:00:00',
    checked_at: '2100-01-01 00:00:00',
  });
  const unasked = await newShipment({ status_code: 'delivery_failed', status_at: '2026-03-01 00:00:00' });

  for (const { licenseId, trackingCode } of [asked, unasked]) {
    await store(licenseId, { trackingCode }, { isCurrent: true });
    await applyInboundParcel(database.db, { licenseId, parcel: trackingCode });
  }

  t.like(await asked.read(), {
    status: { code: 'delivery_failed' },
    checkedAt: '2100-01-01T00:00:00.000000Z',
  });
  t.like((await unasked.read())?.status, { code: 'in_transit' });
});

test('an event names a parcel by either of its two names, and no other parcel', async (t) => {
  const { licenseId, uuid: reference, trackingCode } = await newShipment({ carrier_reference: 'R-1' });
  const results: unknown[] = [];

  for (const code of [trackingCode, 'R-1', 'R-2']) {
    await store(licenseId, { trackingCode: code, reference });
    results.push(await applyInboundParcel(database.db, { licenseId, parcel: code }));
  }

  const [own, other, second] = results;
  t.like(own, { kind: 'applied', count: 1 });
  t.like(other, { kind: 'applied', count: 1 });
  t.like(second, { kind: 'ignored', reason: 'other_parcel' });
});

test('our reference goes before a number that the carrier uses again', async (t) => {
  const old = await newShipment();
  const [license] = await database.db.select('SELECT * FROM shipments WHERE id = ?', [old.id]);
  const newer = await insertTestShipment(
    database.db,
    {
      accountId: Number(license?.account_id),
      licenseId: old.licenseId,
      carrierId: Number(license?.carrier_id),
    },
    { state: 'reserved', tracking_code: null, status_code: 'pending' },
  );
  await store(old.licenseId, { trackingCode: old.trackingCode, reference: newer.uuid });

  const result = await applyInboundParcel(database.db, {
    licenseId: old.licenseId,
    parcel: old.trackingCode,
  });

  t.deepEqual(result, { kind: 'waits', ignored: 0 });
  t.is((await old.read())?.status.code, 'created');
});

test('an event of a refused shipment is ignored, and says so', async (t) => {
  const { id, uuid, licenseId } = await newShipment({ state: 'refused', tracking_code: null });
  await store(licenseId, { trackingCode: 'ghost', reference: uuid });

  const result = await applyInboundParcel(database.db, { licenseId, parcel: 'ghost' });

  t.deepEqual(result, { kind: 'ignored', count: 1, reason: 'refused', shipmentId: id });
  t.deepEqual(await applyInboundParcel(database.db, { licenseId, parcel: 'ghost' }), { kind: 'nothing' });
});

test('what ended long ago is deleted, what is overdue is found', async (t) => {
  const { db } = database;
  const { licenseId, trackingCode } = await newShipment();
  await store(licenseId, { trackingCode });
  await applyInboundParcel(db, { licenseId, parcel: trackingCode });
  await db.run('UPDATE inbound_events SET finished_at = NOW(6) - INTERVAL 31 DAY WHERE parcel = ?', [
    trackingCode,
  ]);
  await store(licenseId, { trackingCode });
  await db.run(
    `UPDATE inbound_events SET next_attempt_at = NOW(6) - INTERVAL 1 MINUTE WHERE parcel = ? AND status = 'pending'`,
    [trackingCode],
  );

  const { inbound } = await listOverdue(db, { olderThanSeconds: 20, limit: 100 });
  const deleted = await deleteOldInboundEvents(db, { keepDays: 30, limit: 10 });

  t.true(inbound.includes(licenseId));
  t.is(deleted, 1);
  t.is(await deleteOldInboundEvents(db, { keepDays: 30, limit: 10 }), 0);
  t.deepEqual(await listDueParcels(db, { licenseId, limit: 10 }), [trackingCode]);
});

test('events are claimed, swept and deleted along their keys, unsorted', async (t) => {
  const { db } = database;
  const { licenseId } = await newShipment();
  await db.run(
    `INSERT INTO inbound_events (license_id, event_key, parcel, tracking_code, carrier_code, carrier_description,
       occurred_at, status, next_attempt_at, finished_at)
     SELECT ?, UNHEX(SHA2(CONCAT('plan', n), 256)), CONCAT('plan', n), CONCAT('plan', n), '', '', NOW(6),
       IF(n % 20 = 0, 'pending', 'applied'), IF(n % 20 = 0, NOW(6) + INTERVAL n SECOND, NULL),
       IF(n % 20 = 0, NULL, NOW(6) - INTERVAL n MINUTE)
     FROM (SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d AS n FROM (${DIGITS}) a, (${DIGITS}) b, (${DIGITS}) c, (${DIGITS}) e) s`,
    [licenseId],
  );
  await db.select('ANALYZE TABLE inbound_events');
  const queries: [string, (counted: Executor) => Promise<unknown>][] = [
    ['due', (counted) => listDueParcels(counted, { licenseId, limit: 200 })],
    ['next', (counted) => nextDueInMs(counted, INBOUND, licenseId)],
  ];

  for (const [name, query] of queries) {
    const [plan] = await plansOf(db, query);
    const step = plan?.find((one) => one.table === 'e');
    t.not(step?.type, 'ALL', `${name} ${JSON.stringify(plan)}`);
    t.false(String(step?.Extra).includes('filesort'), `${name} ${JSON.stringify(plan)}`);
  }
  const sweep = await plansOf(db, (counted) => listOverdue(counted, { olderThanSeconds: 20, limit: 100 }));
  const step = sweep.flat().find((one) => one.table === 'e');
  t.is(step?.key, 'inbound_events_waiting', JSON.stringify(sweep));
});

const DIGITS =
  'SELECT 0 d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9';
