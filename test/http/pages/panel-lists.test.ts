import { randomUUID } from 'node:crypto';
import test from 'ava';
import { startHttp } from '../../support/http.js';
import { askPanel, cookieOf, newMerchant } from '../../support/panel.js';

const http = await startHttp();
test.after.always(() => http.close());

/** An account with one license, and a way to ask for pages below it. */
async function merchant() {
  const { id, license, ask } = await newMerchant(http);
  const ship = (columns: Record<string, string | number | boolean | null>, orderId: string = randomUUID()) =>
    http.shipment(id, license, { orderId, columns });
  return { id, ask, ship };
}

const shown = (text: string) => [...text.matchAll(/name="uuid" value="([^"]+)"/g)].map(([, uuid]) => uuid);

test('GET /shipments: shows what the search finds within the filters', async (t) => {
  const { ask, ship } = await merchant();
  const lost = await ship({ recipient_name: 'Dana Levi', status_code: 'lost' });
  const made = await ship({ recipient_name: 'Dana Cohen', status_code: 'created' });

  const all = await ask('/shipments?q=Dana');
  const some = await ask('/shipments?q=Dana&status=lost');
  const labelled = await ask('/shipments?q=Dana&label=true');
  const older = await ask('/shipments?q=Dana&from=2020-01-01&to=2020-01-02');

  t.deepEqual(shown(all.text).toSorted(), [lost.uuid, made.uuid].toSorted());
  t.deepEqual(shown(some.text), [lost.uuid]);
  t.deepEqual(shown(labelled.text), []);
  t.deepEqual(shown(older.text), []);
});

test('GET /shipments: finds a tracking code and an order number by their beginning', async (t) => {
  const { ask, ship } = await merchant();
  const number = `N${randomUUID()}`;
  const code = `T${randomUUID()}`;
  const one = await ship({ tracking_code: code }, number);
  await ship({});

  t.deepEqual(shown((await ask(`/shipments?q=${number.slice(0, 9)}`)).text), [one.uuid]);
  t.deepEqual(shown((await ask(`/shipments?q=${code.slice(0, 9)}`)).text), [one.uuid]);
});

test('GET /shipments: opens the parcel when a scanned code names exactly one', async (t) => {
  const { id, ask, ship } = await merchant();
  const code = `T${randomUUID()}`;
  const one = await ship({ tracking_code: code }, `order-${randomUUID()}`);
  const to = `/panel/a/${id}/shipments/${one.uuid}`;
  const query = `?q=${code}&open=1`;

  const opened = await ask(`/shipments${query}`);
  const byScript = await fetch(`${http.url}/panel/a/${id}/shipments${query}`, {
    headers: { cookie: await cookieOf(http, 'staff', id), 'hx-request-type': 'partial' },
  });
  const typed = await ask(`/shipments?q=${code}`);
  const beginning = await ask('/shipments?q=order-&open=1');

  t.is(opened.to, to);
  t.is(byScript.headers.get('hx-redirect'), to);
  t.is(typed.status, 200, 'while it is typed, nothing opens');
  t.is(beginning.status, 200, 'the beginning of a code opens nothing');
});

test('POST /shipments/cancel: takes all that the list finds, and leads back to the list', async (t) => {
  const { id, ask, ship } = await merchant();
  const lost = await ship({ recipient_name: 'Dana', status_code: 'lost' });
  await ship({ recipient_name: 'Dana' });
  const query = 'q=Dana&status=lost';

  const asked = await ask('/shipments/cancel', [
    ['all', 'on'],
    ['query', query],
  ]);
  const none = await ask('/shipments/cancel', [['query', query]]);

  t.deepEqual(shown(asked.text), [lost.uuid]);
  const back = `href="/panel/a/${id}/shipments?q=Dana&amp;status=lost"`;
  t.true(asked.text.includes(back));
  t.is(none.status, 422);
  t.true(none.text.includes(back));
});

test('GET /shipments: a page has a hundred rows, and offers all that are found', async (t) => {
  const { ask, ship } = await merchant();
  for (let count = 0; count < 101; count += 1) await ship({});

  const first = await ask('/shipments');
  const second = await ask('/shipments?page=2');

  t.is(shown(first.text).length, 100);
  t.true(first.text.includes('All 101 found'));
  t.true(first.text.includes('Print the 101 to be printed'));
  t.is(shown(second.text).length, 1);
  t.true(Buffer.byteLength(first.text) < 100_000);
});

