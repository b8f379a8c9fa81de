import test from 'ava';
import { startHttp } from '../support/http.js';
import type { HttpAnswer } from '../support/http-send.js';

const http = await startHttp();
test.after.always(() => http.close());

test('ping needs no credentials', async (t) => {
  const answer = await http.send('GET', '/ping');

  t.is(answer.status, 200);
  t.is(answer.body.data.status, 'ok');
  t.regex(answer.body.data.time, /\.\d{6}Z$/);
});

test('the account comes with its licenses and without secrets', async (t) => {
  const { account, license } = await http.own();

  const answer = await http.send('GET', '/account', { as: account });
  const licenses = await http.send('GET', '/licenses', { as: account });

  t.is(answer.body.data.id, account.id);
  t.is(answer.body.data.licenses[0].key, license.key);
  t.is(answer.body.data.trackerPage_contact_info, null);
  t.deepEqual(licenses.body.data, answer.body.data.licenses);
  t.false(answer.text.includes('sealed'));
});

test('authenticated answers carry the rate headers', async (t) => {
  const { account } = await http.own();

  const number = ({ headers }: HttpAnswer, name: string) => Number(headers.get(`x-ratelimit-${name}`));
  const pair = async () => {
    const found = await http.send('GET', '/account', { as: account });
    return { found, missing: await http.send('GET', '/orders/none', { as: account }) };
  };

  // A second pair when a minute ended between the two.
  const first = await pair();
  const isSplit = number(first.found, 'reset') !== number(first.missing, 'reset');
  const { found, missing } = isSplit ? await pair() : first;

  t.is(number(found, 'limit'), http.config.rateLimitPerMinute);
  t.is(number(missing, 'remaining'), number(found, 'remaining') - 1);
  t.true(number(missing, 'reset') > Date.now() / 1000 - 1);
});

