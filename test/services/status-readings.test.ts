import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import test from 'ava';
import { lionwheel } from '../../src/carriers/lionwheel/index.js';
import { currentEvent } from '../../src/carriers/readings.js';
import { insertInboundEvents } from '../../src/db/queries/carriers/inbound-events.js';
import { applyInboundParcel } from '../../src/db/queries/carriers/inbound-parcels.js';
import { findShipment, listEvents } from '../../src/db/queries/shipments/shipments.js';
import { isoToSql, nowIso } from '../../src/lib/time.js';
import { readStatuses } from '../../src/services/shipments/status-readings.js';
import { lionwheelAccount } from '../carriers/support.js';
import { createTestDatabase } from '../support/database.js';
import { insertTestAccount, insertTestLicense, insertTestShipment } from '../support/factories.js';
import { listen } from '../support/local-server.js';

/** The carrier's names of our statuses. */
const NAMES = { in_transit: 'IN_TRANSFER', out_for_delivery: 'ACTIVE', delivery_failed: 'FAILED' } as const;
type Told = keyof typeof NAMES;
const PAST = '2026-01-01 00:00:00.000000';

const database = await createTestDatabase();
test.after.always(() => database.drop());

test("poll: a webhook recorded before a poll's answer is newer than the answer", async (t) => {
  const parcel = await newParcel();
  await parcel.poll('in_transit');

  await parcel.poll('in_transit', async () => {
    await parcel.tell('out_for_delivery');
    await parcel.apply();
  });

  t.is((await parcel.read())?.status.code, 'out_for_delivery');
  t.deepEqual(await parcel.history(), ['in_transit', 'out_for_delivery']);
});

test('poll: a webhook that arrives during a poll counts after the answer is recorded', async (t) => {
  const parcel = await newParcel();

  await parcel.poll('in_transit', () => parcel.tell('out_for_delivery'));
  await parcel.apply();

  t.is((await parcel.read())?.status.code, 'out_for_delivery');
  t.deepEqual(await parcel.history(), ['in_transit', 'out_for_delivery']);
});

test('poll: an answer that a webhook has overtaken becomes history, and the carrier is asked again', async (t) => {
  const parcel = await newParcel();

  await parcel.poll('in_transit', async () => {
    await parcel.tell('out_for_delivery');
    await parcel.apply();
  });
  const between = await parcel.read();
  const due = await parcel.nextPollAt();
  await parcel.poll('delivery_failed');

  t.is(between?.status.code, 'out_for_delivery');
  t.is(due, PAST);
  t.is((await parcel.read())?.status.code, 'delivery_failed');
  t.true(String((await parcel.read())?.checkedAt) > String(between?.checkedAt));
  t.deepEqual(await parcel.history(), ['in_transit', 'out_for_delivery', 'delivery_failed']);
});

test('poll: a parcel checked by a host with a fast clock is polled like any other', async (t) => {
  const parcel = await newParcel();
  await parcel.poll('in_transit');
  await parcel.checkedAnHourAhead();

  await parcel.poll('out_for_delivery');

  t.is((await parcel.read())?.status.code, 'out_for_delivery');
  t.true(String(await parcel.nextPollAt()) > isoToSql(nowIso()));
});

test("poll: of answers in another order than the requests, the last request's wins", async (t) => {
  const parcel = await newParcel();

  await parcel.poll('in_transit', () => parcel.poll('out_for_delivery'));

  t.is((await parcel.read())?.status.code, 'out_for_delivery');
});

test('poll: a status that a webhook tells meanwhile is one entry, whichever is recorded first', async (t) => {
  const [pollFirst, webhookFirst] = [await newParcel(), await newParcel()];

  await pollFirst.poll('delivery_failed', () => pollFirst.tell('delivery_failed'));
  await pollFirst.apply();
  await webhookFirst.poll('delivery_failed', async () => {
    await webhookFirst.tell('delivery_failed');
    await webhookFirst.apply();
  });

  for (const parcel of [pollFirst, webhookFirst]) {
    t.deepEqual(await parcel.history(), ['delivery_failed']);
    t.is((await parcel.read())?.status.code, 'delivery_failed');
  }
});

