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
import { eraseData, LEFT, previewErasure } from '../../src/services/admin/erase.js';
import { TEST_ACTOR } from '../support/actor.js';
import { createTestDatabase } from '../support/database.js';
import {
  insertTestLicense,
  insertTestOrder,
  insertTestShipment,
  TEST_APP_KEYS,
} from '../support/factories.js';
import { insertRow } from '../support/rows.js';

const folder = mkdtempSync(join(tmpdir(), 'parcelworks-erase-'));
const storage = createStorage({ kind: 'directory', path: folder });
const database = await createTestDatabase();
const license = await insertTestLicense(database.db);
test.after.always(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

function app() {
  return { db: database.db, config: { appKeys: TEST_APP_KEYS }, storage, actor: TEST_ACTOR };
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
  for (const text of ['Canary', 'canary', '7658431', '765-8431']) t.deepEqual(await holding(text), [], text);
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

/** Emptied, or their rows deleted, with the shipment. */
const ERASED: Readonly<Record<string, readonly string[]>> = {
  shipments: 'name phone phone_key email company street number entrance floor apartment city state zip'
    .split(' ')
    .map((name) => `recipient_${name}`)
    .concat('status_description', 'details', 'pending_order'),
  orders: ['billing', 'shipping', 'meta_data'],
  shipment_events: ['description', 'carrier_description', 'location'],
  carrier_attempts: ['outcome_text'],
  inbound_events: ['carrier_description', 'location'],
  notification_logs: ['data', 'recipient', 'subject', 'last_error'],
  recipients: ['name', 'phone'],
};
/** Rows that are deleted as a whole. */
const DELETED = ['import_rows', 'kept_addresses'];
/** Ids, codes, times, goods, and what the merchant and the operators are called: no recipient is named there. */
const FREE: Readonly<Record<string, readonly string[] | 'all'>> = {
  accounts: 'all',
  audit_log: ['actor_kind', 'actor_name', 'actor_origin', 'action', 'target_kind', 'target_id'],
  batch_items: ['shipment_uuid'],
  batches: 'all',
  carrier_attempts: ['shipment_uuid', 'operation', 'outcome_code', 'account_identity'],
  carrier_labels: 'all',
  carriers: 'all',
  client_credentials: 'all',
  companies: 'all',
  exports: 'all',
  idempotency_keys: ['api', 'shipment_uuid'],
  import_drafts: 'all',
  import_mappings: 'all',
  inbound_events: ['parcel', 'tracking_code', 'reference', 'code', 'carrier_code', 'reason'],
  label_sets: 'all',
  license_settings: 'all',
  licenses: 'all',
  mail_stops: 'all',
  notification_logs: ['event', 'event_id'],
  notification_settings: 'all',
  notification_templates: 'all',
  order_items: 'all',
  orders: ['order_id', 'number', 'status', 'source', 'currency', 'external_id', 'warehouse_location'],
  panel_sessions: 'all',
  panel_users: 'all',
  parcel_presets: 'all',
  personal_access_tokens: 'all',
  pickup_points: 'all',
  response_logs: ['route'],
  schema_migrations: 'all',
  service_secrets: 'all',
  settlement_copies: 'all',
  shipment_counts: 'all',
  shipment_events: ['code', 'carrier_code'],
  shipments: (
    'uuid workflow_id tracking_code carrier_reference short_tracking_code status_code recipient_country ' +
    'pickup_point_id cod_currency external_id collection_status'
  ).split(' '),
  shipping_statuses: 'all',
  store_sites: 'all',
  told_operators: 'all',
  users: 'all',
  webhook_deliveries: ['uuid', 'subscription_id', 'event', 'event_id'],
  webhook_subscriptions: 'all',
};

/** Every column that may hold a text, as `table.column`, but choices of the schema. */
async function textColumns(): Promise<string[]> {
  const rows = await database.db.select(
    `SELECT CONCAT(TABLE_NAME, '.', COLUMN_NAME) AS name FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND DATA_TYPE IN ('char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'json')
     ORDER BY name`,
  );
  return rows.map(({ name }) => String(name));
}

test('recipients erase: each text column is erased, listed as left, or free of persons', async (t) => {
  const columns = await textColumns();
  const left = LEFT.flatMap((one) => one.columns ?? []);

  const unnamed = columns.filter((column) => {
    const [table = '', name = ''] = column.split('.');
    const free = FREE[table];
    const isFree = free === 'all' || free?.includes(name) === true || DELETED.includes(table);
    return !isFree && !left.includes(column) && ERASED[table]?.includes(name) !== true;
  });

  t.true(columns.length > 100);
  t.deepEqual(unnamed, [], 'a new column: erase it, name it in LEFT, or say that it names nobody');
  t.deepEqual(
    left.filter((column) => !columns.includes(column)),
    [],
  );
});

test('recipients erase: what counts as erased holds nothing afterwards', async (t) => {
  const { db } = database;
  const phone = '0528887771';
  const { id, uuid, orderId } = await parcelOf({ name: 'Zaatar', phone, email: 'zaatar@z.example' });
  await insertRow(db, 'recipients', { name: 'Zaatar', phone });
  await insertRow(db, 'inbound_events', {
    license_id: license.licenseId,
    event_key: Buffer.from(uuid.replaceAll('-', ''), 'utf8'),
    parcel: 'P',
    carrier_code: '1',
    carrier_description: '',
    occurred_at: '2026-11-01 10:00:00',
    shipment_id: id,
  });
  const draftId = await insertRow(db, 'import_drafts', {
    uuid: randomUUID(),
    account_id: license.accountId,
    license_id: license.licenseId,
    file_name: 'orders.csv',
    source: 'file',
    columns: '[]',
  });
  await insertRow(db, 'import_rows', {
    draft_id: draftId,
    line: 2,
    item: '{"ship_data":{"contact_name":"Zaatar"}}',
    edits: '{}',
    faults: '{}',
    state: 'faulty',
    order_id: '1001',
    phone_key: phoneKey(phone),
    email: '',
  });
  const JSONS = ['details', 'pending_order', 'billing', 'shipping', 'meta_data', 'data'];
  const OF_PARCEL: Readonly<Record<string, [string, string | number]>> = {
    shipments: ['id = ?', id],
    orders: ['order_id = ?', orderId],
    carrier_attempts: ['shipment_uuid = ?', uuid],
    recipients: ['phone = ?', phone],
  };
  for (const [table, names] of Object.entries(ERASED)) {
    const [where, value] = OF_PARCEL[table] ?? ['shipment_id = ?', id];
    const written = names.filter((name) => !name.includes('phone'));
    const sets = written.map((name) => `${name} = ?`).join(', ');
    const values = written.map((name) => (JSONS.includes(name) ? '{"note":"Zaatar"}' : 'Zaatar'));
    const { affectedRows } = await db.run(`UPDATE ${table} SET ${sets} WHERE ${where}`, [...values, value]);
    t.is(affectedRows, table === 'recipients' ? 0 : 1, table);
  }

  await eraseData(app(), { phone });

  t.deepEqual(await holding('Zaatar'), []);
  t.deepEqual(await holding('8887771'), []);
});

test('recipients erase: every phone and e-mail that a shipment and its order hold finds it', async (t) => {
  const { db } = database;
  const order = await insertTestOrder(db, license, {
    billing: JSON.stringify({ phone: '+972 53-333-3333', email: 'Payer@all.example' }),
    shipping: JSON.stringify({ phone: '055-222 2222', email: 'door@all.example' }),
  });
  const { uuid } = await insertTestShipment(db, license, {
    order_id: order.id,
    status_code: 'delivered',
    recipient_name: 'Lior All',
    recipient_phone: '0552222222',
    recipient_phone_key: '0552222222',
    details: JSON.stringify({ recipient: { phone: '053-111-1111', email: 'told@all.example' } }),
  });
  const findings = (request: Parameters<typeof previewErasure>[1]) =>
    previewErasure(app(), request).then(({ shipments }) => shipments);

  for (const phone of ['0531111111', '0552222222', '+972533333333'])
    t.deepEqual(await findings({ phone }), [uuid], phone);
  for (const email of ['payer@all.example', 'door@all.example', 'Told@all.example'])
    t.deepEqual(await findings({ email }), [uuid], email);
  t.deepEqual(await findings({ phone: '053333333' }), []);
});

test('recipients erase: an order without its account is refused, as each shop has an order 1001', async (t) => {
  const error = await t.throwsAsync(previewErasure(app(), { order: '1001' }));

  t.regex(String(error?.message), /account is required with --order/);
});
