import test from 'ava';
import type { Executor } from '../../../src/db/database.js';
import { recordCancellation } from '../../../src/db/queries/creation/cancelling.js';
import { type BookingRecord, CodeTaken, recordBooking } from '../../../src/db/queries/creation/recording.js';
import { getShipment } from '../../../src/db/queries/shipments/shipments.js';
import { nowIso } from '../../../src/lib/time.js';
import { eventually } from '../../support/conditions.js';
import { createTestDatabase } from '../../support/database.js';
import {
  insertTestLicense,
  insertTestShipment,
  type TestLicense,
  uniqueText,
} from '../../support/factories.js';

const database = await createTestDatabase();
test.after.always(() => database.drop());

test.serial(
  'recordBooking: of two that get one code at once, one keeps it and the other is asked about',
  async (t) => {
    const { db } = database;
    const license = await newLicense();
    const code = uniqueText('C');
    const [one, other] = [await reserved(license, code), await reserved(license, code)];

    // Both have looked for the code, and wait to write it.
    const outcomes = await db.session(async (holder) => {
      await holder.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await holder.run('BEGIN');
      await holder.select('SELECT id FROM shipments WHERE license_id = ? AND tracking_code = ? FOR UPDATE', [
        license.licenseId,
        code,
      ]);
      const recorded = [one, other].map((record) => outcomeOf(recordBooking(db, record)));
      await eventually(async () => (await countWaiting(db)) === recorded.length, 'two records that wait');
      await holder.run('COMMIT');
      return recorded;
    });

    const [first, second] = await Promise.all(outcomes);
    const [keeper, loser] = first === 201 ? [one, second] : [other, first];
    t.deepEqual(await codesOf(license), [{ uuid: keeper.shipment.uuid, state: 'created', code }]);
    t.true(loser instanceof CodeTaken, String(loser));
    t.is(String(loser), `Error: The carrier gave the number of shipment ${keeper.shipment.uuid}: ${code}.`);
  },
);

test.serial(
  'recordBooking: of many that get the code of a parcel that has ended, one takes it over',
  async (t) => {
    const { db } = database;
    const license = await newLicense();
    const code = uniqueText('C');
    const ended = await reserved(license, code);
    await recordBooking(db, ended);
    await recordCancellation(db, { uuid: ended.shipment.uuid, carrierText: '', reason: '', at: nowIso() });
    const records = [];
    for (let count = 0; count < 8; count += 1) records.push(await reserved(license, code));

    const outcomes = await Promise.all(records.map((record) => outcomeOf(recordBooking(db, record))));

    const taken = outcomes.filter((outcome) => outcome instanceof CodeTaken);
    t.is(taken.length, records.length - 1, outcomes.join('\n'));
    t.is((await codesOf(license)).length, 2);
  },
);

test.serial(
  'recordBooking: a code that a person lets two parcels have is taken while either is live',
  async (t) => {
    const { db } = database;
    const license = await newLicense();
    const code = uniqueText('C');
    const [one, evenSo] = [await reserved(license, code), await reserved(license, code)];
    const cancel = ({ shipment: { uuid } }: BookingRecord) =>
      recordCancellation(db, { uuid, carrierText: '', reason: '', at: nowIso() });
    await recordBooking(db, one);
    await recordBooking(db, { ...evenSo, evenSo: true });
    const third = await reserved(license, code);

    const besideBoth = await outcomeOf(recordBooking(db, third));
    await cancel(evenSo);
    const besideTheFirst = await outcomeOf(recordBooking(db, third));
    await cancel(one);
    const besideNone = await outcomeOf(recordBooking(db, third));

    t.true(besideBoth instanceof CodeTaken, String(besideBoth));
    t.true(besideTheFirst instanceof CodeTaken, String(besideTheFirst));
    t.is(besideNone, 201);
  },
);

test.serial('recordBooking: licenses may have the same code', async (t) => {
  const code = uniqueText('C');
  const records = [await reserved(await newLicense(), code), await reserved(await newLicense(), code)];

  const outcomes = await Promise.all(records.map((record) => outcomeOf(recordBooking(database.db, record))));

  t.deepEqual(outcomes, [201, 201]);
});

async function newLicense(): Promise<TestLicense> {
  return await insertTestLicense(database.db);
}

/** A reservation, as the record of a parcel with this code. */
async function reserved(license: TestLicense, trackingCode: string): Promise<BookingRecord> {
  const row = { state: 'reserved', status_code: 'pending', tracking_code: null };
  const { uuid } = await insertTestShipment(database.db, license, row);
  const shipment = await getShipment(database.db, uuid);
  return {
    shipment: { ...shipment, status: { ...shipment.status, code: 'created', description: 'Created' } },
    parcel: { trackingCode, carrierReference: null },
    attempt: 1,
    nextPollAt: null,
    answer: { shipmentUuid: uuid, fingerprint: '00'.repeat(32), status: 201, body: '{}' },
    keepForSeconds: 60,
  };
}

/** The answer's status, or the error. */
async function outcomeOf(recorded: ReturnType<typeof recordBooking>): Promise<unknown> {
  try {
    return (await recorded).answer?.status;
  } catch (error) {
    return error;
  }
}

async function codesOf({ licenseId }: TestLicense) {
  return await database.db.select(
    `SELECT uuid, state, tracking_code AS code FROM shipments
     WHERE license_id = ? AND tracking_code IS NOT NULL ORDER BY id`,
    [licenseId],
  );
}

/** How many records of bookings in this database wait for a lock of another transaction. */
async function countWaiting(db: Executor): Promise<number> {
  const rows = await db.select(
    `SELECT t.trx_id AS id FROM information_schema.innodb_trx t
       JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id AND p.db = DATABASE()
     WHERE t.trx_state = 'LOCK WAIT' AND p.info LIKE 'UPDATE shipments%'`,
  );
  return rows.length;
}
