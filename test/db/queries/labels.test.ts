import test from 'ava';
import type { Executor, SqlValue } from '../../../src/db/database.js';
import { listLabelSources } from '../../../src/db/queries/labels/label-sources.js';
import {
  ensureLabelSet,
  findCarrierLabel,
  findCarrierLabelCode,
  findLabelSet,
  insertCarrierLabel,
  markLabelled,
} from '../../../src/db/queries/labels/labels.js';
import { DEFAULT_LABEL_OPTIONS } from '../../../src/domain/labels.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import {
  insertTestAccount,
  insertTestLicense,
  insertTestOrder,
  insertTestShipment,
  type TestLicense,
} from '../../support/factories.js';
import { insertRow } from '../../support/rows.js';

const AT = '2026-11-21T09:30:00.123456Z';

/** The database, and how many bytes its rows have been by now. */
function bytesRead(db: Executor) {
  let bytes = 0;
  const counted: Executor = {
    run: (sql, params) => db.run(sql, params),
    select: async (sql: string, params?: readonly SqlValue[]) => {
      const rows = await db.select(sql, params);
      bytes += JSON.stringify(rows).length;
      return rows;
    },
  };
  return { counted, bytes: () => bytes };
}

let database: TestDatabase;
let license: TestLicense;
let other: TestLicense;

test.before(async () => {
  database = await createTestDatabase();
  const { accountId } = await insertTestAccount(database.db, { locale: 'he', companyName: 'Shop' });
  license = await insertTestLicense(database.db, { accountId });
  other = await insertTestLicense(database.db, {
    accountId: (await insertTestAccount(database.db)).accountId,
  });
});
test.after.always(() => database?.drop());

test('sources come in the order named, without what is foreign or not booked', async (t) => {
  const { db } = database;
  const one = await insertTestShipment(db, license);
  const two = await insertTestShipment(db, license, { details: '{"note":"Ring twice","urgent":true}' });
  const foreign = await insertTestShipment(db, other);
  const reserved = await insertTestShipment(db, license, { state: 'reserved', tracking_code: null });
  const uuids = [two.uuid, foreign.uuid, one.uuid, reserved.uuid];

  const sources = await listLabelSources(db, { accountId: license.accountId, uuids });
  const ofOtherLicense = await listLabelSources(db, {
    accountId: license.accountId,
    uuids,
    licenseId: other.licenseId,
  });

  t.deepEqual(
    sources.map(({ shipment }) => shipment.uuid),
    [two.uuid, one.uuid],
  );
  t.like(sources[0], {
    details: { note: 'Ring twice', extraNote: null, urgent: true },
    account: { locale: 'he', companyName: 'Shop', labelMethod: 'builtin' },
    collectFrom: { city: 'Tel Aviv' },
    items: [],
  });
  t.deepEqual(ofOtherLicense, []);
  t.deepEqual(await listLabelSources(db, { accountId: license.accountId, ids: [] }), []);
});

test('products are read where the license prints them', async (t) => {
  const { db } = database;
  const printing = await insertTestLicense(db, { accountId: license.accountId });
  await db.run('UPDATE license_settings SET print_products = TRUE WHERE license_id = ?', [
    printing.licenseId,
  ]);
  const order = await insertTestOrder(db, printing, { warehouse_location: 'A-1' });
  await insertRow(db, 'order_items', {
    order_id: order.id,
    position: 0,
    name: 'Shirt',
    sku: 'S',
    quantity: 2,
  });
  const shipment = await insertTestShipment(db, printing, { order_id: order.id });

  const [source] = await listLabelSources(db, { accountId: license.accountId, ids: [shipment.id] });

  t.deepEqual(source?.items, [{ name: 'Shirt', sku: 'S', variation: null, quantity: 2, virtual: false }]);
  t.true(source?.flags.products);
  t.is(source?.warehouseLocation, 'A-1');
});

