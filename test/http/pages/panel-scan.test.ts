import { randomUUID } from 'node:crypto';
import test from 'ava';
import { listAudit } from '../../../src/db/queries/accounts/audit-log.js';
import { insertCarrierLicense } from '../../support/carrier-licenses.js';
import { startHttp } from '../../support/http.js';
import { askPanel, cookieOf } from '../../support/panel.js';

const http = await startHttp();
test.after.always(() => http.close());

/** An account whose license is of own couriers or of a carrier that reports, and a scanner in its panel. */
async function warehouse(provider: 'independent' | 'run' = 'independent') {
  const { id } = await http.account();
  const baseUrl = 'http://127.0.0.1:9';
  const license = await insertCarrierLicense(http, { accountId: id, provider, baseUrl });
  const cookie = await cookieOf(http, 'staff', id);
  const url = `${http.url}/panel/a/${id}/scan`;
  const scan = (mode: string, code: string, more: [string, string][] = [], headers = {}) =>
    askPanel(url, { form: [['mode', mode], ['code', code], ...more], headers: { cookie, ...headers } });
  const ship = (
    columns: Record<string, string | number | boolean | null> = {},
    orderId: string = randomUUID(),
  ) => http.shipment(id, license, { orderId, columns: { tracking_code: `T${randomUUID()}`, ...columns } });
  return { id, scan, ship, page: () => askPanel(url, { headers: { cookie } }) };
}

const linesOf = (text: string) =>
  [...text.matchAll(/<li class="(\w+)">(.*?)<\/li>/gs)].map(
    ([, outcome = '', line = '']) => `${outcome}: ${line.replaceAll(/<[^>]+>/g, '').trim()}`,
  );
