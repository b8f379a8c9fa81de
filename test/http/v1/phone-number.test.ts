import test from 'ava';
import { type HttpAccount, type HttpLicense, type HttpStack, startHttp } from '../../support/http.js';
import { recipientToken, sendV1, setAppSecret } from '../../support/v1.js';

const SECRET = 'the-app-secret';
const KEY = '0521111111';

let stack: HttpStack;
let mine: { bearer: { authorization: string } };
let account: HttpAccount;
let other: HttpAccount;
let license: HttpLicense;
let sibling: HttpLicense;
let independent: HttpLicense;

const day = (date: string, time = '12:00:00.000000') => `${date} ${time}`;

/** One parcel each, by its tracking code. Later ones were created later. */
test.before(async () => {
  stack = await startHttp();
  await setAppSecret(stack, SECRET);
  mine = await recipientToken(stack, '+972 52-111-1111');
  account = await stack.account();
  other = await stack.account();
  license = await stack.license(account.id);
  sibling = await stack.license(account.id);
  independent = await stack.license(other.id);
  await stack.db.run("INSERT INTO carriers (provider, name) VALUES ('independent', 'Own driver')");
  const [carrier] = await stack.db.select("SELECT id FROM carriers WHERE provider = 'independent'");
  const add = (
    code: string,
    columns: Record<string, string | number | boolean | null>,
    where: { owner?: HttpAccount; license?: HttpLicense; orderId?: string } = {},
  ) =>
    stack.shipment((where.owner ?? account).id, where.license ?? license, {
      orderId: where.orderId ?? `order-${code}`,
      columns: { tracking_code: code, recipient_phone: '052-1111111', recipient_phone_key: KEY, ...columns },
    });
  await add('PLAIN', { created_at: day('2026-01-01'), recipient_name: 'Avi 100%_x' });
  await add('DOUBLE', { return_type: 2, created_at: day('2026-01-02'), recipient_street: 'Ben Yehuda' });
  await add('COLLECT', { service_type: 2, created_at: day('2026-01-03'), recipient_city: 'ירושלים' });
  await add('BOTH', { service_type: 2, return_type: 2, created_at: day('2026-01-04') });
  await add('COD', { cod_amount: '12.00', cod_currency: 'ILS', created_at: day('2026-01-05') });
  await add(
    'OWN',
    { carrier_id: Number(carrier?.id), created_at: day('2026-01-06') },
    { owner: other, license: independent },
  );
  await add('SIBLING', { flag: 7, created_at: day('2026-01-07') }, { license: sibling });
  await add('GONE', {
    is_active: false,
    status_code: 'cancelled',
    status_description: 'Cancelled by the sender',
    created_at: day('2026-01-08', '23:59:59.999999'),
  });
  await add(
    'PRINTED',
    {
      label_generated: true,
      created_at: day('2026-01-09', '00:00:00.000000'),
      recipient_company: 'Acme',
      recipient_phone: '+972521111111',
    },
    { orderId: 'special-77' },
  );
  await stack.db.run(`UPDATE orders SET billing = '{"first_name":"Ruth","last_name":"Cohen"}', number = 'N-4711'
    WHERE order_id = 'special-77'`);
  await stack.db.run(`UPDATE orders SET billing = '{"first_name":"Gil","last_name":null}'
    WHERE order_id = 'order-PLAIN'`);
  // None of these is the recipient's, or is there yet.
  await add('STRANGER', { recipient_phone_key: '0529999999' });
  await add('NOPHONE', { recipient_phone: '', recipient_phone_key: '' });
  await add('RESERVED', { state: 'reserved' });
});
test.after.always(() => stack?.close());

const list = (search = '', bearer = mine.bearer) =>
  sendV1(stack, 'GET', `/shipping/phone_number${search}`, {
    headers: { 'x-app-secret': SECRET, ...bearer },
  });
/** Tracking codes of the page, or the fields of a refusal. */
async function codes(search: string): Promise<string> {
  const { status, body } = await list(`?${search}`);
  if (status !== 200) return `${status} ${Object.keys(body.errors).join(' ')}`;
  return body.data.data.map((row: { shipping_code: string }) => row.shipping_code).join(' ');
}

const ALL = 'PRINTED GONE SIBLING OWN COD BOTH COLLECT DOUBLE PLAIN';

