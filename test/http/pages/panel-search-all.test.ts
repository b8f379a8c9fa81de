import { randomUUID } from 'node:crypto';
import test from 'ava';
import { searchAccounts } from '../../../src/db/queries/accounts/accounts.js';
import { searchEverywhere } from '../../../src/db/queries/shipments/search-everywhere.js';
import { startHttp } from '../../support/http.js';
import { askAs, askPanel, cookieOf } from '../../support/panel.js';
import { plansOf, rowsReadBy } from '../../support/plans.js';

const http = await startHttp();
test.after.always(() => http.close());

/** An account with a parcel. */
async function merchant(columns: Record<string, string> = {}) {
  const { id } = await http.account();
  const license = await http.license(id);
  const orderId = randomUUID();
  const trackingCode = `T${randomUUID()}`;
  const { uuid } = await http.shipment(id, license, {
    orderId,
    columns: { tracking_code: trackingCode, ...columns },
  });
  return { id, orderId, trackingCode, link: `/panel/a/${id}/shipments/${uuid}`, uuid };
}

const search = (text: string) => askAs(http, 'operator', `/accounts?q=${encodeURIComponent(text)}`);

test('GET /panel/accounts: finds a parcel of any account when its code, uuid, order or phone is searched', async (t) => {
  const phone = `05${String(Math.random()).slice(2, 10)}`;
  const both = [
    await merchant({ recipient_phone_key: phone }),
    await merchant({ recipient_phone_key: phone }),
  ] as const;
  const [first, second] = both;
  for (const one of both) {
    const other = one === first ? second : first;
    for (const text of [one.trackingCode, one.uuid, one.orderId]) {
      const found = await search(text);

      t.is(found.status, 200);
      t.true(found.text.includes(one.link), text);
      t.false(found.text.includes(other.link), text);
    }
  }

  const called = await search(phone);

  for (const { link } of both) t.true(called.text.includes(link));
});

test('GET /panel/accounts: finds accounts by words of the name or e-mail, and names the merchant of a parcel', async (t) => {
  const { id, trackingCode } = await merchant();
  const word = randomUUID();
  await http.db.run('UPDATE accounts SET name = ?, email = ?, company_name = ? WHERE id = ?', [
    `Blue ${word} shop`,
    `${word}@shop.example`,
    'פרחי החורש',
    id,
  ]);

  const named = await search(`the SHO ${word.toUpperCase()}`);
  const mailed = await search(`${word}@shop`);
  const begun = await search(`blue ${word.slice(0, 30)}`);
  const called = await search('החור פרח');
  const parcel = await search(trackingCode);
  const nothing = await search(randomUUID());

  for (const { text } of [named, mailed, begun, called, parcel]) {
    t.true(text.includes(`Blue ${word} shop`));
  }
  t.true(named.text.includes(`/panel/a/${id}/shipments`));
  t.false(nothing.text.includes('<td>'));
});

test('GET /panel/accounts: a search is 404 when an owner or staff asks', async (t) => {
  const { id, trackingCode } = await merchant();
  for (const role of ['owner', 'staff'] as const) {
    const cookie = await cookieOf(http, role, id);
    const { status } = await askPanel(`${http.url}/panel/accounts?q=${trackingCode}`, {
      headers: { cookie },
    });
    t.is(status, 404, role);
  }
});

test('searchEverywhere: reads orders and parcels along keys', async (t) => {
  await merchant();

  const plans = await plansOf(http.db, (db) => searchEverywhere(db, '0501234567', 25));

  const read = plans.flat().filter(({ table }) => ['shipments', 't', 'n'].includes(String(table)));
  t.true(read.length === 7, JSON.stringify(read));
  for (const { key, type } of read) t.true(key !== null && type !== 'ALL' && type !== 'index', String(key));
});

const MANY = 10_000;

/** That many accounts, of which some have names with words of two letters. */
async function manyAccounts(): Promise<void> {
  const kinds = ['Toys', 'Flowers', 'Bakery', 'HP', 'ספרים'];
  const rows = Array.from({ length: MANY }, (_, index) => [
    `${kinds[index % kinds.length]} number${index}`,
    `ops${index}@many.example`,
  ]);
  const values = rows.map(() => '(?, ?)').join(', ');
  await http.db.run(`INSERT INTO accounts (name, email) VALUES ${values}`, rows.flat());
}

test.serial('searchAccounts: reads few of 10,000 accounts, along keys', async (t) => {
  await manyAccounts();
  const exact = await http.account();
  await http.db.run('UPDATE accounts SET name = ? WHERE id = ?', ['Toys', exact.id]);
  const texts = ['number777', 'bakery number4', 'ops99@many', 'hp number3', 'hp'];

  for (const text of texts) {
    const plans = await plansOf(http.db, (db) => searchAccounts(db, text, 26));
    const started = performance.now();
    const found = await searchAccounts(http.db, text, 26);
    const tookMs = performance.now() - started;

    const read = plans.flat().filter(({ table }) => table === 'accounts' || table === 'a');
    t.true(read.length >= 3, text);
    for (const { key, type } of read)
      t.true(key !== null && type !== 'ALL' && type !== 'index', String(type));
    const rows = await http.db.transaction((tx) => rowsReadBy(tx, () => searchAccounts(tx, text, 26)));
    t.log(`${text}: ${found.length} found, ${rows} rows read, ${tookMs.toFixed(1)} ms`);
    t.true(found.length > 0, text);
    t.true(rows < 500, `${text}: ${rows}`);
  }
  const [first] = await searchAccounts(http.db, 'toys', 26);
  t.is(first?.id, exact.id, 'the name itself first');
});

test.serial('GET /panel: what is cut says so', async (t) => {
  const sentence = /More were found\. These are 25 of them/;
  const page = await askAs(http, 'administrator', '/users');

  const many = await search('flowers');
  const one = await search('number778');

  t.regex(many.text, sentence);
  t.notRegex(one.text, sentence);
  t.regex(page.text, /The first 200 accounts are suggested/);
});
