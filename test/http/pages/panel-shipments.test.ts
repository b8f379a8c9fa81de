import { randomUUID } from 'node:crypto';
import test from 'ava';
import { CANCEL_REFUSED, type CancelShipmentInput } from '../../../src/contracts/cancel-shipment.js';
import { listAudit } from '../../../src/db/queries/accounts/audit-log.js';
import { recordCancellation } from '../../../src/db/queries/creation/cancelling.js';
import { listExports } from '../../../src/db/queries/exports/exports.js';
import type { Role } from '../../../src/domain/panel-roles.js';
import { nowIso } from '../../../src/lib/time.js';
import { runFailure } from '../../support/engine-double.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { askPanel, cookieOf } from '../../support/panel.js';

let http: HttpStack;
test.before(async () => {
  http = await startHttp({
    runs: (db) => ({
      async cancelShipment({ shipmentUuid: uuid, orderId, reason }: CancelShipmentInput) {
        if (orderId.startsWith('gone')) throw runFailure(CANCEL_REFUSED, 'Already on its way.');
        await recordCancellation(db, { uuid, carrierText: '', reason: reason ?? '', at: nowIso() });
      },
    }),
  });
});
test.after.always(() => http?.close());

/** An account with one license, and a way to ask for pages below it. */
async function merchant(role: Role = 'owner') {
  const { id } = await http.account();
  const license = await http.license(id);
  const cookie = await cookieOf(http, role, id);
  const ask = (path: string, form?: [string, string][], more = '') =>
    askPanel(`${http.url}/panel/a/${id}${path}`, {
      ...(form === undefined ? {} : { form }),
      headers: { cookie: `${cookie}; ${more}` },
    });
  const ship = (
    columns: Record<string, string | number | boolean | null> = {},
    orderId: string = randomUUID(),
  ) => http.shipment(id, license, { orderId, columns });
  return { id, license, ask, ship };
}

const headsOf = (text: string) =>
  [...text.matchAll(/<th scope="col">([^<]*)</g)].map(([, head = '']) => head.trim());

async function statusOf(uuid: string): Promise<unknown> {
  const rows = await http.db.select('SELECT status_code FROM shipments WHERE uuid = ?', [uuid]);
  return rows[0]?.status_code;
}

test('the list shows the columns that the browser keeps, and leads back to the same filter', async (t) => {
  const { ask, ship, id } = await merchant();
  await ship({ recipient_phone: '0521112233', recipient_city: 'Haifa', packages: 3 });
  t.deepEqual(headsOf((await ask('/shipments')).text), [
    'Chosen',
    'Status',
    'Tracking code',
    'Order',
    'Recipient',
    'City',
    'Carrier',
    'Created',
  ]);

  const saved = await ask('/shipments/columns', [
    ['query', 'status=created&notice=saved'],
    ['column', 'packages'],
    ['column', 'phone'],
    ['column', 'nonsense'],
  ]);

  t.is(saved.to, `/panel/a/${id}/shipments?status=created`);
  t.is(saved.cookie, '__Host-parcelworks-columns=phone.packages');
  const { text } = await ask('/shipments', undefined, saved.cookie);
  t.deepEqual(headsOf(text), ['Chosen', 'Tracking code', 'Phone', 'Packages']);
  t.true(text.includes('0521112233'));
  t.false(text.includes('Haifa'));
  const none = await ask('/shipments/columns', [['query', '']]);
  t.is(headsOf((await ask('/shipments', undefined, none.cookie)).text).length, 8);
});

test('cancelling many: asks first, then shows for each what became of it', async (t) => {
  const { ask, ship, id } = await merchant('staff');
  const [one, gone, delivered] = [
    await ship(),
    await ship({}, 'gone-1'),
    await ship({ status_code: 'delivered' }),
  ];
  const chosen = [one, gone, delivered].map(({ uuid }): [string, string] => ['uuid', uuid]);

  const asked = await ask('/shipments/cancel', chosen);
  t.is(asked.status, 200);
  t.regex(asked.text, /Cancel them \(3\)/);
  t.is(await statusOf(one.uuid), 'created');
  const done = await ask('/shipments/cancel', [...chosen, ['answer', 'cancel'], ['reason', 'sold out']]);

  t.is(done.status, 200);
  t.regex(done.text, /Cancelled: 1 of 3/);
  const rows = [...done.text.matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) => row).slice(1);
  t.regex(rows[0] ?? '', /status cancelled/);
  t.regex(rows[1] ?? '', /not cancelled.*Already on its way\./);
  t.regex(rows[2] ?? '', /not cancelled.*final status/);
  t.deepEqual(await Promise.all([one, gone, delivered].map(({ uuid }) => statusOf(uuid))), [
    'cancelled',
    'created',
    'delivered',
  ]);
  const entries = await listAudit(http.db, { accountId: id, action: 'shipments' }, { limit: 10 });
  t.is(new Set(entries.map(({ action, target }) => `${action} ${target.id}`)).size, 3);
  const again = await ask('/shipments/cancel', [...chosen, ['answer', 'cancel']]);
  t.regex(again.text, /Cancelled: 1 of 3/);
});

test('cancelling many: another account’s shipment is missing, and nothing is cancelled', async (t) => {
  const own = await merchant();
  const other = await merchant();
  const mine = await own.ship();
  const foreign = await other.ship();
  const form: [string, string][] = [
    ['uuid', mine.uuid],
    ['uuid', foreign.uuid],
    ['answer', 'cancel'],
  ];

  t.is((await own.ask('/shipments/cancel', form)).status, 404);
  t.is((await own.ask('/shipments/cancel', form.slice(1))).status, 404);
  t.is((await own.ask('/shipments/cancel', [['uuid', 'לא uuid']])).status, 404);

  t.is(await statusOf(mine.uuid), 'created');
  t.is(await statusOf(foreign.uuid), 'created');
});

