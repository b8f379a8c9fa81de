import { randomUUID } from 'node:crypto';
import test from 'ava';
import exceljs from 'exceljs';
import { eraseData } from '../../../src/services/admin/erase.js';
import { TEST_ACTOR } from '../../support/actor.js';
import { startHttp } from '../../support/http.js';
import { uploadOrders } from '../../support/import-drafts.js';
import { askPanel, cookieOf, type PanelAnswer } from '../../support/panel.js';

const http = await startHttp();
test.after.always(() => http.close());

const HEAD = 'order,name,phone,street,number,city';
const good = (order: string) => `${order},Dana Levi,0501234567,Herzl,7,Haifa`;

/** A merchant's user, who sends files and forms. */
async function merchant() {
  const { id } = await http.account();
  await http.license(id);
  const cookie = await cookieOf(http, 'staff', id);
  const base = `${http.url}/panel/a/${id}`;
  const keyed = async (path: string, fields: Record<string, string> | [string, string][]) => {
    const list = Array.isArray(fields) ? fields : Object.entries(fields);
    return await askPanel(`${base}${path}`, { form: [['key', randomUUID()], ...list], headers: { cookie } });
  };
  const page = async (path: string) => await askPanel(`${base}${path}`, { headers: { cookie } });
  const upload = async (content: string | Uint8Array<ArrayBuffer>, name = 'orders.csv') =>
    await uploadOrders(base, cookie, { content, name });
  const draftOf = (answer: PanelAnswer) =>
    (answer.to ?? '').replace(`/panel/a/${id}`, '').split('?')[0] ?? '';
  return { id, keyed, page, upload, draftOf };
}

const batchesOf = async (account: number) =>
  await http.db.select('SELECT uuid, total FROM batches WHERE account_id = ? ORDER BY id', [account]);

