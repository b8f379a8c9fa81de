import test from 'ava';
import { isOfAccount, type Role } from '../../../src/domain/panel-roles.js';
import { startHttp } from '../../support/http.js';
import { askPanel, cookieOf } from '../../support/panel.js';

const http = await startHttp();
test.after.always(() => http.close());

const HOUR_MS = 3_600_000;

/** Some hours ago, as DATETIME takes it. */
function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * HOUR_MS).toISOString().replace('T', ' ').replace('Z', '');
}

/** The number of a card, by its name. */
function card(text: string, name: string): string | undefined {
  return new RegExp(`<b>([^<]*)</b><span>(?:<a [^>]*>)?${name}`).exec(text)?.[1];
}

/** Cells of a table's rows, by its name. */
function rowsOf(text: string, label: string): string[][] {
  const [, table = ''] = text.split(`aria-label="${label}" tabindex`);
  const [body = ''] = (table.split('<tbody>')[1] ?? '').split('</tbody>');
  return body
    .split('</tr>')
    .slice(0, -1)
    .map((row) => [...row.matchAll(/<td>(?:<bdi[^>]*>)?([^<]*)/g)].map(([, cell = '']) => cell));
}

test('figures: parcels by day, carrier and city, the time to the door, and refusals by reason', async (t) => {
  const account = await http.account();
  const other = await http.account();
  const license = await http.license(account.id);
  const stranger = await http.license(other.id);
  const add = (columns: Record<string, string | boolean | null>, owner = account, of = license) =>
    http.shipment(owner.id, of, { columns });
  for (const hours of [10, 20, 30, 100])
    await add({
      created_at: hoursAgo(hours + 100),
      delivered_at: hoursAgo(100),
      status_code: 'delivered',
      recipient_city: 'Haifa',
    });
  await add({ created_at: hoursAgo(1), recipient_city: 'Tel Aviv <b>' });
  await add({ created_at: hoursAgo(24 * 40), recipient_city: 'Eilat' });
  await add({
    created_at: hoursAgo(2),
    state: 'refused',
    status_description: 'The carrier does not know the city.',
  });
  await add({ created_at: hoursAgo(1), recipient_city: 'Ashdod' }, other, stranger);

  const headers = { cookie: await cookieOf(http, 'staff', account.id) };
  const ask = (path: string) => askPanel(`${http.url}/panel/a/${path}`, { headers });
  const page = await ask(`${account.id}/figures`);
  const week = await ask(`${account.id}/figures?days=7`);
  const foreign = await ask(`${other.id}/figures`);

  t.is(page.status, 200, page.text);
  t.is(card(page.text, 'Parcels created'), '5');
  t.is(card(page.text, 'Of them delivered'), '4');
  t.is(card(page.text, 'To the door, half of them within'), '20 h');
  t.is(card(page.text, 'To the door, nine of ten within'), '4.2 days');
  t.is(card(page.text, 'Refused'), '1');
  t.deepEqual(
    rowsOf(page.text, 'By city: the ten with most parcels').map(([city, count]) => [city, count]),
    [
      ['Haifa', '4'],
      ['Tel Aviv &lt;b&gt;', '1'],
    ],
  );
  t.deepEqual(
    rowsOf(page.text, 'Refused').map(([reason, count]) => [reason, count]),
    [['The carrier does not know the city.', '1']],
  );
  t.is(rowsOf(page.text, 'By carrier')[0]?.[1], '5');
  t.is([...page.text.matchAll(/<g><title>/g)].length, 30);
  t.false(/ style=/.test(page.text));
  t.is(card(week.text, 'Parcels created'), '4');
  t.is(foreign.status, 404);
});

test('figures: an account without parcels has a page that says so', async (t) => {
  const account = await http.account();

  const headers = { cookie: await cookieOf(http, 'owner', account.id) };
  const page = await askPanel(`${http.url}/panel/a/${account.id}/figures?days=no`, { headers });

  t.is(page.status, 200);
  t.regex(page.text, /No parcels in these days\./);
});

test('figures: of every merchant for who runs the service, and for nobody else', async (t) => {
  const { account, license } = await http.own();
  for (let made = 0; made < 8; made++) await http.shipment(account.id, license, { columns: {} });
  const ask = async (role: Role, days = '') => {
    const headers = { cookie: await cookieOf(http, role, isOfAccount(role) ? account.id : undefined) };
    return await askPanel(`${http.url}/panel/figures${days}`, { headers });
  };

  const page = await ask('operator', '?days=7');
  const others = [await ask('owner'), await ask('staff')];

  t.is(page.status, 200, page.text);
  t.true(Number(card(page.text, 'Parcels created')) >= 8);
  t.regex(page.text, new RegExp(`href="/panel/a/${account.id}/figures"><bdi dir="auto">Merchant</bdi>`));
  t.regex(page.text, /href="\/panel\/refused">Refused/);
  t.false(/ style=|By city/.test(page.text));
  t.deepEqual(
    others.map(({ status }) => status),
    [404, 404],
  );
});
