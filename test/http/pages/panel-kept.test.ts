import { randomUUID } from 'node:crypto';
import test from 'ava';
import { eraseData } from '../../../src/services/admin/erase.js';
import { keepAddress } from '../../../src/services/kept/kept.js';
import { TEST_ACTOR } from '../../support/actor.js';
import { startHttp } from '../../support/http.js';
import { uploadOrders } from '../../support/import-drafts.js';
import { newMerchant } from '../../support/panel.js';
import { formsIn } from '../../support/panel-forms.js';

const http = await startHttp();
test.after.always(() => http.close());

const merchant = () => newMerchant(http);

const dana = {
  contact_name: 'Dana Levi',
  contact_phone: '050-123-4567',
  street: 'Herzl',
  number: '7',
  city: 'Haifa',
};

/** Values in the form of a shipment on a page. */
function shipFields(text: string): Record<string, string> {
  const form = formsIn(text).find(({ html }) => html.includes('id="ship"'));
  return Object.fromEntries(form?.fields ?? []);
}

test('POST /shipments/filled: fills in a kept address and a preset, and keeps what was typed', async (t) => {
  const { license, ask } = await merchant();
  await ask('/addresses', Object.entries(dana));
  await ask('/presets', [
    ['preset_name', 'Two boxes'],
    ['license', String(license.id)],
    ['type', '2'],
    ['packages', '2'],
    ['note', 'At the gate'],
  ]);
  const page = await ask('/shipments/new');
  const preset = /name="preset" value="(\d+)"/.exec(page.text)?.[1] ?? '';
  const byPhone = await ask('/shipments/addresses?find=0501234');
  const address = /name="address" value="(\d+)"/.exec(byPhone.text)?.[1] ?? '';

  const withPreset = await ask('/shipments/filled', [
    ['order', '1001'],
    ['preset', preset],
  ]);
  const filled = await ask('/shipments/filled', [
    ...Object.entries(shipFields(withPreset.text)),
    ['address', address],
  ]);

  t.is(filled.status, 200);
  t.like(shipFields(filled.text), {
    ...dana,
    order: '1001',
    type: '2',
    packages: '2',
    note: 'At the gate',
    license: String(license.id),
  });
  for (const text of ['dana', 'haif', '4567']) {
    const found = await ask(`/shipments/new?find=${text}`);
    t.true(found.text.includes(`name="address" value="${address}"`), text);
  }
  t.true((await ask('/shipments/addresses?find=nobody')).text.includes('No kept address'));
});

test('POST /shipments/preset: saves what the form has, and the form comes back as it was, under another key', async (t) => {
  const { id, ask } = await merchant();
  const key = randomUUID();
  const typed = { ...dana, order: '1001', packages: '4', type: '1' };

  const saved = await ask('/shipments/preset', [
    ...Object.entries({ ...typed, preset_name: 'Four boxes' }),
    ['key', key],
  ]);
  const unnamed = await ask('/shipments/preset', Object.entries(typed));

  t.like(shipFields(saved.text), typed);
  t.not(shipFields(saved.text).key, key);
  t.true(saved.text.includes('Four boxes</bdi></button>'), saved.text);
  t.is(unnamed.status, 422);
  t.like(shipFields(unnamed.text), typed);
  const kept = await http.db.select('SELECT name, packages FROM parcel_presets WHERE account_id = ?', [id]);
  t.deepEqual(
    kept.map(({ name, packages }) => [name, Number(packages)]),
    [['Four boxes', 4]],
  );
});

test('POST /shipments/new: 422 with the field, and no parcel, when the number of packages is no number', async (t) => {
  const { id, license, ask } = await merchant();
  const form = { ...dana, order: randomUUID(), license: String(license.id), type: '1', packages: 'two' };

  const { status, text } = await ask('/shipments/new', Object.entries(form));

  t.is(status, 422);
  t.regex(text, /id="packages"[^>]*aria-invalid="true"/);
  t.deepEqual(await http.db.select('SELECT id FROM shipments WHERE account_id = ?', [id]), []);
});