test('POST /imports/new: shows each fault at its cell, keeps what is typed, and books each order once', async (t) => {
  const { id, keyed, page, upload, draftOf } = await merchant();
  const order = randomUUID().slice(0, 8);
  const file = [
    HEAD,
    good(`${order}-1`),
    `${order}-2,Avi Bar,none,Herzl,7,Haifa`,
    `${order}-3,,0501234567,Herzl,7,`,
  ];

  const draft = draftOf(await upload(file.join('\n')));
  const checked = await page(draft);
  const names = [...checked.text.matchAll(/name="(r\d+\.[^"]+)"/g)].map(([, name]) => name ?? '');

  t.true(checked.text.includes('1 ready · 2 need you'), checked.text);
  t.deepEqual(
    names.map((name) => name.split('.').slice(1).join('.')),
    ['ship_data.contact_phone', 'ship_data.contact_name', 'ship_data.city'],
  );
  t.is([...checked.text.matchAll(/class="error" id="r\d+/g)].length, 3);

  const [phone = '', name = ''] = names;
  await keyed(`${draft}/rows`, { [phone]: '052-7654321', [name]: 'Noa Bar' });
  const mended = await page(draft);

  t.true(mended.text.includes('2 ready · 1 need you'));
  t.true(mended.text.includes('Noa Bar'));

  const booked = await Promise.all([1, 2, 3].map(() => keyed(`${draft}/book`, { round: '0' })));
  const batches = await batchesOf(id);
  const rest = await page(draft);

  t.deepEqual(
    batches.map(({ total }) => total),
    [2],
  );
  for (const answer of booked) t.true(answer.to?.includes(`/batches/${batches[0]?.uuid}`), answer.text);
  t.true(rest.text.includes('1 need you'));
  t.true((await page('/batches/new')).text.includes(draft));
});

test('POST /imports/:draft/columns: reads the file by the chosen columns, and the next one with the same headings by itself', async (t) => {
  const { keyed, page, upload, draftOf } = await merchant();
  const file = (order: string) => `A,B,C,D,E\n${order},Dana Levi,0501234567,Herzl 7,Haifa`;
  const first = draftOf(await upload(file('1')));
  const columns = ['order_number', 'name', 'phone', 'street', 'city'];

  const asked = await page(first);
  const incomplete = await keyed(`${first}/columns`, [['column', 'name']]);
  await keyed(
    `${first}/columns`,
    columns.map((field) => ['column', field]),
  );
  const second = draftOf(await upload(file('2')));

  t.true(asked.text.includes('<select name="column"'));
  t.is(incomplete.status, 422);
  t.true((await page(first)).text.includes('1 ready'));
  t.true((await page(second)).text.includes('1 ready'));
});

test('POST /imports/new: reads a workbook with numbers, a formula and a link', async (t) => {
  const { page, upload, draftOf } = await merchant();
  const workbook = new exceljs.Workbook();
  const sheet = workbook.addWorksheet('Orders');
  sheet.addRow(['Orders of today']);
  sheet.addRow(['order', 'name', 'phone', 'street', 'number', 'city', 'email']);
  sheet.addRow([
    1001,
    { richText: [{ text: 'Dana ' }, { text: 'Levi' }] },
    501234567,
    'Herzl',
    7,
    { formula: 'A9', result: 'Haifa' },
  ]);
  sheet.getCell('G3').value = { text: 'dana@example.com', hyperlink: 'mailto:dana@example.com' };

  const draft = draftOf(await upload(new Uint8Array(await workbook.xlsx.writeBuffer()), 'orders.xlsx'));
  const { text } = await page(draft);

  t.true(text.includes('1 ready'), text);
  t.true(text.includes('Dana Levi'));
});

test('POST /imports/new: 422 with the reason when the file cannot be read, and the pasted table stays', async (t) => {
  const { keyed, upload } = await merchant();

  const empty = await upload('order,name\n');
  const pasted = await keyed('/imports/new', { table: 'only a line that somebody typed' });

  t.is(empty.status, 422);
  t.true(empty.text.includes('The file has no orders'));
  t.is(pasted.status, 422);
  t.true(pasted.text.includes('only a line that somebody typed'));
});

test('eraseData: a person’s rows in drafts go, the others stay', async (t) => {
  const { id, page, upload, draftOf } = await merchant();
  const phone = '0587654321';
  const draft = draftOf(await upload([HEAD, good('1'), `2,Avi Bar,${phone},Herzl,7,Haifa`].join('\n')));
  const app = { ...http.app, actor: TEST_ACTOR };

  const { erased } = await eraseData(app, { phone });

  const rows = await http.db.select(
    'SELECT r.item, d.packed_table FROM import_rows r JOIN import_drafts d ON d.id = r.draft_id WHERE d.account_id = ?',
    [id],
  );
  t.deepEqual(erased, [
    { what: 'import_rows', rows: 1 },
    { what: 'import_drafts', rows: 1 },
  ]);
  t.is(rows.length, 1);
  t.is(rows[0]?.packed_table, null);
  t.true((await page(draft)).text.includes('1 ready'));
});

test('POST /imports/{draft}/book: sets aside what another file has booked since the check', async (t) => {
  const { id, keyed, page, upload, draftOf } = await merchant();
  const order = randomUUID().slice(0, 8);
  const file = [HEAD, good(`${order}-1`), good(`${order}-2`)].join('\n');
  const first = draftOf(await upload(file));
  const second = draftOf(await upload(file));
  await keyed(`${first}/book`, { round: '0' });

  await keyed(`${second}/book`, { round: '0' });

  const batches = await batchesOf(id);
  t.is(batches.length, 1);
  t.is(Number(batches[0]?.total), 2);
  const [row] = await http.db.select(
    "SELECT COUNT(*) AS held FROM import_rows r JOIN import_drafts d ON d.id = r.draft_id WHERE d.account_id = ? AND r.state = 'held'",
    [id],
  );
  t.is(Number(row?.held), 2);
  t.is((await page(second)).status, 200);
});

test('POST /imports/{draft}/rows: an order that was booked meanwhile is not said to be mended', async (t) => {
  const { keyed, upload, draftOf } = await merchant();
  const order = randomUUID().slice(0, 8);
  const draft = draftOf(await upload([HEAD, good(`${order}-1`)].join('\n')));
  const uuid = draft.split('/').at(-1) ?? '';
  const [row] = await http.db.select(
    'SELECT r.id FROM import_rows r JOIN import_drafts d ON d.id = r.draft_id WHERE d.uuid = ?',
    [uuid],
  );
  await keyed(`${draft}/book`, { round: '0' });

  const answer = await keyed(`${draft}/rows`, { [`r${row?.id}.ship_data.street`]: 'Dizengoff' });

  t.is(answer.status, 422);
  t.true(answer.text.includes('booked meanwhile'));
});

test('POST /imports/{draft}/columns: what was left out stays out', async (t) => {
  const { keyed, page, upload, draftOf } = await merchant();
  const order = randomUUID().slice(0, 8);
  const draft = draftOf(await upload([HEAD, good(`${order}-1`), good(`${order}-2`)].join('\n')));
  const uuid = draft.split('/').at(-1) ?? '';
  const [row] = await http.db.select(
    'SELECT r.id FROM import_rows r JOIN import_drafts d ON d.id = r.draft_id WHERE d.uuid = ? ORDER BY r.id',
    [uuid],
  );
  await keyed(`${draft}/rows`, { leave: String(row?.id) });
  const columns = [...(await page(`${draft}/columns`)).text.matchAll(/<option value="([^"]*)" selected/g)];
  const chosen = await keyed(
    `${draft}/columns`,
    columns.map(([, value = '']): [string, string] => ['column', value]),
  );

  t.is(chosen.status, 303, chosen.text);
  const states = await http.db.select(
    'SELECT r.state FROM import_rows r JOIN import_drafts d ON d.id = r.draft_id WHERE d.uuid = ? ORDER BY r.id',
    [uuid],
  );
  t.deepEqual(
    states.map(({ state }) => state),
    ['held', 'ready'],
  );
});

/** As the page's forms for files and long texts are sent. */
async function sendParts(url: string, cookie: string, fields: Record<string, string>): Promise<PanelAnswer> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ key: randomUUID(), ...fields })) form.set(name, value);
  const headers = { cookie, 'sec-fetch-site': 'same-origin', 'accept-language': 'en' };
  const response = await fetch(url, { method: 'POST', body: form, redirect: 'manual', headers });
  const text = await response.text();
  return { status: response.status, text, to: response.headers.get('location'), cookie: '' };
}

