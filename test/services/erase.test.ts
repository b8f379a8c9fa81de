import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { SqlValue } from '../../src/db/database.js';
import * as tables from '../../src/db/tables/index.js';
import { createStorage } from '../../src/documents/storage.js';
import { phoneKey } from '../../src/domain/phone.js';
import { issueToken } from '../../src/services/accounts/access-tokens.js';
import { eraseData, previewErasure } from '../../src/services/admin/erase.js';
import { TEST_ACTOR } from '../support/actor.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import {
  insertTestAccount,
  insertTestLicense,
  insertTestOrder,
  insertTestShipment,
  TEST_APP_KEY,
  type TestLicense,
} from '../support/factories.js';
import { insertRow } from '../support/rows.js';

const folder = mkdtempSync(join(tmpdir(), 'parcelworks-erase-'));
const storage = createStorage({ kind: 'directory', path: folder });
let database: TestDatabase;
let license: TestLicense;
test.before(async () => {
  database = await createTestDatabase();
  const { accountId } = await insertTestAccount(database.db);
  license = await insertTestLicense(database.db, { accountId });
});
test.after.always(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

function app() {
  return { db: database.db, config: { appKey: TEST_APP_KEY }, storage, actor: TEST_ACTOR };
}

/** A parcel whose person is named in every place that may name one. */
async function parcelOf(person: { name: string; phone: string; email: string }, status = 'delivered') {
  const { db } = database;
  const { name, phone, email } = person;
  const order = await insertTestOrder(db, license, {
    billing: JSON.stringify({ name, email }),
    shipping: JSON.stringify({ name, phone }),
    meta_data: JSON.stringify({ gift: `for ${name}` }),
  });
  const { id, uuid } = await insertTestShipment(db, license, {
    order_id: order.id,
    status_code: status,
    status_description: `Handed to ${name}`,
    recipient_name: name,
    recipient_phone: phone,
    recipient_phone_key: phoneKey(phone),
    recipient_email: email,
    recipient_street: `${name} street`,
    details: JSON.stringify({ note: `Call ${name}`, recipient: { name } }),
  });
  const add = (table: string, values: Record<string, SqlValue>) => insertRow(db, table, values);
  const owner = { account_id: license.accountId, license_id: license.licenseId };
  await add('shipment_events', {
    shipment_id: id,
    code: status,
    description: `Signed by ${name}`,
    carrier_description: `Signed by ${name}`,
    occurred_at: '2026-11-01 10:00:00',
  });
  await add('carrier_attempts', {
    shipment_uuid: uuid,
    operation: 'book',
    number: 1,
    state: 'accepted',
    outcome_text: `Booked for ${name}`,
  });
  await add('notification_logs', {
    ...owner,
    shipment_id: id,
    event: 'shipment.delivered',
    event_id: randomUUID(),
    data: '{}',
    recipient: email,
    subject: `Hello ${name}`,
    status: 'sent',
  });
  await db.run(
    `INSERT INTO idempotency_keys
       (account_id, api, key_hash, fingerprint, shipment_uuid, response_body, expires_at)
     VALUES (?, 'v2', UNHEX(SHA2(?, 256)), UNHEX(SHA2(?, 256)), ?, ?, NOW(6) - INTERVAL 1 DAY)`,
    [license.accountId, uuid, uuid, uuid, JSON.stringify({ recipient: { name, phone } })],
  );
  return { id, uuid, orderId: order.orderId };
}

/** Tables that hold the text anywhere. */
async function holding(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of Object.values(tables)) {
    const rows = await database.db.select(`SELECT * FROM ${name}`);
    if (JSON.stringify(rows).includes(text)) found.push(name);
  }
  return found.sort();
}

test('recipients erase: nothing names the person any more, what happened stays, and the proof says where', async (t) => {
  const { db } = database;
  const person = { name: 'Noga Canary', phone: '054-765-8431', email: 'Noga@canary.example' };
  const { uuid } = await parcelOf(person);
  const other = { name: 'Tamar Other', phone: '0501111111', email: 'tamar@other.example' };
  await parcelOf(other);
  const recipientId = await insertRow(db, 'recipients', { name: person.name, phone: '0547658431' });
  await issueToken(db, { recipientId, name: 'phone' });
  const before = await holding('Canary');

  const preview = await previewErasure(app(), { phone: '+972 54 765 8431' });
  const proof = await eraseData(app(), { phone: '+972 54 765 8431' });
  const again = await eraseData(app(), { email: person.email.toLowerCase() });

  t.true(before.includes('shipments') && before.includes('orders') && before.includes('recipients'));
  t.deepEqual(preview, { shipments: [uuid], underWay: [], recipients: 1 });
  t.deepEqual(Object.fromEntries(proof.erased.map(({ what, rows }) => [what, rows])), {
    shipments: 1,
    orders: 1,
    shipment_events: 1,
    carrier_attempts: 1,
    notification_logs: 1,
    idempotency_keys: 1,
    personal_access_tokens: 1,
    recipients: 1,
  });
  t.true(proof.left.some(({ what }) => what.includes('Temporal')));
  t.deepEqual(again.erased, []);
  for (const text of ['Canary', 'canary', '8431']) t.deepEqual(await holding(text), [], text);
  t.true((await holding('Tamar')).includes('shipments'));
  const [kept] = await db.select('SELECT status_code, status_description FROM shipments WHERE uuid = ?', [
    uuid,
  ]);
  t.deepEqual({ ...kept }, { status_code: 'delivered', status_description: 'Delivered' });
  const [row] = await db.select('SELECT values_after FROM audit_log WHERE target_id = ? ORDER BY id', [
    proof.reference,
  ]);
  t.regex(String(row?.values_after), /shipments 1, orders 1/);
});

test('recipients erase: a parcel under way is left, with its order', async (t) => {
  const person = { name: 'Dalia Moving', phone: '0502223334', email: 'dalia@moving.example' };
  const { uuid, orderId } = await parcelOf(person, 'in_transit');

  const proof = await eraseData(app(), { order: orderId, account: license.accountId });

  t.deepEqual([proof.erased, proof.underWay], [[], [uuid]]);
  t.true((await holding('Moving')).includes('orders'));
  await t.throwsAsync(eraseData(app(), { order: orderId, phone: person.phone }), {
    message: /must name exactly one/,
  });
});