test('POST /shipments/new: keeps the address where it is asked to, once for each person', async (t) => {
  const { id, license, ask } = await merchant();
  const parcel = (street: string): [string, string][] => [
    ...Object.entries({ ...dana, street, order: randomUUID(), license: String(license.id), type: '1' }),
    ['keep_address', 'on'],
  ];

  await ask('/shipments/new', parcel('Herzl'));
  await ask('/shipments/new', parcel('Allenby'));
  await ask(
    '/shipments/new',
    parcel('Jaffa').filter(([name]) => name !== 'keep_address'),
  );

  const kept = await http.db.select('SELECT name, street FROM kept_addresses WHERE account_id = ?', [id]);
  t.deepEqual(
    kept.map(({ name, street }) => [name, street]),
    [['Dana Levi', 'Allenby']],
  );
});

test('GET /addresses: another account’s are not found, and what is deleted is gone', async (t) => {
  const { id, ask } = await merchant();
  const other = await merchant();
  await ask('/addresses', Object.entries(dana));
  const [row] = await http.db.select('SELECT id FROM kept_addresses WHERE account_id = ?', [id]);

  const missing = await ask('/addresses', [['contact_name', 'Dana']]);
  const foreign = await other.ask(`/shipments/new?address=${row?.id}`);
  await other.ask('/addresses/remove', [['id', String(row?.id)]]);
  const still = await ask('/addresses');
  await ask('/addresses/remove', [['id', String(row?.id)]]);

  t.is(missing.status, 422);
  t.false(foreign.text.includes('Dana Levi'));
  t.true(still.text.includes('Dana Levi'));
  t.false((await ask('/addresses')).text.includes('Dana Levi'));
});

test('POST /imports/new: orders get a preset’s values where the file has none', async (t) => {
  const { id, cookie, base, ask } = await merchant();
  await ask('/presets', [
    ['preset_name', 'Three boxes'],
    ['packages', '3'],
    ['note', 'Fragile'],
  ]);
  const [preset] = await http.db.select('SELECT id FROM parcel_presets WHERE account_id = ?', [id]);
  const content =
    'order,name,phone,street,city,note\n1,Dana,0501234567,Herzl 7,Haifa,Ring\n2,Avi,0521234567,Jaffa 1,Lod,';

  await uploadOrders(base, cookie, { content, name: 'orders.csv', fields: { preset: String(preset?.id) } });

  const rows = await http.db.select(
    `SELECT r.item FROM import_rows r JOIN import_drafts d ON d.id = r.draft_id
     WHERE d.account_id = ? ORDER BY r.line`,
    [id],
  );
  const ships = rows.map(({ item }) => (typeof item === 'string' ? JSON.parse(item) : item).ship_data);
  t.like(ships[0], { packages: 3, note: 'Ring' });
  t.like(ships[1], { packages: 3, note: 'Fragile' });
});

test('POST /presets: 422 at the field when a preset has no name or too many packages', async (t) => {
  const { ask } = await merchant();

  const answer = await ask('/presets', [
    ['preset_name', ' '],
    ['packages', '100'],
  ]);

  t.is(answer.status, 422);
  t.regex(answer.text, /id="preset_name-error"/);
  t.regex(answer.text, /id="packages-error"/);
});

test('eraseData: addresses that accounts have kept of the person go', async (t) => {
  const { id } = await merchant();
  const phone = '0583334445';
  await keepAddress(http, id, { ...dana, contact_phone: phone });
  await keepAddress(http, id, { ...dana, contact_phone: '0583334446' });

  const { erased } = await eraseData({ ...http.app, actor: TEST_ACTOR }, { phone });

  t.deepEqual(erased, [{ what: 'kept_addresses', rows: 1 }]);
  const left = await http.db.select('SELECT phone FROM kept_addresses WHERE account_id = ?', [id]);
  t.deepEqual(
    left.map(({ phone: is }) => is),
    ['0583334446'],
  );
});