test('POST /batches/new and /imports/new: take 2000 orders in Hebrew as JSON and as a pasted table; 413 says how much', async (t) => {
  const { id } = await http.account();
  const license = await http.license(id);
  const cookie = await cookieOf(http, 'staff', id);
  const base = `${http.url}/panel/a/${id}`;
  const prefix = randomUUID().slice(0, 8);
  const orders = Array.from({ length: 2000 }, (_, index) => `${prefix}-${index}`);
  const ship = {
    contact_name: 'דנה בת אליעזר לוי',
    contact_phone: '0501234567',
    street: 'שדרות ירושלים',
    number: '7',
  };
  const items = orders.map((order) => ({
    order: { id: order },
    ship_data: { ...ship, city: 'ראשון לציון', note: 'להשאיר אצל השכן בקומה השנייה', type: 1, return: 1 },
  }));
  const rows = orders.map((order) => `${order}\t${Object.values(ship).join('\t')}\tראשון לציון`);
  const table = ['הזמנה\tשם\tטלפון\tרחוב\tמספר בית\tעיר', ...rows].join('\n');

  const json = await sendParts(`${base}/batches/new`, cookie, {
    license: String(license.id),
    items: JSON.stringify(items, null, 2),
  });
  const pasted = await sendParts(`${base}/imports/new`, cookie, { table });
  const checked = await askPanel(`${http.url}${pasted.to ?? ''}`, { headers: { cookie } });
  const refused = await sendParts(`${base}/imports/new`, cookie, { table: 'x'.repeat(11 * 1024 * 1024) });

  t.regex(json.to ?? json.text, /\/batches\/[\w-]{36}/);
  t.true(checked.text.includes('2000 ready'), checked.text.slice(0, 2000));
  t.true(Buffer.byteLength(checked.text) < 100_000);
  t.is(refused.status, 413);
  t.true(refused.text.includes('10 MiB'), refused.text);
  t.true(refused.text.includes('2000 orders'));
});