test('cancelling many: none, and more than a page shows, are refused', async (t) => {
  const { ask } = await merchant();
  t.is((await ask('/shipments/cancel', [['answer', 'cancel']])).status, 422);
  const many = Array.from({ length: 101 }, (): [string, string] => ['uuid', randomUUID()]);
  t.is((await ask('/shipments/cancel', many)).status, 422);
});

test('the list exports what its filter shows', async (t) => {
  const { ask, ship, id, license } = await merchant();
  await ship();
  const { text } = await ask('/shipments?status=created&label=false&from=2026-01-02&to=2026-03-04');
  const hidden = [
    ...text.matchAll(/type="hidden" name="(license|created_\w+|status|label)" value="([^"]*)"/g),
  ];
  const form = hidden.map(([, name = '', value = '']): [string, string] => [name, value]);

  const made = await ask('/exports', [...form, ['format', 'csv']]);

  t.regex(made.to ?? '', /\/exports\?notice=started$/);
  t.regex((await ask('/exports')).text, />02\/01\/2026<.*>04\/03\/2026</);
  const [record] = await listExports(http.db, { accountId: id, licenseId: license.id, limit: 5 });
  t.is(record?.format, 'csv');
  t.deepEqual(record?.filter, {
    status: 'created',
    labelGenerated: false,
    createdFrom: '2026-01-01T22:00:00.000000Z',
    createdTo: '2026-03-04T21:59:59.999999Z',
  });
});

test('the list over several licenses is exported in one file', async (t) => {
  const { ask, ship, id } = await merchant();
  await http.license(id);
  await ship();
  const { text } = await ask('/shipments?status=created');
  const [, license] = /type="hidden" name="license" value="([^"]*)"/.exec(text) ?? [];

  const made = await ask('/exports', [
    ['license', license ?? 'none'],
    ['status', 'created'],
  ]);

  t.is(license, '');
  t.is(made.status, 303, made.text);
  const exports = await listExports(http.db, { accountId: id, limit: 5 });
  t.is(exports.length, 1);
  t.like(exports[0], { licenseId: null, format: 'xlsx', filter: { status: 'created' } });
});

test('a day of the filter is the day that the list shows, in Israel', async (t) => {
  const { ask, ship } = await merchant();
  const { uuid } = await ship({ created_at: '2026-01-01 22:30:00.000000' });
  const has = async (day: string) => (await ask(`/shipments?from=${day}&to=${day}`)).text.includes(uuid);

  t.regex((await ask('/shipments')).text, /02\/01\/2026, 00:30/);
  t.true(await has('2026-01-02'));
  t.false(await has('2026-01-01'));
});

test('the search finds what was copied with marks that nobody sees', async (t) => {
  const { ask, ship } = await merchant();
  const orderId = randomUUID();
  const { uuid } = await ship({ recipient_name: 'Yossi', tracking_code: `C-${orderId}` }, orderId);
  const finds = async (text: string) =>
    (await ask(`/shipments?q=${encodeURIComponent(text)}`)).text.includes(uuid);

  t.true(await finds(`\u200f${orderId}`));
  t.true(await finds(`C-${orderId}\u200f`));
  t.true(await finds('Yos\u200fsi'));
});

const EXPORTING = '/exports" class="card"';

test('the list offers no export to staff, and none for a filter that exports lack', async (t) => {
  const owner = await merchant();
  await owner.ship();
  const offers = async (path: string) => (await owner.ask(path)).text.includes(EXPORTING);
  t.true(await offers('/shipments'));
  t.false(await offers('/shipments?q=Dana'));
  t.false(await offers('/shipments?status=needs_attention'));
  t.false((await (await merchant('staff')).ask('/shipments')).text.includes(EXPORTING));
});

test('the list is limited to one license', async (t) => {
  const { ask, ship, id } = await merchant();
  await ship({}, 'order-of-first');
  const second = await http.license(id);
  await http.shipment(id, second, { orderId: 'order-of-second' });

  const { text } = await ask(`/shipments?license=${second.id}`);

  t.true(text.includes('order-of-second'));
  t.false(text.includes('order-of-first'));
  t.true(text.includes(`type="hidden" name="license" value="${second.id}"`));
});

test('the list: a search and the filters apply together, and what begins with the text is found', async (t) => {
  const { ask, ship, id } = await merchant();
  const second = await http.license(id);
  await ship({ recipient_name: 'Dana Levi', status_code: 'delivered' }, 'aa-delivered');
  await ship({ recipient_name: 'Dana Levi' }, 'aa-created');
  await http.shipment(id, second, { orderId: 'aa-second', columns: { recipient_name: 'Dana Levi' } });
  const ordersOf = async (query: string) => {
    const { text } = await ask(`/shipments?${query}`);
    return ['aa-created', 'aa-delivered', 'aa-second'].filter((order) => text.includes(`${order}</bdi>`));
  };

  t.deepEqual(await ordersOf('q=dana'), ['aa-created', 'aa-delivered', 'aa-second']);
  t.deepEqual(await ordersOf('q=dana&status=delivered'), ['aa-delivered']);
  t.deepEqual(await ordersOf(`q=dana&license=${second.id}`), ['aa-second']);
  t.deepEqual(await ordersOf('q=dana&label=true'), []);
  t.deepEqual(await ordersOf('q=dana&from=2020-01-01&to=2020-01-02'), []);
  t.deepEqual(await ordersOf('q=%23aa-d'), ['aa-delivered']);
  t.deepEqual(await ordersOf('q=%23aa-delivered&status=created'), []);
});