test('labels of many large orders are made of a few kilobytes', async (t) => {
  const { db } = database;
  const printing = await insertTestLicense(db, { accountId: license.accountId });
  await db.run('UPDATE license_settings SET print_products = TRUE WHERE license_id = ?', [
    printing.licenseId,
  ]);
  const order = await insertTestOrder(db, printing, {
    meta_data: JSON.stringify([{ key: 'invoice', value: 'x'.repeat(1_000_000) }]),
    billing: JSON.stringify({ note: 'x'.repeat(1_000_000) }),
  });
  const item = `(?, ?, '${'x'.repeat(1000)}', 1)`;
  const lines = 250;
  await db.run(
    `INSERT INTO order_items (order_id, position, name, quantity) VALUES ${Array(lines).fill(item).join(', ')}`,
    Array.from({ length: lines }, (_, position) => [order.id, position]).flat(),
  );
  const shipment = await insertTestShipment(db, printing, { order_id: order.id });
  const { counted, bytes } = bytesRead(db);

  const [source] = await listLabelSources(counted, { accountId: license.accountId, ids: [shipment.id] });

  t.true(bytes() < 50_000, `${bytes()} bytes`);
  t.deepEqual([source?.items.length, source?.moreItems], [100, 150]);
});

test('equal sets share an address, other options have another', async (t) => {
  const { db } = database;
  const set = { accountId: license.accountId, shipmentIds: [3, 1], options: DEFAULT_LABEL_OPTIONS };

  const [one, two] = await Promise.all([ensureLabelSet(db, set), ensureLabelSet(db, set)]);
  const turned = await ensureLabelSet(db, { ...set, shipmentIds: [1, 3] });
  const chosen = await ensureLabelSet(db, {
    ...set,
    options: { labelType: 'A4', position: 4, sort: null },
  });
  const theirs = await ensureLabelSet(db, { ...set, accountId: other.accountId });

  t.is(one.uuid, two.uuid);
  t.is(new Set([one.uuid, turned.uuid, chosen.uuid, theirs.uuid]).size, 4);
  t.regex(one.uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  t.deepEqual(await findLabelSet(db, chosen.uuid), chosen);
  t.deepEqual(chosen.options, { labelType: 'A4', position: 4, sort: null });
  t.is(one.options.sort, undefined);
  t.is(await findLabelSet(db, '5f0c1f7a-2b64-4f5c-9a3d-6c1f0a7be211'), null);
});

test('an address that is given out again is kept as long as a new one', async (t) => {
  const { db } = database;
  const { accountId } = await insertTestAccount(db);
  const set = { accountId, shipmentIds: [1], options: DEFAULT_LABEL_OPTIONS };
  const { uuid } = await ensureLabelSet(db, set);
  const age = async () => {
    const [row] = await db.select(
      'SELECT TIMESTAMPDIFF(DAY, created_at, NOW(6)) AS days FROM label_sets WHERE uuid = ?',
      [uuid],
    );
    return Number(row?.days);
  };
  await db.run('UPDATE label_sets SET created_at = NOW(6) - INTERVAL 179 DAY WHERE uuid = ?', [uuid]);
  const before = await age();

  const again = await ensureLabelSet(db, set);

  t.is(again.uuid, uuid);
  t.deepEqual([before, await age()], [179, 0]);
});

test('the first label counts, and only for the own account', async (t) => {
  const { db } = database;
  const { id } = await insertTestShipment(db, license);
  const ready = async () =>
    (await db.select('SELECT label_generated, ready_at FROM shipments WHERE id = ?', [id]))[0];

  await markLabelled(db, { accountId: other.accountId, shipmentIds: [id], at: AT });
  const before = await ready();
  await markLabelled(db, { accountId: license.accountId, shipmentIds: [id], at: AT });
  await markLabelled(db, {
    accountId: license.accountId,
    shipmentIds: [id],
    at: '2027-01-01T00:00:00.000000Z',
  });

  t.deepEqual(before, { label_generated: 0, ready_at: null });
  t.deepEqual(await ready(), { label_generated: 1, ready_at: '2026-11-21 09:30:00.123456' });
});

test("a carrier's label is kept once", async (t) => {
  const { db } = database;
  const { id: shipmentId } = await insertTestShipment(db, license);
  const { accountId } = license;
  const label = { uuid: '5f0c1f7a-2b64-4f5c-9a3d-6c1f0a7be212', accountId, shipmentId, bytes: 10 };

  await insertCarrierLabel(db, label);
  await insertCarrierLabel(db, { ...label, uuid: '5f0c1f7a-2b64-4f5c-9a3d-6c1f0a7be213' });

  t.deepEqual(await findCarrierLabel(db, { accountId, shipmentId }), { uuid: label.uuid, bytes: 10 });
  t.is(await findCarrierLabel(db, { accountId: other.accountId, shipmentId }), null);
  t.not(await findCarrierLabelCode(db, label.uuid), null);
  t.is(await findCarrierLabelCode(db, '5f0c1f7a-2b64-4f5c-9a3d-6c1f0a7be213'), null);
});
