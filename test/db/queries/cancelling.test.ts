import test from 'ava';
import { recordReading } from '../../../src/db/queries/carriers/readings.js';
import { recordCancellation } from '../../../src/db/queries/creation/cancelling.js';
import { nowIso } from '../../../src/lib/time.js';
import { createTestDatabase } from '../../support/database.js';
import { insertTestAccount, insertTestLicense, insertTestShipment } from '../../support/factories.js';

for (const reason of ['changed their mind', '']) {
  test(`recordCancellation: a poll that was first loses no reason, ${JSON.stringify(reason)}`, async (t) => {
    const { db, drop } = await createTestDatabase();
    t.teardown(drop);
    const license = await insertTestLicense(db, await insertTestAccount(db));
    const { id, uuid } = await insertTestShipment(db, license);
    const polled = { carrierCode: '8', carrierDescription: 'Void', occurredAt: nowIso(), location: null };
    await recordReading(db, {
      shipmentId: id,
      checkedAt: nowIso(),
      events: [{ ...polled, code: 'cancelled' }],
      nextPollAt: () => null,
    });
    const record = () => recordCancellation(db, { uuid, carrierText: 'OK', reason, at: nowIso() });

    const first = await record();
    const again = await record();

    t.deepEqual([first, again], Array(2).fill({ cancelled: true, wake: [] }));
    const history = await db.select(
      `SELECT description FROM shipment_events WHERE shipment_id = ? AND code = 'cancelled' ORDER BY id`,
      [id],
    );
    t.deepEqual(
      history.map(({ description }) => description),
      reason === '' ? ['Void'] : ['Void', reason],
    );
  });
}