test('GET /shipments: an empty list says what can be done next', async (t) => {
  const { ask } = await merchant();

  t.true((await ask('/shipments')).text.includes('batches/new'));
  t.true((await ask('/shipments?q=nobody')).text.includes('Show all shipments'));
});

const TICKS = 'parcelworks-chosen';

test('POST /shipments/chosen: ticks live on across pages and filters, and act together', async (t) => {
  const { id, ask, ship } = await merchant();
  const dana = await ship({ recipient_name: 'Dana' });
  const noam = await ship({ recipient_name: 'Noam', status_code: 'lost' });

  const kept = await ask('/shipments/chosen', [
    ['query', 'q=Dana'],
    ['others', ''],
    ['uuid', dana.uuid],
    ['page', '2'],
  ]);
  const elsewhere = await ask('/shipments?status=lost', undefined, kept.cookie);
  const back = await ask('/shipments?q=Dana', undefined, kept.cookie);

  t.is(kept.to, `/panel/a/${id}/shipments?q=Dana&page=2`);
  t.true(kept.cookie.startsWith(`${TICKS}=`));
  t.regex(elsewhere.text, /Chosen: <b data-count>1<\/b> <span>\(1 on other pages\)/);
  t.regex(back.text, new RegExp(`value="${dana.uuid}"[^>]* checked`));
  t.false(back.text.includes('on other pages'));
  const [, others = ''] = /name="others" value="([^"]+)"/.exec(elsewhere.text) ?? [];
  const asked = await ask('/shipments/cancel', [
    ['query', 'status=lost&page=3'],
    ['others', others],
    ['uuid', noam.uuid],
  ]);
  t.deepEqual(shown(asked.text), [dana.uuid, noam.uuid]);
  t.true(asked.text.includes(`href="/panel/a/${id}/shipments?status=lost&amp;page=3"`), 'back to its page');
  const done = await ask(
    '/shipments/cancel',
    [...shown(asked.text).map((uuid = ''): [string, string] => ['uuid', uuid]), ['answer', 'cancel']],
    kept.cookie,
  );
  t.regex(done.cookie, new RegExp(`^${TICKS}=\\d+\\.$`), 'what was acted on is no longer ticked');
});

test('POST /shipments/chosen: ticks are cleared, bounded, and nobody else’s', async (t) => {
  const { id, ask, ship } = await merchant();
  const { uuid } = await ship({});
  const { cookie } = await ask('/shipments/chosen', [['uuid', uuid]]);
  const ids = Array.from({ length: 500 }, (_, index) => (index + 1).toString(36)).join('.');

  const cleared = await ask('/shipments/chosen', [
    ['uuid', uuid],
    ['clear', 'on'],
    ['query', 'status=created'],
  ]);
  const tooMany = await ask('/shipments/chosen', [
    ['uuid', uuid],
    ['others', ids],
  ]);
  const colleague = await cookieOf(http, 'staff', id);
  const theirs = await askPanel(`${http.url}/panel/a/${id}/shipments`, {
    headers: { cookie: `${colleague}; ${cookie}` },
  });

  t.is(cleared.to, `/panel/a/${id}/shipments?status=created`);
  t.regex(cleared.cookie, new RegExp(`^${TICKS}=\\d+\\.$`));
  t.is(tooMany.status, 422);
  t.is(tooMany.cookie, '');
  t.true(theirs.text.includes('Chosen: <b data-count>0</b>'));
});

test('panel: list, parcel, scan and figures name the carrier by the company of its license', async (t) => {
  const { ask, ship } = await merchant();
  const code = `T${randomUUID()}`;
  const one = await ship({ tracking_code: code });

  const pages = {
    list: await ask('/shipments'),
    parcel: await ask(`/shipments/${one.uuid}`),
    scan: await ask('/scan', [
      ['mode', 'open'],
      ['code', code],
    ]),
    figures: await ask('/figures'),
  };

  for (const [name, { text }] of Object.entries(pages)) {
    t.regex(text, /<bdi[^>]*>Run Haifa<\/bdi>/, name);
    t.notRegex(text, /<bdi[^>]*>Run<\/bdi>/, name);
  }
});