test('a GET has a weak ETag, and If-None-Match answers 304', async (t) => {
  const { account } = await http.own();
  const first = await http.send('GET', '/account', { as: account });
  const etag = first.headers.get('etag') ?? '';

  const match = await http.send('GET', '/account', {
    as: account,
    headers: { 'if-none-match': `"x", ${etag}` },
  });
  const star = await http.send('GET', '/account', { as: account, headers: { 'if-none-match': '*' } });
  const other = await http.send('GET', '/account', { as: account, headers: { 'if-none-match': 'W/"x"' } });
  const stranger = await http.send('GET', '/account', { headers: { 'if-none-match': etag } });

  t.regex(etag, /^W\/"/);
  t.is(first.headers.get('cache-control'), 'private, no-cache');
  t.is(match.status, 304);
  t.is(match.text, '');
  t.is(match.headers.get('etag'), etag);
  t.is(star.status, 304);
  t.is(other.status, 200);
  t.is(stranger.status, 401);
});

test('HEAD answers as GET without a body, 405 names the methods', async (t) => {
  const { account } = await http.own();

  const head = await http.send('HEAD', '/account', { as: account });
  const options = await http.send('OPTIONS', '/shipments', { as: account });

  t.is(head.status, 200);
  t.truthy(head.headers.get('etag'));
  t.is(options.status, 405);
  t.is(options.headers.get('allow'), 'GET, HEAD, POST');
  t.is(head.headers.get('x-powered-by'), null);
});

test('a request id of ours replaces one that is not visible ASCII', async (t) => {
  const long = await http.send('GET', '/ping', { headers: { 'x-request-id': 'x'.repeat(129) } });

  t.regex(long.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
});

test('shipments come in pages, with links that keep the query', async (t) => {
  const { account, license } = await http.own();
  for (let count = 0; count < 3; count++) await http.shipment(account.id, license);

  const first = await http.send('GET', '/shipments?per_page=2&sort=created_at&filter[active]=1', {
    as: account,
  });
  const second = await http.send('GET', '/shipments?per_page=2&page=2&sort=created_at', { as: account });
  const beyond = await http.send('GET', '/shipments?per_page=2&page=9', { as: account });

  t.deepEqual(first.body.meta, { current_page: 1, per_page: 2, total: 3, last_page: 2 });
  t.is(first.body.links.prev, null);
  const next = new URL(first.body.links.next);
  t.is(next.origin + next.pathname, 'https://api.parcels.test/api/v2/shipments');
  t.deepEqual(Object.fromEntries(next.searchParams), {
    per_page: '2',
    sort: 'created_at',
    'filter[active]': '1',
    page: '2',
  });
  t.is(second.body.data.length, 1);
  t.is(second.body.links.next, null);
  t.deepEqual(beyond.body.data, []);
  t.is(beyond.body.meta.total, 3);
});

test('shipments are filtered', async (t) => {
  const { account, license } = await http.own();
  const one = await http.shipment(account.id, license, {
    columns: { is_active: false, status_code: 'cancelled' },
  });
  const two = await http.shipment(account.id, license, {
    columns: { service_type: 2, tracking_code: 'CODE-2', created_at: '2020-01-01 10:00:00.500000' },
  });
  const uuids = async (query: string) => {
    const answer = await http.send('GET', `/shipments?${query}`, { as: account });
    return answer.body.data.map((each: { uuid: string }) => each.uuid);
  };

  t.deepEqual(await uuids('filter[active]=false'), [one.uuid]);
  t.deepEqual(await uuids('filter[active]=true'), [two.uuid]);
  t.deepEqual(await uuids('filter[type]=2'), [two.uuid]);
  t.deepEqual(await uuids('filter[status]=cancelled'), [one.uuid]);
  t.deepEqual(await uuids(`filter[order_id]=${one.orderId}`), [one.uuid]);
  t.deepEqual(await uuids('filter[tracking_code]=CODE-2'), [two.uuid]);
  t.deepEqual(await uuids('filter[created_to]=2020-01-01'), [two.uuid]);
  t.deepEqual(await uuids('filter[created_to]=2020-01-01T10:00:00Z'), []);
  t.deepEqual(await uuids('filter[created_from]=2020-01-01T12:00:00.500001%2B02:00'), [one.uuid]);
  t.deepEqual(await uuids('unknown=1'), [one.uuid, two.uuid]);
});

test('lists span all usable licenses, or the named one', async (t) => {
  const { account, license } = await http.own();
  const second = await http.license(account.id);
  const expired = await http.license(account.id, { expiresAt: '2020-01-01T00:00:00.000000Z' });
  for (const each of [license, second, expired]) await http.shipment(account.id, each);

  const all = await http.send('GET', '/shipments', { as: account });
  const named = await http.send('GET', `/shipments?license_key=${second.key}`, { as: account });
  const orders = await http.send('GET', '/orders', { as: account });

  t.is(all.body.meta.total, 2);
  t.is(named.body.meta.total, 1);
  t.is(orders.body.data.length, 2);
});

test('orders are walked by cursors both ways, while rows are inserted', async (t) => {
  const { account, license } = await http.own();
  const ids: number[] = [];
  for (let count = 0; count < 5; count++) ids.unshift(await http.order(account.id, license));
  const page = async (cursor: string | null) => {
    const query = cursor === null ? '' : `&cursor=${cursor}`;
    return (await http.send('GET', `/orders?per_page=2${query}`, { as: account })).body;
  };
  const idsOf = (body: { data: { id: number }[] }) => body.data.map((order) => order.id);

  const first = await page(null);
  await http.order(account.id, license);
  const second = await page(first.meta.next_cursor);
  const third = await page(second.meta.next_cursor);
  const back = await page(third.meta.prev_cursor);

  t.deepEqual([first, second, third].flatMap(idsOf), ids);
  t.is(first.meta.prev_cursor, null);
  t.is(third.meta.next_cursor, null);
  t.deepEqual(idsOf(back), idsOf(second));
  t.is(first.links.first, null);
  t.is(new URL(first.links.next).searchParams.get('cursor'), first.meta.next_cursor);
  t.is(first.meta.path, 'https://api.parcels.test/api/v2/orders');
});

test('a cursor is bound to its account and filters, and cannot be altered', async (t) => {
  const { account, license } = await http.own();
  for (let count = 0; count < 3; count++) await http.order(account.id, license);
  const first = await http.send('GET', '/orders?per_page=1', { as: account });
  const cursor: string = first.body.meta.next_cursor;
  const stranger = await http.account();
  await http.license(stranger.id);
  const altered = `${cursor.slice(0, 5)}${cursor[5] === 'A' ? 'B' : 'A'}${cursor.slice(6)}`;

  const foreign = await http.send('GET', `/orders?cursor=${cursor}`, { as: stranger });
  const filtered = await http.send('GET', `/orders?cursor=${cursor}&license_key=${license.key}`, {
    as: account,
  });
  const changed = await http.send('GET', `/orders?cursor=${altered}`, { as: account });

  for (const answer of [foreign, filtered, changed]) {
    t.is(answer.status, 422);
    t.deepEqual(Object.keys(answer.body.error.fields), ['cursor']);
  }
});

test('an order comes with its shipments, newest first', async (t) => {
  const { account, license } = await http.own();
  const older = await http.shipment(account.id, license, { orderId: 'A/1 ü' });
  const newer = await http.shipment(account.id, license, { orderId: 'A/1 ü' });

  const order = await http.send('GET', `/orders/${encodeURIComponent('A/1 ü')}`, { as: account });
  const shipments = await http.send('GET', `/orders/${encodeURIComponent('A/1 ü')}/shipments`, {
    as: account,
  });

  t.is(order.body.data.order_id, 'A/1 ü');
  t.is(order.body.data.total, '10.00');
  t.deepEqual(order.body.data.billing, { city: 'Haifa' });
  t.deepEqual(order.body.data.shipments, shipments.body.data);
  t.deepEqual(
    shipments.body.data.map((each: { uuid: string }) => each.uuid),
    [newer.uuid, older.uuid],
  );
});

test('a shipment is read, by its uuid in any case, with its status', async (t) => {
  const { account, license } = await http.own();
  const { uuid } = await http.shipment(account.id, license);

  const shipment = await http.send('GET', `/shipments/${uuid.toUpperCase()}`, { as: account });
  const status = await http.send('GET', `/shipments/${uuid}/status?refresh=true`, { as: account });

  t.is(shipment.body.data.uuid, uuid);
  t.is(shipment.body.data.service_type, '1');
  t.is(shipment.body.data.recipient.address.zip, '');
  t.deepEqual(status.body.data.history, []);
  t.is(status.body.data.status.code, 'created');
});

test('cancelling works with and without a body', async (t) => {
  const { account, license } = await http.own();
  const { uuid } = await http.shipment(account.id, license);

  const bare = await http.send('POST', `/shipments/${uuid}/cancel`, { as: account });
  const reasoned = await http.send('POST', `/shipments/${uuid}/cancel`, {
    as: account,
    json: { reason: 'changed' },
  });

  t.is(bare.status, 200);
  t.is(bare.body.data.status.code, 'cancelled');
  t.is(reasoned.status, 200);
});

test('reference lists', async (t) => {
  const { account } = await http.own();

  const all = await http.send('GET', '/reference/shipping-statuses', { as: account });
  const some = await http.send('GET', '/reference/shipping-statuses?search=DELIVER', { as: account });
  const wildcard = await http.send('GET', '/reference/shipping-statuses?search=%25', { as: account });
  const types = await http.send('GET', '/reference/service-types', { as: account });

  t.is(all.body.data.length, 13);
  t.deepEqual(
    all.body.data,
    all.body.data.toSorted((one: string, other: string) => (one < other ? -1 : 1)),
  );
  t.deepEqual(some.body.data, ['Delivered', 'Delivery failed', 'Out for delivery']);
  t.deepEqual(wildcard.body.data, []);
  t.deepEqual(types.body.data, [
    { value: '1', label: 'Delivery' },
    { value: '2', label: 'Collection' },
  ]);
});

test('logs hold no credential, query or path', async (t) => {
  const { account } = await http.own();

  await http.send('GET', '/orders/private-order?search=private-query', { as: account });

  const lines = http.log.join('');
  t.true(lines.includes('GET /orders/{order}'));
  t.false(lines.includes('private-'));
  t.false(lines.includes(account.headers['x-client-secret'] ?? ''));
});
