import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import {
  beginExport,
  failExport,
  insertExport,
  markExportFileDeleted,
  nameExportFile,
  openExportLink,
} from '../../src/db/queries/exports/exports.js';
import { createStorage } from '../../src/documents/storage.js';
import { type HttpAccount, type HttpLicense, type HttpStack, startHttp } from '../support/http.js';
import { assertRefused, type RefusedCase, titleOf } from '../support/refused.js';

const folder = mkdtempSync(join(tmpdir(), 'parcelworks-exports-'));
const storage = createStorage({ kind: 'directory', path: folder });
let http: HttpStack;
let account: HttpAccount;
let license: HttpLicense;
let several: HttpAccount;

test.before(async () => {
  http = await startHttp({
    app: () => ({ storage }),
  });
  account = await http.account();
  license = await http.license(account.id);
  several = await http.account();
  await http.license(several.id);
  await http.license(several.id);
});

test.beforeEach(() => http.db.run('DELETE FROM exports'));
test.after.always(async () => {
  await http?.close();
  rmSync(folder, { recursive: true, force: true });
});

const own = (json?: unknown) => () => ({ as: account, ...(json === undefined ? {} : { json }) });
const CASES: RefusedCase[] = [
  ['filter no object', 'validation_failed', 'POST', '/exports', own({ filter: 'all' }), 'filter'],
  ['filter an array', 'validation_failed', 'POST', '/exports', own({ filter: [] }), 'filter'],
  [
    'active no boolean',
    'validation_failed',
    'POST',
    '/exports',
    own({ filter: { active: 'yes' } }),
    'filter.active',
  ],
  ['unknown type', 'validation_failed', 'POST', '/exports', own({ filter: { type: 3 } }), 'filter.type'],
  [
    'unknown status',
    'validation_failed',
    'POST',
    '/exports',
    own({ filter: { status: 'x' } }),
    'filter.status',
  ],
  [
    'no moment',
    'validation_failed',
    'POST',
    '/exports',
    own({ filter: { created_from: '2026-02-30' } }),
    'filter.created_from',
  ],
  [
    'no last moment',
    'validation_failed',
    'POST',
    '/exports',
    own({ filter: { created_to: 'soon' } }),
    'filter.created_to',
  ],
  ['unknown format', 'validation_failed', 'POST', '/exports', own({ format: 'pdf' }), 'format'],
  [
    'several licenses',
    'validation_failed',
    'POST',
    '/exports',
    () => ({ as: several, json: {} }),
    'license_key',
  ],
  ['list: several licenses', 'validation_failed', 'GET', '/exports', () => ({ as: several }), 'license_key'],
  ['one: several licenses', 'validation_failed', 'GET', '/exports/1', () => ({ as: several }), 'license_key'],
  ['foreign license', 'forbidden', 'POST', '/exports', own({ license_key: 'nope' })],
  ['broken cursor', 'validation_failed', 'GET', '/exports?cursor=x', own(), 'cursor'],
  ['large page', 'validation_failed', 'GET', '/exports?per_page=101', own(), 'per_page'],
  ['text for an id', 'not_found', 'GET', '/exports/abc', own()],
  ['id beyond all', 'not_found', 'GET', '/exports/99999999999999999999', own()],
];

for (const each of CASES) {
  test.serial(titleOf(each), (t) => assertRefused(t, http, each));
}

test.serial('an export is accepted with an empty, absent or null-filled body', async (t) => {
  for (const options of [
    {},
    { json: {} },
    { json: { filter: { active: null, type: null }, format: null } },
  ]) {
    const answer = await http.send('POST', '/exports', { as: account, ...options });
    await http.db.run('DELETE FROM exports');

    t.is(answer.status, 202, answer.text);
    const { data } = answer.body;
    t.deepEqual(Object.keys(data), [
      'id',
      'type',
      'status',
      'platform',
      'row_count',
      'filename',
      'error',
      'download_url',
      'created_at',
      'updated_at',
    ]);
    t.is(answer.headers.get('location'), `https://api.parcels.test/api/v2/exports/${data.id}`);
  }
});

test.serial('a filter is stored, and what it does not know dropped', async (t) => {
  const filter = {
    active: false,
    type: '2',
    status: 'delivered',
    label_generated: true,
    created_from: '2026-11-01',
    created_to: '2026-11-30',
    account_id: 1,
    limit: 5,
  };
  const answer = await http.send('POST', '/exports', {
    as: account,
    json: { filter, account_id: 1, status: 'completed' },
  });

  const [stored] = await http.db.select('SELECT account_id, status, filter FROM exports');
  t.is(answer.status, 202, answer.text);
  t.is(stored?.account_id, account.id);
  t.is(stored?.status, 'pending');
  t.deepEqual(JSON.parse(String(stored?.filter)), {
    active: false,
    type: 2,
    status: 'delivered',
    labelGenerated: true,
    createdFrom: '2026-11-01T00:00:00.000000Z',
    createdTo: '2026-11-30T23:59:59.999999Z',
  });
});

test.serial('a second export of the license while one is in flight is 409', async (t) => {
  await http.send('POST', '/exports', { as: account, json: {} });

  const second = await http.send('POST', '/exports', { as: account, json: {} });

  t.is(second.status, 409);
  t.is(second.body.error.code, 'duplicate_request');
  t.is(second.body.error.message, 'An export is already being prepared for this license.');
});