test('the envelope holds the flat paginator, newest first', async (t) => {
  const { status, body } = await list();

  t.is(status, 200);
  const { data: page, ...envelope } = body;
  t.deepEqual(envelope, { message: '', success: true, warning: '' });
  const { data: rows, ...facts } = page;
  const path = 'https://api.parcels.test/api/shipping/phone_number';
  t.deepEqual(facts, {
    current_page: 1,
    first_page_url: `${path}?page=1`,
    from: 1,
    last_page: 1,
    last_page_url: `${path}?page=1`,
    links: [
      { url: null, label: '&laquo; Previous', active: false },
      { url: `${path}?page=1`, label: '1', active: true },
      { url: null, label: 'Next &raquo;', active: false },
    ],
    next_page_url: null,
    path,
    per_page: 100,
    prev_page_url: null,
    to: 9,
    total: 9,
  });
  t.is(rows.map((row: { shipping_code: string }) => row.shipping_code).join(' '), ALL);
  const [first] = rows;
  t.deepEqual(
    [
      first.status,
      first.type,
      first.label_generated,
      first.order.order_id,
      first.license_id,
      first.customer_id,
    ],
    ['Created', 'regular', true, 'special-77', license.id, account.id],
  );
});

test('pages, and links that keep the other parameters', async (t) => {
  const { body } = await list('?per_page=4&page=2&active_only=0');

  const page = body.data;
  t.deepEqual(
    [page.current_page, page.last_page, page.from, page.to, page.total, page.per_page],
    [2, 3, 5, 8, 9, 4],
  );
  t.is(
    page.data.map((row: { shipping_code: string }) => row.shipping_code).join(' '),
    'COD BOTH COLLECT DOUBLE',
  );
  t.regex(page.next_page_url, /per_page=4&page=3&active_only=0$/);
  t.regex(page.prev_page_url, /per_page=4&page=1&active_only=0$/);
  const beyond = (await list('?per_page=4&page=9')).body.data;
  t.deepEqual([beyond.data, beyond.from, beyond.to, beyond.total], [[], null, null, 9]);
});

for (const [search, expected] of [
  // Everything that people search by, letter case apart; wildcards mean themselves.
  ['search=avi', 'PLAIN'],
  ['search=100%25_', 'PLAIN'],
  ['search=%25', 'PLAIN'],
  ['search=acme', 'PRINTED'],
  ['search=ben%20ye', 'DOUBLE'],
  [`search=${encodeURIComponent('רושל')}`, 'COLLECT'],
  ['search=ibli', 'SIBLING'],
  ['search=ruth%20cohen', 'PRINTED'],
  ['search=ecial-7', 'PRINTED'],
  ['search=4711', 'PRINTED'],
  ['search=nobody', ''],
  // A plugin that sends an empty name has stored a null.
  ['search=gil', 'PLAIN'],
  ['search=nul', ''],
  ['search=', ALL],
  ['order_id=special', 'PRINTED'],
  ['name=AVI', 'PLAIN'],
  ['address=yehuda', 'DOUBLE'],
  ['phone=%2B97252', 'PRINTED'],
  ['phone=0529999999', ''],
  ['shipping_code=OLLEC', 'COLLECT'],
  ['search_by[order_id]=special&search_by[name]=', 'PRINTED'],
  ['search_by[name]=Avi', 'PLAIN'],
  ['search_by[address]=Ben', 'DOUBLE'],
  ['search_by[phone]=97252', 'PRINTED'],
  ['search_by[shipping_code]=COD', 'COD'],
  ['search_by[name]=Avi&address=Ben', ''],
  ['type=cod', 'COD'],
  ['type=independent', 'OWN'],
  ['type=regular', 'PRINTED GONE SIBLING OWN PLAIN'],
  ['type=double', 'BOTH DOUBLE'],
  ['type=collecting', 'COLLECT'],
  ['type=nothing', ''],
  ['flag=7', 'SIBLING'],
  ['flag=0&name=Avi', 'PLAIN'],
  ['status=by%20the%20send', 'GONE'],
  ['from=2026-01-08', 'PRINTED GONE'],
  ['to=2026-01-02', 'DOUBLE PLAIN'],
  ['from=2026-01-08&to=2026-01-08', 'GONE'],
  ['from=2026-01-09T00:00:00Z', 'PRINTED'],
  ['to=2026-01-01%2012:00', 'PLAIN'],
  ['from=2026-01-09T02:00:00%2B02:00&to=2026-01-09', 'PRINTED'],
  ['active_only=1', ALL.replace('GONE ', '')],
  ['active_only=true', ALL.replace('GONE ', '')],
  ['active_only=0', ALL],
  ['label_generated=1', 'PRINTED'],
  ['label_generated=0&type=cod', 'COD'],
  ['sort_by=created_at&sort_direction=asc', ALL.split(' ').toReversed().join(' ')],
  ['sort_by=shipping_code&sort_direction=desc&per_page=3', 'SIBLING PRINTED PLAIN'],
  // Both must be sent to count.
  ['sort_by=created_at', ALL],
  ['sort_direction=asc', ALL],
  // No account sorts by warehouse.
  ['sort_by_warehouse=asc', ALL],
  ['per_page=2', 'PRINTED GONE'],
  ['per_page=0', '422 per_page'],
  ['per_page=501', '422 per_page'],
  ['page=x', '422 page'],
  ['customer=me', '422 customer'],
  ['flag=a&license=b&company=c', '422 company license flag'],
  ['search[]=a', '422 search'],
  ['search_by=a', '422 search_by'],
  ['search_by[name][x]=a', '422 search_by.name'],
  ['active_only=maybe', '422 active_only'],
  ['sort_by_warehouse=up', '422 sort_by_warehouse'],
  ['sort_by=password&sort_direction=asc', '422 sort_by'],
  ['from=yesterday&to=2026-02-30', '422 from to'],
] as const) {
  test(`phone_number: ${search}`, async (t) => {
    t.is(await codes(search), expected);
  });
}

