import { randomUUID } from 'node:crypto';
import test from 'ava';
import { listAudit } from '../../../src/db/queries/accounts/audit-log.js';
import {
  beginExport,
  insertExport,
  listExports,
  nameExportFile,
  noteExportRows,
  noteExportTrouble,
  noteExportTry,
  openExportLink,
} from '../../../src/db/queries/exports/exports.js';
import { israelDayEnd, israelDayOf, israelDayStart } from '../../../src/lib/israel-time.js';
import { nowIso } from '../../../src/lib/time.js';
import { startHttp } from '../../support/http.js';
import { askPanel, cookieOf } from '../../support/panel.js';

const http = await startHttp();
test.after.always(() => http.close());

/** An account with two licenses, and a way for its owner to ask for pages below it. */
async function owner() {
  const { id } = await http.account();
  const licenses = [await http.license(id), await http.license(id)] as const;
  const cookie = await cookieOf(http, 'owner', id);
  const ask = (path: string, form?: Record<string, string>) =>
    askPanel(`${http.url}/panel/a/${id}${path}`, {
      ...(form === undefined ? {} : { form }),
      headers: { cookie },
    });
  return { id, licenses, ask };
}

test('POST /panel/a/{account}/exports: one click makes one file of the day over all licenses', async (t) => {
  const { id, ask } = await owner();
  const page = await ask('/exports');
  const [, name = '', value = ''] = /<button name="(\w+)" value="(\w+)">Export today/.exec(page.text) ?? [];

  const made = await ask('/exports', { [name]: value });

  const today = israelDayOf(nowIso());
  t.is(made.status, 303, made.text);
  const exports = await listExports(http.db, { accountId: id, limit: 5 });
  t.is(exports.length, 1);
  t.like(exports[0], {
    licenseId: null,
    format: 'xlsx',
    filter: { createdFrom: israelDayStart(today), createdTo: israelDayEnd(today) },
  });
  const [entry] = await listAudit(http.db, { accountId: id, action: 'exports' }, { limit: 1 });
  t.like(entry, { action: 'exports.create', after: { outcome: `export ${exports[0]?.id}` } });
});

test('POST /panel/a/{account}/exports: one over all and one of each license are written at a time', async (t) => {
  const { id, licenses, ask } = await owner();
  const other = await owner();

  t.is((await ask('/exports', {})).status, 303);
  const again = await ask('/exports', { created_from: '2026-01-02' });
  t.is((await ask('/exports', { license: String(licenses[0].id) })).status, 303);
  t.is((await ask('/exports', { license: String(licenses[1].id) })).status, 303);
  t.is((await other.ask('/exports', {})).status, 303);

  t.is(again.status, 422);
  t.regex(again.text, /already being prepared for all licenses/);
  t.regex(again.text, /name="created_from"[^>]*value="2026-01-02"/);
  const exports = await listExports(http.db, { accountId: id, limit: 5 });
  t.deepEqual(
    exports.map(({ licenseId }) => licenseId),
    [licenses[1].id, licenses[0].id, null],
  );
});

test('GET /panel/a/{account}/exports: files over all licenses and of one stand in one list, for 7 days', async (t) => {
  const { id, licenses, ask } = await owner();
  const over = await written(id, null);
  const one = await written(id, licenses[1].id);

  const { text } = await ask('/exports');

  const rows = text.split('<tbody>')[1]?.split('</tr>') ?? [];
  t.true(rows[0]?.includes(`/storage/export/${one.fileUuid}/shipments-${licenses[1].id}-`));
  t.true(rows[1]?.includes(`/storage/export/${over.fileUuid}/shipments-all-`));
  t.regex(rows[1] ?? '', /<td>All licenses<\/td>/);
  t.false((await (await owner()).ask('/exports')).text.includes(over.fileUuid));
});

test('GET /panel/a/{account}/exports: one that hangs says why, with its tries, its rows and the next try', async (t) => {
  const { id, licenses, ask } = await owner();
  const ref = await written(id, licenses[0].id);
  await noteExportRows(http.db, { ...ref, rowsWritten: 4711 });
  await noteExportTry(http.db, { ...ref, attempts: 3 });
  await noteExportTrouble(http.db, {
    ...ref,
    reason: 'The disk for documents is full (ENOSPC).',
    pauseMs: 60_000,
  });

  const { text } = await ask('/exports');
  await noteExportTry(http.db, { ...ref, attempts: 1 });
  const next = await ask('/exports');

  const [row = ''] = text.split('<tbody>')[1]?.split('</tr>') ?? [];
  t.regex(
    row,
    /is written.*Tries so far: 3\..*The disk for documents is full \(ENOSPC\)\..*Next try: <time/s,
  );
  t.regex(row, /<td>4711<\/td>/);
  t.notRegex(next.text, /ENOSPC/, 'the next step begins anew');
});

test('POST /panel/a/{account}/exports: nothing is exported for an account that is disabled', async (t) => {
  const { id, ask } = await owner();
  await http.db.run('UPDATE accounts SET disabled_at = NOW(6) WHERE id = ?', [id]);

  const refused = await ask('/exports', {});

  t.true(refused.status >= 400, String(refused.status));
  t.deepEqual(await listExports(http.db, { accountId: id, limit: 5 }), []);
});

/** An export whose file is written and has a link. */
async function written(accountId: number, licenseId: number | null) {
  const exportId = await insertExport(http.db, { accountId, licenseId, format: 'csv', filter: {} });
  const ref = { accountId, exportId, fileUuid: randomUUID() };
  await beginExport(http.db, ref);
  await nameExportFile(http.db, ref);
  await openExportLink(http.db, { ...ref, expiresAt: '2099-01-01T00:00:00.000000Z' });
  return ref;
}