test.serial('exports are listed newest first, page by page, and only the own ones', async (t) => {
  const args = { accountId: account.id, licenseId: license.id, format: 'csv', filter: {} } as const;
  const ids: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    const exportId = await insertExport(http.db, args);
    await failExport(http.db, { accountId: account.id, exportId, error: 'for a test' });
    ids.unshift(exportId);
  }
  const other = await http.account();
  await http.license(other.id);

  const first = await http.send('GET', '/exports?per_page=2', { as: account });
  const next = await http.send('GET', `/exports?per_page=2&cursor=${first.body.meta.next_cursor}`, {
    as: account,
  });
  const back = await http.send('GET', `/exports?per_page=2&cursor=${next.body.meta.prev_cursor}`, {
    as: account,
  });
  const foreign = await http.send('GET', '/exports', { as: other });

  const idsOf = (answer: typeof first) => answer.body.data.map((one: { id: number }) => one.id);
  t.deepEqual(idsOf(first), ids.slice(0, 2));
  t.deepEqual(idsOf(next), ids.slice(2, 4));
  t.deepEqual(idsOf(back), ids.slice(0, 2));
  t.deepEqual(foreign.body.data, []);
  t.like(first.body.data[0], { status: 'failed', error: 'for a test', download_url: null });
});

test.serial("an export of the account's other license is not found under this one", async (t) => {
  const [one, two] = [await http.license(several.id), await http.license(several.id)];
  const exportId = await insertExport(http.db, {
    accountId: several.id,
    licenseId: one.id,
    format: 'csv',
    filter: {},
  });

  const own = await http.send('GET', `/exports/${exportId}?license_key=${one.key}`, { as: several });
  const other = await http.send('GET', `/exports/${exportId}?license_key=${two.key}`, { as: several });

  t.is(own.status, 200, own.text);
  t.is(other.status, 404);
});

test.serial('GET /storage/export/{uuid}/{filename}: the file, to who has the link', async (t) => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  process.on('warning', note);
  t.teardown(() => process.off('warning', note));
  const { path, content } = await linkedFile('2099-01-01T00:00:00.000000Z');

  const answer = await fetch(http.url + path);
  const head = await fetch(http.url + path, { method: 'HEAD' });
  const posted = await fetch(http.url + path, { method: 'POST' });

  t.is(answer.status, 200);
  t.is(await answer.text(), content);
  for (const { headers } of [answer, head]) {
    t.is(headers.get('content-type'), 'text/csv; charset=utf-8');
    t.is(headers.get('content-length'), String(content.length));
    t.regex(
      headers.get('content-disposition') ?? '',
      /^attachment; filename="shipments-\d+-\d{8}-\d{6}\.csv"$/,
    );
    t.is(headers.get('x-content-type-options'), 'nosniff');
    t.is(headers.get('cache-control'), 'private, no-store');
  }
  t.is(posted.status, 405);
  t.deepEqual(warnings, []);
});

test.serial(
  'GET /storage/export/{uuid}/{filename}: 410 after the end, 404 for what was never there',
  async (t) => {
    const { path, exportId } = await linkedFile('2020-01-01T00:00:00.000000Z');
    const ended = await fetch(http.url + path);
    await markExportFileDeleted(http.db, exportId);
    const deleted = await fetch(http.url + path, { headers: { 'accept-language': 'he' } });
    const others = [
      path.replace(/[^/]+$/, 'shipments-1-20260101-000000.csv'),
      `/storage/export/${randomUUID()}/shipments-1-20260101-000000.csv`,
      '/storage/export/1/shipments-1-20260101-000000.csv',
    ];

    t.is(ended.status, 410);
    t.regex(await ended.text(), /This link has ended/);
    t.is(deleted.status, 410);
    t.regex(await deleted.text(), /lang="he" dir="rtl"/);
    for (const other of others) {
      const answer = await fetch(http.url + other);
      t.is(answer.status, 404, other);
      t.regex(answer.headers.get('content-type') ?? '', /^text\/html/);
    }
  },
);

test.serial('GET /storage/export/{uuid}/{filename}: a file without a link is not served', async (t) => {
  const { path, exportId } = await linkedFile('2099-01-01T00:00:00.000000Z');
  await http.db.run('UPDATE exports SET file_expires_at = NULL WHERE id = ?', [exportId]);

  const answer = await fetch(http.url + path);

  t.is(answer.status, 410);
});

/** An export whose file is in the store, with a link until that moment. */
async function linkedFile(expiresAt: string): Promise<{ path: string; exportId: number; content: string }> {
  const ref = {
    accountId: account.id,
    exportId: await insertExport(http.db, {
      accountId: account.id,
      licenseId: license.id,
      format: 'csv',
      filter: {},
    }),
  };
  const fileUuid = randomUUID();
  const content = `uuid,\r\n${'row,'.repeat(100_000)}`;
  await beginExport(http.db, ref);
  await nameExportFile(http.db, { ...ref, fileUuid });
  await openExportLink(http.db, { ...ref, expiresAt });
  await storage.write(`exports/${fileUuid}.csv`, Buffer.from(content), 'text/csv');
  await http.db.run(`UPDATE exports SET created_at = '2026-11-21 09:30:00.5' WHERE id = ?`, [ref.exportId]);
  const path = `/storage/export/${fileUuid}/shipments-${license.id}-20261121-093000.csv`;
  return { path, exportId: ref.exportId, content };
}