test('poll: one entry and one change each when polls and webhooks tell the same at once', async (t) => {
  const parcel = await newParcel();
  const statuses = ['in_transit', 'out_for_delivery', 'delivery_failed'] as const;

  for (const code of statuses) {
    const tell = async () => {
      await parcel.tell(code);
      await parcel.apply();
    };
    await Promise.all([parcel.poll(code), tell(), parcel.poll(code), tell()]);
    await parcel.apply();
  }

  t.deepEqual(await parcel.history(), [...statuses]);
});

test('webhook: two that tell one change in other words are one entry', async (t) => {
  const parcel = await newParcel();

  await parcel.tell('delivery_failed', 'Nobody is there');
  await parcel.tell('delivery_failed', 'Nobody is there, a card was left');
  await parcel.apply();

  t.deepEqual(await parcel.history(), ['delivery_failed']);
});

test('webhook: a delivery that fails again on another day is another entry', async (t) => {
  const parcel = await newParcel();
  await parcel.tell('delivery_failed', 'Nobody is there');
  await parcel.apply();
  await parcel.aDayPasses();

  await parcel.tell('delivery_failed', 'Nobody is there again');
  await parcel.apply();
  await parcel.poll('delivery_failed');

  t.deepEqual(await parcel.history(), ['delivery_failed', 'delivery_failed']);
});

/** A due shipment of a carrier that reports the current status without a time. */
async function newParcel() {
  const { db } = database;
  const { accountId } = await insertTestAccount(db);
  const license = await insertTestLicense(db, { accountId, provider: 'run' });
  const trackingCode = `T-${randomUUID()}`;
  const shipment = await insertTestShipment(db, license, {
    tracking_code: trackingCode,
    status_at: PAST,
    next_poll_at: PAST,
  });
  const { licenseId } = license;
  return {
    read: () => findShipment(db, { accountId, uuid: shipment.uuid }),
    history: async () => (await listEvents(db, shipment.id)).map((event) => event.code),
    async nextPollAt() {
      const [row] = await db.select('SELECT next_poll_at FROM shipments WHERE id = ?', [shipment.id]);
      return row?.next_poll_at;
    },
    /** As if another host's clock were ahead; it is still due. */
    checkedAnHourAhead: () =>
      db.run('UPDATE shipments SET checked_at = NOW(6) + INTERVAL 1 HOUR, next_poll_at = ? WHERE id = ?', [
        PAST,
        shipment.id,
      ]),
    async aDayPasses() {
      await db.run(
        'UPDATE shipment_events SET occurred_at = occurred_at - INTERVAL 1 DAY WHERE shipment_id = ?',
        [shipment.id],
      );
      await db.run(
        'UPDATE shipments SET status_at = status_at - INTERVAL 1 DAY, checked_at = checked_at - INTERVAL 1 DAY WHERE id = ?',
        [shipment.id],
      );
    },
    /** Polls the carrier; `meanwhile` runs before its answer. */
    async poll(code: Told, meanwhile: () => Promise<void> = async () => {}): Promise<void> {
      const reply = JSON.stringify({
        task: { id: 77, public_id: trackingCode, status: NAMES[code] },
      });
      const server = createServer((_request, response) => {
        response.setHeader('content-type', 'application/json');
        void meanwhile().then(() => response.end(reply));
      });
      const { url, close } = await listen(server);
      const account = lionwheelAccount(url);
      const asked = { id: shipment.id, uuid: shipment.uuid, trackingCode, carrierReference: '77' };
      const { answered, trouble } = await readStatuses(
        { db, carriers: () => lionwheel, accounts: async () => account, wake: () => {} },
        { provider: 'lionwheel', licenseId, parcels: [asked], signal: new AbortController().signal },
      );
      await close();
      if (!answered.has(shipment.id)) throw trouble ?? new Error('no answer');
    },
    /** Receives the carrier's webhook. */
    async tell(code: Told, text = ''): Promise<void> {
      const eventKey = createHash('sha256').update(randomUUID()).digest();
      const event = currentEvent(code, NAMES[code], text, nowIso());
      await insertInboundEvents(db, {
        licenseId,
        events: [{ eventKey, trackingCode, reference: null, event }],
      });
    },
    async apply(): Promise<void> {
      await applyInboundParcel(db, { licenseId, parcel: trackingCode });
    },
  };
}