test('phone_number: by account, company and license', async (t) => {
  const [row] = await stack.db.select('SELECT company_id FROM licenses WHERE id = ?', [sibling.id]);

  t.is(await codes(`customer=${other.id}`), 'OWN');
  t.is(await codes(`license=${sibling.id}`), 'SIBLING');
  t.is(await codes(`company=${row?.company_id}`), 'SIBLING');
  t.is(await codes(`customer=${other.id}&license=${sibling.id}`), '');
});

test('phone_number: accounts that sort by warehouse have theirs first, by location', async (t) => {
  const { bearer } = await recipientToken(stack, '0537777777');
  const sorted = await stack.account();
  await stack.db.run('UPDATE accounts SET enable_sort_by_warehouse = TRUE WHERE id = ?', [sorted.id]);
  const sortedLicense = await stack.license(sorted.id);
  const columns = { recipient_phone_key: '0537777777' };
  for (const [code, location] of [
    ['W-A2', 'A-2'],
    ['W-A10', 'A-10'],
    ['W-NONE', null],
  ] as const) {
    await stack.shipment(sorted.id, sortedLicense, {
      orderId: `order-${code}`,
      columns: { ...columns, tracking_code: code },
    });
    await stack.db.run('UPDATE orders SET warehouse_location = ? WHERE order_id = ?', [
      location,
      `order-${code}`,
    ]);
  }
  await stack.shipment(account.id, license, {
    orderId: 'order-PLACE',
    columns: { ...columns, tracking_code: 'PLACE' },
  });
  await stack.db.run("UPDATE orders SET warehouse_location = 'Z-9' WHERE order_id = 'order-PLACE'");
  const ask = async (search: string) => {
    const { body } = await list(search, bearer);
    return body.data.data.map((row: { shipping_code: string }) => row.shipping_code).join(' ');
  };

  t.is(await ask(''), 'W-A10 W-A2 PLACE W-NONE');
  t.is(await ask('?sort_by_warehouse=asc'), 'W-A2 W-A10 PLACE W-NONE');
  t.is(await ask('?sort_by_warehouse=asc&per_page=2&page=2'), 'PLACE W-NONE');
  t.is(await ask('?sort_by_warehouse=asc&sort_by=id&sort_direction=desc'), 'PLACE W-NONE W-A10 W-A2');
});

test('phone_number: a phone without digits has no shipments, not those without a phone', async (t) => {
  const { bearer } = await recipientToken(stack, 'no digits');

  const { status, body } = await list('', bearer);

  t.deepEqual([status, body.data.total, body.data.data], [200, 0, []]);
});

test('phone_number: far from the ends, page links show a window', async (t) => {
  const { body } = await list('?per_page=1&page=5');
  const { bearer } = await recipientToken(stack, '0538888888');
  for (let n = 0; n < 20; n++) {
    await stack.shipment(account.id, license, { columns: { recipient_phone_key: '0538888888' } });
  }
  const labels = async (page: number) => {
    const answer = await list(`?per_page=1&page=${page}`, bearer);
    return answer.body.data.links
      .map((link: { label: string }) => link.label)
      .slice(1, -1)
      .join(' ');
  };

  t.is(body.data.links.length, 9 + 2);
  t.is(await labels(1), '1 2 3 4 5 6 7 8 9 10 ... 19 20');
  t.is(await labels(10), '1 2 ... 7 8 9 10 11 12 13 ... 19 20');
  t.is(await labels(20), '1 2 ... 11 12 13 14 15 16 17 18 19 20');
});