/** The fields that a page without script carries to the next scan. */
const carriedBy = (text: string) =>
  [...text.matchAll(/name="(past|last)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value.replaceAll('&quot;', '"')],
  );

test('POST /scan: shows exactly the parcel of a code, and keeps the mode and the earlier scans', async (t) => {
  const { scan, ship } = await warehouse();
  const order = `N${randomUUID()}`;
  const one = await ship({ recipient_name: 'Dana Levi' }, order);
  const [row] = await http.db.select('SELECT tracking_code FROM shipments WHERE uuid = ?', [one.uuid]);

  const opened = await scan('open', String(row?.tracking_code));
  const missing = await scan('open', order.slice(0, 8), carriedBy(opened.text));
  const printing = await scan('print', 'nothing', carriedBy(missing.text));

  t.true(opened.text.includes(`shipments/${one.uuid}`));
  t.regex(linesOf(opened.text)[0] ?? '', /^opened: .*Dana Levi/);
  t.regex(linesOf(missing.text)[0] ?? '', /^wrong: .*No parcel has this code/);
  t.regex(linesOf(missing.text)[1] ?? '', /^opened: .*Dana Levi/);
  t.regex(printing.text, /value="print" checked/);
  t.is(linesOf(printing.text).filter((line) => !line.includes('Not answered')).length, 3);
  t.regex(printing.text, /<input id="code"[^>]* autofocus/);
});

test('POST /scan: several parcels of one order are an error, until one of them goes', async (t) => {
  const { scan, ship } = await warehouse();
  const order = `N${randomUUID()}`;
  const first = await ship({}, order);
  const second = await ship({}, order);

  const several = await scan('print', order);
  await http.db.run("UPDATE shipments SET status_code = 'cancelled', is_active = FALSE WHERE uuid = ?", [
    first.uuid,
  ]);
  const one = await scan('open', order);

  t.regex(linesOf(several.text)[0] ?? '', /^wrong: .*2 parcels have this code/);
  t.false(several.text.includes('<iframe'));
  t.true(one.text.includes(`shipments/${second.uuid}`));
});

test('POST /scan: prints a label into a frame, never that of a cancelled parcel, and says when it was printed', async (t) => {
  const { scan, ship } = await warehouse();
  const code = `T${randomUUID()}`;
  await ship({ tracking_code: code });
  const gone = `T${randomUUID()}`;
  await ship({ tracking_code: gone, status_code: 'cancelled', is_active: false });

  const printed = await scan('print', code);
  // The double of the printing run leaves this to the next reader.
  await http.db.run('UPDATE shipments SET label_generated = TRUE WHERE tracking_code = ?', [code]);
  const again = await scan('print', code, carriedBy(printed.text));
  const later = await scan('print', code);
  const cancelled = await scan('print', gone, carriedBy(printed.text));

  t.regex(printed.text, /<iframe class="label" src="\/shipping\/label\/[0-9a-f-]{36}"[^>]* data-print>/);
  t.regex(linesOf(printed.text)[0] ?? '', /^printed:/);
  t.regex(linesOf(again.text)[0] ?? '', /^already: .*Printed just now/);
  t.false(again.text.includes('data-print'), 'it does not print by itself');
  t.regex(linesOf(later.text)[0] ?? '', /^printed: .*had a label before/);
  t.regex(linesOf(cancelled.text)[0] ?? '', /^wrong: .*cancelled/);
  t.false(cancelled.text.includes('<iframe'));
});

test('POST /scan: marks a parcel of own couriers once, and says so the second time', async (t) => {
  const { id, scan, ship } = await warehouse();
  const code = `T${randomUUID()}`;
  const { uuid } = await ship({ tracking_code: code });
  const done = `T${randomUUID()}`;
  await ship({ tracking_code: done, status_code: 'delivered' });

  const marked = await scan('collected', code);
  const again = await scan('collected', code);
  const final = await scan('collected', done);

  t.regex(linesOf(marked.text)[0] ?? '', /^marked: .*Created → Collected/);
  t.regex(linesOf(again.text)[0] ?? '', /^already: .*“Collected” already/);
  t.regex(linesOf(final.text)[0] ?? '', /^wrong: .*“Delivered”, and stays so/);
  const [row] = await http.db.select('SELECT status_code FROM shipments WHERE uuid = ?', [uuid]);
  t.is(row?.status_code, 'collected');
  const entries = await listAudit(http.db, { accountId: id, action: 'shipments.set-status' }, { limit: 10 });
  t.is(new Set(entries.map(({ target }) => target.id)).size, 1);
});

test('POST /scan: offers no marks, and takes none, where the carrier reports by itself', async (t) => {
  const { scan, ship, page } = await warehouse('run');
  const code = `T${randomUUID()}`;
  await ship({ tracking_code: code });

  const { text } = await page();
  const refused = await scan('collected', code);

  t.false(text.includes('value="collected"'));
  t.regex(linesOf(refused.text)[0] ?? '', /^wrong: .*reports by itself/);
});

test('POST /scan: script is sent the new line alone, and what belongs to it', async (t) => {
  const { scan } = await warehouse();

  const { text } = await scan('open', 'nothing', [], { 'hx-request-type': 'partial' });

  t.regex(text, /^<li class="wrong">/);
  t.regex(text, /<div id="shown" hx-swap-oob="innerHTML">/);
  t.false(text.includes('<form'));
});

test('POST /scan: another account’s parcel is missing', async (t) => {
  const own = await warehouse();
  const other = await warehouse();
  const code = `T${randomUUID()}`;
  await other.ship({ tracking_code: code });

  const { text } = await own.scan('collected', code);

  t.regex(linesOf(text)[0] ?? '', /^wrong: .*No parcel has this code/);
});

test('POST /scan: a line of earlier scans that cannot be read is left out', async (t) => {
  const { scan } = await warehouse();

  const { status, text } = await scan('open', 'nothing', [
    ['past', '["opened" torn"]'],
    ['past', '["opened"]'],
  ]);

  t.is(status, 200, text);
  t.is(linesOf(text).filter((line) => !line.includes('Not answered')).length, 1);
});
